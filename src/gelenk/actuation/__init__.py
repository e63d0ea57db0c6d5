"""What moves joints: electric motors, gears, and the laws of their torque."""
