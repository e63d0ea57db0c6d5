"""Planning: ways, paths and trajectories that avoid what is in the way."""
