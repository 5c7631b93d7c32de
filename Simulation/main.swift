print("simulation")
