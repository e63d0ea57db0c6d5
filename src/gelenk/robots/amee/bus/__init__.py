"""Legs as processes of their own, spoken to in HTTP text over real sockets."""

from gelenk.robots.amee.bus.client import Caller as Caller
from gelenk.robots.amee.bus.client import ReportInbox as ReportInbox
from gelenk.robots.amee.bus.process_leg import LegProcesses as LegProcesses
from gelenk.robots.amee.bus.process_leg import ProcessLeg as ProcessLeg
