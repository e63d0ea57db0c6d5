"""Thrown balls from two images: circles, stereo, tracks, and where they will come."""

from gelenk.robots.piggy.tracker.config import TrackCfg as TrackCfg
from gelenk.robots.piggy.tracker.messages import Crossing as Crossing
from gelenk.robots.piggy.tracker.messages import Frame as Frame
from gelenk.robots.piggy.tracker.messages import Track as Track
from gelenk.robots.piggy.tracker.tracker import Tracker as Tracker
