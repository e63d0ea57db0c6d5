"""Between Gelenk and MuJoCo: the only place that knows MuJoCo's conventions."""
