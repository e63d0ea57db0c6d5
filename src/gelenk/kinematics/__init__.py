"""How robots move: poses, Jacobians, inverse kinematics, loops, singularities."""
