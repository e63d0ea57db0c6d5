"""Whether a calibration is good: boards, standing, field lines, walking, repeats."""
