"""Submissions to ArmBot's exercises as students would write them, wrong and right.

Each is the text of a file. They were written from the tasks, without a look at the
models of mistakes: what a lecturer would call the mistake stands in their heading.
"""
