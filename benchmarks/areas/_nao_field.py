"""Field lines of calibrated NAOs: how far off a ball on the centre spot would be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.robots.nao.checks.field_check import FieldCheck, FieldCheckCfg, check_field
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import NaoErrors, draw_errors
from gelenk.sim.cameras.gl import RenderError, describe_renderer
from testkit.nao_robots import calibrated_robot, given_bodies
from testkit.nao_sights import SightNoise

REAL, IDEAL = 5.0, 1.0  # [cm] at 3 m
PRINTED = 60.0  # [cm], Kastner 2014


def field_lines(settings: Settings) -> Iterator[Row]:
    """TC10: robots with systematic errors stand on the field and look 3 m ahead.

    They are calibrated from synthetic views of the 24 given poses (0.04 px, encoder
    steps of 0.1 degrees), put on their feet in physics, and look at the painted field.
    """
    try:
        describe_renderer()
    except RenderError as error:
        yield Row(name="field_spot", value=None, unit="cm", note=str(error))
        return
    rng, bodies = settings.rng(), given_bodies()
    rows: dict[str, list[FieldCheck]] = {}
    cameras = (FieldCheckCfg(), FieldCheckCfg(camera="upper"))
    legs = FieldCheckCfg(is_leveled=False)
    for number in range(settings.pick(10, 3)):
        settings.tell(f"robot {number + 1}")
        errors = draw_errors(rng, level=3)
        robot = calibrated_robot(errors, bodies, rng)
        plain = calibrated_robot(errors, bodies, rng, is_extended=False)
        for name, known, cfg in (
            ("before", None, cameras[0]),
            ("after", robot.compensation, cameras[0]),
            ("published", plain.compensation, cameras[0]),
            ("legs", robot.compensation, legs),
            ("upper", robot.compensation, cameras[1]),
        ):
            rows.setdefault(name, []).append(check_field(errors, known, cfg))
    yield from _figures(rows)
    yield _ideal(settings.rng())


def _figures(rows: dict[str, list[FieldCheck]]) -> Iterator[Row]:
    spot = {
        name: np.array([100.0 * check.distance_error for check in checks])
        for name, checks in rows.items()
    }
    others = {
        words: float(np.nanmax(spot[name]))
        for name, words in (
            ("before", "not calibrated"),
            ("published", "published 21 parameters"),
            ("legs", "legs instead of accelerometer"),
            ("upper", "upper camera"),
        )
    }
    others["Kastner 2014, printed"] = PRINTED
    lost = {name: int(np.isnan(values).sum()) for name, values in spot.items()}
    yield Row(
        name="field_spot",
        value=float(spot["after"].max()),
        unit="cm",
        target=REAL,
        peers=others,
        note=f"worst of {len(spot['after'])} robots with neck, tilt, focal length, "
        "lengths, camera position, sag and play wrong; mean "
        f"{spot['after'].mean():.2f}, before {np.nanmean(spot['before']):.1f}; taken "
        f"for a point beyond the horizon: {lost}",
    )
    for name, value in (
        ("field_lines_projected", [c.offset for c in rows["after"]]),
        ("field_lines_seen", [c.seen_offset for c in rows["after"]]),
    ):
        yield Row(
            name=name,
            value=float(np.mean(value)),
            unit="px",
            peers={
                "not calibrated": float(np.mean([c.offset for c in rows["before"]]))
            },
            note="all lines against the truth, root mean square"
            if name.endswith("projected")
            else "halfway and touch lines against the image, median",
        )


def _ideal(rng: np.random.Generator) -> Row:
    """Return the figure of a robot with offsets alone and exact encoders."""
    errors: NaoErrors = draw_errors(rng, level=1)
    noise = SightNoise(pixel=0.04)
    robot = calibrated_robot(
        errors, given_bodies(), rng, is_extended=False, noise=noise
    )
    known: Compensation = robot.compensation
    check = check_field(errors, known, FieldCheckCfg(level=1))
    return Row(
        name="field_spot_ideal",
        value=100.0 * check.distance_error,
        unit="cm",
        target=IDEAL,
        note=f"offsets of joints and camera alone; lines off by {check.offset:.3f} px "
        f"rms, seen {check.seen_offset:.3f} px",
    )


FIGURES = (field_lines,)
