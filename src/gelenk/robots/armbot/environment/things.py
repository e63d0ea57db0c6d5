"""Statements about things become descriptions of them."""

from __future__ import annotations

from typing import Any

from gelenk.robots.armbot.environment.description import (
    BallEntry,
    BarrierTrigger,
    Belt,
    Border,
    CircleTrigger,
    CuboidEntry,
    CylinderEntry,
    FixedSphere,
    Movable,
    Obstacle,
    Paint,
    Tile,
    Trigger,
)
from gelenk.robots.armbot.environment.plans import make_plan
from gelenk.robots.armbot.environment.problems import ProblemList
from gelenk.robots.armbot.environment.tokens import Statement


def make_border(statement: Statement, problems: ProblemList) -> Border | None:
    """Return the limits of the floor; None if there is nothing between them."""
    v = statement.values
    low, high = (v["minx"], v["miny"]), (v["maxx"], v["maxy"])
    for axis, least, most in zip("xy", low, high, strict=True):
        if least >= most:
            problems.add(
                statement.place,
                f"expected min{axis} below max{axis} in BORDER, got {_cm(least)} and "
                f"{_cm(most)} cm",
            )
            return None
    return Border(low=low, high=high)


def make_tile(statement: Statement) -> Tile:
    """Return coloured tiles."""
    v = statement.values
    return Tile(columns=v["rangex"], rows=v["rangey"], color=v["hexcol"])


def make_paint(statement: Statement, problems: ProblemList) -> Paint | None:
    """Return paint on the floor; None if its plan is none."""
    plan = make_plan(statement, problems)
    alpha = statement.values["alpha"]
    if plan is None:
        return None
    return Paint(
        plan=plan,
        color=statement.values["hexcol"],
        alpha=alpha if alpha <= 1.0 else alpha / 255.0,
    )


def make_obstacle(
    statement: Statement, name: str, problems: ProblemList
) -> Obstacle | FixedSphere | None:
    """Return a fixed thing; None if it has no plan or no height."""
    word, v = statement.directive.word, statement.values
    if word == "SPHERE":
        return FixedSphere(
            name=name,
            center=(v["cx"], v["cy"], v["cz"]),
            radius=v["rad"],
            color=v["hexcol"],
            place=statement.place,
        )
    bottom, top = _heights(word, v)
    plan = make_plan(statement, problems)
    has_height = _check_heights(statement, bottom, top, problems)
    if plan is None or not has_height:
        return None
    belt = None
    if word == "CONVEYOR":
        belt = Belt(
            number=v["instnr"],
            is_running=v["initial"] == "RUN",
            speed=v["speed"],
            to_middle_speed=v["tomiddlespeed"],
        )
    return Obstacle(
        name=name,
        kind=word.lower(),  # type: ignore[arg-type]
        plan=plan,
        bottom=bottom,
        top=top,
        direction=v.get("dir", "x"),
        color=v["hexcol"],
        belt=belt,
        place=statement.place,
    )


def make_movable(statement: Statement, name: str, mass: float | None) -> Movable:
    """Return a ball, cuboid or cylinder; `mass` [kg]."""
    word, v = statement.directive.word, statement.values
    common: dict[str, Any] = {
        "name": name,
        "center": (v["cx"], v["cy"], v["cz"]),
        "color": v["hexcol"],
        "mass": mass,
        "place": statement.place,
    }
    if word == "CUBOID":
        return CuboidEntry(size=(v["sizex"], v["sizey"], v["sizez"]), **common)
    if word == "CYLINDER":
        return CylinderEntry(radius=v["rad"], height=v["height"], **common)
    return BallEntry(
        radius=v["rad"], resistance=v["resistance"], bounce=v["bounce"], **common
    )


def make_trigger(statement: Statement, problems: ProblemList) -> Trigger | None:
    """Return a circle or a barrier; None if a barrier has no length."""
    v, variant = statement.values, statement.directive.variant
    common: dict[str, Any] = {
        "watches": "ball" if variant.startswith("BALL") else "cuboid",
        "receiver": v["instance"],
        "text": v["triggerstr"],
        "height": v["height"],
        "color": v["col"],
        "place": statement.place,
    }
    if variant.endswith("BARRIER"):
        start, end = (v["x1"], v["y1"]), (v["x2"], v["y2"])
        if start == end:
            problems.add(
                statement.place,
                f"expected two different points in {statement.directive.title}, got "
                f"{_cm(start[0])} {_cm(start[1])} cm twice",
            )
            return None
        return BarrierTrigger(start=start, end=end, **common)
    return CircleTrigger(
        on="enter" if variant.endswith("ENTERS") else "leave",
        center=(v["x"], v["y"]),
        radius=v["rad"],
        **common,
    )


def _heights(
    word: str, v: dict[str, Any]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return bottom and top of a solid at its smaller and its larger coordinate."""
    if word == "STEP":
        return (0.0, 0.0), (v["height"], v["height"])
    if word == "SLICE":
        return (v["hbottom"], v["hbottom"]), (v["htop"], v["htop"])
    if word == "WEDGE":
        return (v["low1"], v["low2"]), (v["up1"], v["up2"])
    return (0.0, 0.0), (v["h1"], v["h2"])


def _check_heights(
    statement: Statement,
    bottom: tuple[float, float],
    top: tuple[float, float],
    problems: ProblemList,
) -> bool:
    word = statement.directive.word
    for low, high in zip(bottom, top, strict=True):
        if high < low:
            problems.add(
                statement.place,
                f"expected the top of {word} above its bottom, got {_cm(high)} cm "
                f"below {_cm(low)} cm",
            )
            return False
    if top == bottom:
        problems.add(
            statement.place,
            f"expected {word} to have a height, got top and bottom at the same height; "
            "give it 0.1 cm if it is to be flat",
        )
        return False
    return True


def _cm(metres: float) -> str:
    return f"{100.0 * metres:.6g}"
