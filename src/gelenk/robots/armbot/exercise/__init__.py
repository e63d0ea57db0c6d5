"""Exercises for students: their code is checked, and what is wrong with it is named.

`gelenk armbot exercise` lists them. A submission runs in a process of its own, against
hidden cases that are drawn from a seed.
"""

from gelenk.robots.armbot.exercise.check import check_submission as check_submission
from gelenk.robots.armbot.exercise.command import cli_main as cli_main
from gelenk.robots.armbot.exercise.finding import Finding as Finding
from gelenk.robots.armbot.exercise.finding import Verdict as Verdict
from gelenk.robots.armbot.exercise.registry import EXERCISES as EXERCISES
from gelenk.robots.armbot.exercise.registry import get_exercise as get_exercise
from gelenk.robots.armbot.exercise.runner import Limits as Limits
from gelenk.robots.armbot.exercise.runner import Runner as Runner
