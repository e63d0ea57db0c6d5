"""Grounds for AMEE to walk on: drawn from a seed, each with a name."""

from gelenk.robots.amee.terrain.course import COURSE_START as COURSE_START
from gelenk.robots.amee.terrain.course import Course as Course
from gelenk.robots.amee.terrain.registry import TERRAINS as TERRAINS
from gelenk.robots.amee.terrain.registry import TerrainCfg as TerrainCfg
from gelenk.robots.amee.terrain.registry import build_terrain as build_terrain
from gelenk.robots.amee.terrain.registry import terrain_from_text as terrain_from_text
