import Foundation

/// Kannel's two boxes with a store of files and its generic HTTP message centre.
struct Kannel: MeasuredExchange {
  let name = "Kannel"
  let address: String
  let request: String
  let receipts: ReceiptForm
  let processes: [ChildProcess]
  private let adminPort: Int

  static func start(in folder: String, standIn: Int, rate: Int?) async throws -> Kannel {
    let ports = try LoopbackPort.free(4)
    let (admin, box, sendsms, receipts) = (ports[0], ports[1], ports[2], ports[3])
    try FileManager.default.createDirectory(atPath: folder + "/spool", withIntermediateDirectories: true)
    let configuration = """
      group = core
      admin-port = \(admin)
      admin-interface = 127.0.0.1
      admin-password = bench
      smsbox-port = \(box)
      smsbox-interface = 127.0.0.1
      box-allow-ip = 127.0.0.1
      log-file = "\(folder)/bearerbox.log"
      log-level = 3
      store-type = file
      store-location = "\(folder)/spool/store"

      group = smsc
      smsc = http
      smsc-id = standin
      system-type = generic
      port = \(receipts)
      connect-allow-ip = 127.0.0.1
      max-pending-submits = 100
      \(rate.map { "throughput = \($0)" } ?? "# as fast as it can")
      send-url = "http://127.0.0.1:\(standIn)/send?to=%p&from=%P&text=%b"
      status-success-regex = "^OK"
      generic-foreign-id-regex = "^OK ([0-9]+)"

      group = smsbox
      bearerbox-host = 127.0.0.1
      sendsms-port = \(sendsms)
      sendsms-interface = 127.0.0.1
      log-file = "\(folder)/smsbox.log"
      log-level = 3
      max-pending-requests = 100

      group = sendsms-user
      username = bench
      password = bench
      concatenation = true
      max-messages = 3

      """
    let file = folder + "/kannel.conf"
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
    let bearerbox = try ChildProcess("/usr/sbin/bearerbox", [file], log: folder + "/bearerbox.out")
    do {
      try await LoopbackPort.wait(for: box, of: bearerbox)
      let smsbox = try ChildProcess("/usr/sbin/smsbox", [file], log: folder + "/smsbox.out")
      do { try await LoopbackPort.wait(for: sendsms, of: smsbox) } catch {
        await smsbox.stop()
        throw error
      }
      return Kannel(sendsms: sendsms, receipts: receipts, admin: admin, standIn: standIn, [bearerbox, smsbox])
    } catch {
      await bearerbox.stop()
      throw error
    }
  }

  private init(sendsms: Int, receipts: Int, admin: Int, standIn: Int, _ processes: [ChildProcess]) {
    address = "http://127.0.0.1:\(sendsms)"
    self.receipts = .kannel(port: receipts)
    adminPort = admin
    self.processes = processes
    let text = benchmarkText.replacingOccurrences(of: " ", with: "+")
    let passedOn = "http%3A%2F%2F127.0.0.1%3A\(standIn)%2Fpassed-on%3Ftype%3D%25d"
    request = """
      return wrk.format("GET", "/cgi-bin/sendsms?username=bench&password=bench&from=Info&to=%2B" .. number
          .. "&text=\(text)&dlr-mask=31&dlr-url=\(passedOn)")
      """
  }

  func unfinished() async throws -> Int {
    let page = try await ChildProcess.output(
      "/usr/bin/env", ["curl", "-s", "http://127.0.0.1:\(adminPort)/status.txt?password=bench"])
    // "SMS: received 0 (0 queued), sent 1 (0 queued), store size 0"
    guard let line = page.split(separator: "\n").first(where: { $0.hasPrefix("SMS:") && $0.contains("store size") }),
      let size = line.split(separator: " ").last.flatMap({ Int($0) })
    else { throw BenchmarkError("Kannel's status can not be read: \(page.prefix(300))") }
    return size
  }

  func stop() async { for process in processes.reversed() { await process.stop() } }
}
