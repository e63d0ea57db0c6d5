"""Calibration of any robot with cameras: predict, fit, explain, choose poses."""
