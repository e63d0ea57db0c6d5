"""Calibration of any robot with eyes: predict, fit, explain, choose poses."""
