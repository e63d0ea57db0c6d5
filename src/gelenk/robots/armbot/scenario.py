"""Seeded worlds of ArmBot: the shipped cells, each with its verdict."""

from gelenk.robots.armbot.cells.handover import handover as handover
from gelenk.robots.armbot.cells.line import line as line
from gelenk.robots.armbot.cells.pallet import pallet as pallet
from gelenk.robots.armbot.cells.pick_place import pick_place as pick_place
from gelenk.robots.armbot.cells.slope import slope as slope
from gelenk.robots.armbot.cells.sorting import sorting as sorting
from gelenk.robots.armbot.cells.student import student as student
from gelenk.robots.armbot.cells.tower import tower as tower
