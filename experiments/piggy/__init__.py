"""The experiments of the thesis, repeated; each returns figures beside the printed."""
