"""Bridge to MuJoCo: the only place that knows MuJoCo's conventions."""
