Program.prepareSignals()
await Program.main()
