"""The simulated world: bodies, contact, motors, sensors, cameras, faults."""
