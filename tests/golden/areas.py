"""Areas of the golden net, and their records by name."""

from __future__ import annotations

from golden import amee, armbot, catalogue, course, nao, piggy, world
from golden.records import Record

AREAS: dict[str, dict[str, Record]] = {
    "world": world.RECORDS,
    "catalogue": catalogue.RECORDS,
    "armbot": armbot.RECORDS,
    "piggy": piggy.RECORDS,
    "amee": amee.RECORDS,
    "nao": nao.RECORDS,
    "course": course.RECORDS,
}
DRAWN = ("nao",)  # areas with images from the graphics driver
