"""Seeded worlds of ArmBot: the shipped cells, each with its verdict."""

from gelenk.robots.armbot.cells.handover import handover as handover
from gelenk.robots.armbot.cells.line import line as line
from gelenk.robots.armbot.cells.pallet import pallet as pallet
from gelenk.robots.armbot.cells.slope import slope as slope
from gelenk.robots.armbot.cells.sorting import sorting as sorting
