"""What people try out at a cell: files, arms and inverse kinematics, as plain data.

Requests and answers are made of dicts, lists, texts, numbers and booleans; the table of
all of them is `gelenk.robots.armbot.services`.
"""
