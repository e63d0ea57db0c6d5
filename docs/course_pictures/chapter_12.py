"""Pictures of chapter 12: who decides what a robot does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gelenk.behavior.architectures import Hybrid, Reaction, choose_reaction
from gelenk.behavior.options import BehaviorEngine, BehaviorOption, OptionState
from gelenk.behavior.rover import SonarRing, drive_rover
from gelenk.behavior.state_machines import (
    Autonomy,
    Mission,
    PetriNet,
    PetriTransition,
    StateOutcome,
    Task,
)
from gelenk.behavior.subsumption import Subsumption, explore_layer, wander_layer
from gelenk.geometry.grasp import GraspContact, contact_wrenches, grasp_quality
from gelenk.planning.world import PolygonWorld

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOM = PolygonWorld(
    [np.array([[3.0, 2.0], [5.0, 2.0], [5.0, 4.0], [3.0, 4.0]])],
    np.zeros(2),
    np.array([8.0, 6.0]),
)


def draw_hierarchy(axes: Axes) -> None:
    """Sense, model, plan, act: one after the other."""
    for k, name in enumerate(("sense", "model", "plan", "act")):
        axes.text(k, 0, name, ha="center", bbox={"boxstyle": "round", "facecolor": "w"})
        if k:
            axes.annotate(
                "", (k - 0.3, 0), (k - 0.7, 0), arrowprops={"arrowstyle": "->"}
            )
    axes.plot([-0.5, 3.5], [-1, 1], alpha=0.0)
    axes.set_axis_off()


def draw_reactions(axes: Axes) -> None:
    """Which reaction speaks, over the distance of what is ahead."""
    pairs = [
        Reaction(name="flee", act=lambda d: -0.3 if d < 0.5 else None),
        Reaction(name="turn", act=lambda d: 0.1 if d < 1.2 else None),
        Reaction(name="roam", act=lambda d: 0.4),
    ]
    d = np.linspace(0, 3, 120)
    axes.step(d, [choose_reaction(pairs, x, 0.0).command for x in d])
    axes.set_xlabel("distance [m]")
    axes.set_ylabel("speed [m/s]")


def draw_hybrid(axes: Axes) -> None:
    """A plan of three goals, and a reflex that waits for a visitor."""
    x, visit = 0.0, []
    robot = Hybrid(
        plan=lambda model: [("go", 1.0), ("go", 0.3), ("go", 2.0)],
        behaviors={"go": lambda goal, x: (0.05 * math.copysign(1, goal - x[0]),
                                          abs(goal - x[0]) < 0.04)},
        reflexes=[Reaction(name="wait", act=lambda s: 0.0 if s[1] else None)],
    )  # fmt: skip
    for k in range(90):
        x += robot.step((x, 30 < k < 45), model=None) or 0.0
        visit.append(x)
    axes.plot(visit)
    axes.axvspan(30, 45, alpha=0.2, label="visitor in the way")
    axes.set_xlabel("cycle")
    axes.legend()


def draw_subsumption(axes: Axes) -> None:
    """The way of a rover with all layers, and without exploration."""
    sonar = SonarRing(count=16)
    layers = [wander_layer(np.random.default_rng(0)), explore_layer(sonar.bearings)]
    robot = Subsumption(bearings=sonar.bearings, layers=layers, force_scale=1.5)
    axes.fill(*ROOM.obstacles[0].T, color="0.7")
    for rover, name in ((robot, "layers 0-2"), (robot.without(2), "layers 0, 1")):
        clock = iter(np.arange(400) * 0.1)
        run = drive_rover(
            ROOM, lambda r, s, it=rover, c=clock: it.step(r, float(next(c))),
            [1.2, 1.0, 0.3], sonar=sonar, steps=300,
        )  # fmt: skip
        axes.plot(run.pose[:, 0], run.pose[:, 1], label=name)
    axes.set_aspect("equal")
    axes.legend()


def draw_options(axes: Axes) -> None:
    """The state of a small agent over time."""
    seek = BehaviorOption(
        initial="look",
        states={
            "look": OptionState(
                children=("turn",),
                decide=lambda s: "go" if s.inputs["ball"] else None,
            ),
            "go": OptionState(
                children=("walk",),
                decide=lambda s: "look" if not s.inputs["ball"] else None,
            ),
        },
    )
    agent = BehaviorEngine(
        "seek", {"seek": seek}, {"turn": lambda i: {}, "walk": lambda i: {}}
    )
    sights = [0] * 8 + [1] * 10 + [0] * 6 + [1] * 6
    path = [
        agent.step({"ball": bool(s)}, now=0.1 * k).path[0][2]
        for k, s in enumerate(sights)
    ]
    axes.step(range(len(path)), [("look", "go").index(p) for p in path], where="post")
    axes.set_yticks([0, 1], ["look", "go"])
    axes.set_xlabel("cycle")


def draw_autonomy(axes: Axes) -> None:
    """Cycles that a mission needs at each level; each tenth has a confirmation."""
    counts = []
    for level in Autonomy:
        tasks = {
            f"s{k}": Task(
                run=lambda w: "done",
                outcomes={"done": StateOutcome(target=f"s{k + 1}", required=need)},
            )
            for k, need in enumerate((Autonomy.LOW, Autonomy.HIGH, Autonomy.FULL))
        }
        mission = Mission({**tasks, "s3": Task()}, "s0", level=level)
        cycles = 0
        while not mission.step(None).is_done:
            cycles += 1
            if cycles % 10 == 0:
                mission.confirm()
        counts.append(cycles)
    axes.bar([level.name.lower() for level in Autonomy], counts)
    axes.set_ylabel("cycles")


def draw_petri(axes: Axes) -> None:
    """Tokens of a net while two transitions take turns."""
    net = PetriNet(
        places=("free", "held"),
        transitions={
            "grasp": PetriTransition(takes={"free": 1}, gives={"held": 1}),
            "drop": PetriTransition(takes={"held": 1}, gives={"free": 1}),
        },
    )
    marking, rows = net.full({"free": 3}), []
    rng = np.random.default_rng(0)
    for _ in range(25):
        rows.append(list(marking.values()))
        marking = net.fire(marking, str(rng.choice(net.enabled(marking))))
    for name, column in zip(net.places, np.array(rows).T, strict=True):
        axes.step(range(len(column)), column, where="post", label=name)
    axes.legend()


def draw_glossary(axes: Axes) -> None:
    """Some symbols and their names."""
    from gelenk.course.glossary import GLOSSARY

    axes.plot([0, 1], [0, 1], alpha=0.0)
    for k, entry in enumerate(GLOSSARY[:12]):
        axes.text(0.1, 1 - k / 12, f"{entry.symbol}   →   {entry.identifier}", va="top")
    axes.set_axis_off()


def draw_grasps(axes: Axes) -> None:
    """Quality of three fingers around a ball, over their friction."""
    at = [np.array([np.cos(a), np.sin(a), 0.0]) for a in (0, 2.1, 4.2)]
    mu = np.linspace(0.0, 1.0, 11)
    quality = [
        grasp_quality(
            contact_wrenches([GraspContact(point=p, normal=-p, friction=m) for p in at])
        )
        for m in mu
    ]
    axes.plot(mu, quality, "o-")
    axes.set_xlabel("friction")
    axes.set_ylabel("quality ε")


PICTURES = {
    "GR-275": draw_hierarchy,
    "GR-276": draw_reactions,
    "GR-277": draw_hybrid,
    "GR-278": draw_subsumption,
    "GR-279": draw_options,
    "GR-280": draw_autonomy,
    "GR-281": draw_petri,
    "GR-282": draw_glossary,
    "GR-284": draw_grasps,
}
