"""The simulated world: honest contact, repeatable bits, and what it costs."""

from __future__ import annotations

from benchmarks.areas._world_bits import equal_hashes, snapshots_resume
from benchmarks.areas._world_bounce import restitution_grid
from benchmarks.areas._world_cameras import (
    camera_pairs,
    rendered_point_error,
)
from benchmarks.areas._world_campaign import campaign_speedup
from benchmarks.areas._world_faults import fault_kinds
from benchmarks.areas._world_hall import busy_hall
from benchmarks.areas._world_price import overhead_of_steps, price_of_events
from benchmarks.areas._world_rest import balls_at_rest
from benchmarks.areas._world_slide import sliding_lift

TITLE = "The simulated world: bounce, sliding, rest, bits, price, hall, cameras"

CONTACT = (restitution_grid, sliding_lift, balls_at_rest)
REPEATABILITY = (equal_hashes, snapshots_resume)
PRICE = (price_of_events, overhead_of_steps)

WHOLE = (busy_hall, camera_pairs, rendered_point_error, campaign_speedup, fault_kinds)

FIGURES = (*CONTACT, *REPEATABILITY, *PRICE, *WHOLE)
