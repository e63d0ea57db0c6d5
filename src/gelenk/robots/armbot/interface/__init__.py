"""What a controller may use: the arm, its kinematics, the gripper, and units.

Nothing here knows the simulator. `gelenk.robots.armbot` lists the names to import.
"""
