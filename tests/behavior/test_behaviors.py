"""Architectures, layers, options, missions, nets: knock-outs, traces, other solvers."""

import math

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from gelenk.behavior.architectures import (
    Hierarchy,
    Hybrid,
    Reaction,
    StageFailedError,
    choose_reaction,
)
from gelenk.behavior.options import BehaviorEngine, BehaviorOption, OptionState
from gelenk.behavior.rover import (
    DynamicRover,
    KinematicRover,
    RoverState,
    SonarRing,
    drive_rover,
)
from gelenk.behavior.state_machines import (
    Autonomy,
    Mission,
    PetriNet,
    PetriTransition,
    StateOutcome,
    Task,
)
from gelenk.behavior.subsumption import (
    Layer,
    Subsumption,
    Wire,
    explore_layer,
    repulsion,
    wander_layer,
)
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.planning.grid import grid_path
from gelenk.planning.world import PolygonWorld

ROOM = PolygonWorld([[[3, 2], [5, 2], [5, 4], [3, 4]]], [0, 0], [8, 6])
SONAR = SonarRing(count=16, max_range=3.0)


@pytest.mark.capability("GR-266")
def test_one_program_runs_on_both_rovers_and_only_details_differ():
    """Same program and scenario; the oracle of the dynamic one is scipy's integrator."""

    def go_to(goal):
        def decide(ranges, state):
            d = goal - state.pose[:2]
            turn = math.atan2(d[1], d[0]) - state.pose[2]
            turn = math.atan2(math.sin(turn), math.cos(turn))
            return (0.4 * max(math.cos(turn), 0.0) if math.hypot(*d) > 0.1 else 0.0,
                    1.5 * turn if math.hypot(*d) > 0.1 else 0.0)  # fmt: skip

        return decide

    goal = np.array([7.0, 1.0])
    runs = {
        model: drive_rover(ROOM, go_to(goal), [1, 1, 1.0], model=model, steps=250)
        for model in (KinematicRover(), DynamicRover())
    }
    ends = [run.pose[-1, :2] for run in runs.values()]
    assert all(np.linalg.norm(end - goal) < 0.25 for end in ends)
    kinematic, dynamic = runs.values()
    early = np.linalg.norm(np.diff(kinematic.pose[:6, :2], axis=0), axis=1)
    late = np.linalg.norm(np.diff(dynamic.pose[:6, :2], axis=0), axis=1)
    assert late[0] < 0.5 * early[1]  # the dynamic one has to gather speed

    model = DynamicRover()
    state = RoverState(pose=np.zeros(3))
    for _ in range(20):
        state = model.step(state, (0.5, 0.3), 0.05)

    def flow(t, x):
        force = np.clip(60.0 * (0.5 - x[3]), -20, 20) - x[3]
        torque = np.clip(5.0 * (0.3 - x[4]), -2, 2)
        return [
            x[3] * np.cos(x[2]),
            x[3] * np.sin(x[2]),
            x[4],
            force / 10,
            torque / 0.5,
        ]

    exact = solve_ivp(flow, (0, 1), np.zeros(5), rtol=1e-9, atol=1e-10).y[:, -1]
    assert_allclose([*state.pose, state.speed, state.rate], exact, atol=5e-3)


@pytest.mark.capability("GR-275")
def test_a_hierarchy_thinks_first_and_stops_when_one_stage_fails():
    seen = []
    stages = {
        "sense": lambda x: seen.append("sense") or {"range": x},
        "model": lambda x: seen.append("model") or {**x, "free": x["range"] > 1.0},
        "plan": lambda x: seen.append("plan") or ("go" if x["free"] else "turn"),
        "act": lambda x: (
            seen.append("act") or {"go": (0.4, 0.0), "turn": (0.0, 1.0)}[x]
        ),
    }
    robot = Hierarchy(stages=stages)
    assert robot.step(2.0) == (0.4, 0.0)
    assert robot.step(0.5) == (0.0, 1.0)
    assert seen == ["sense", "model", "plan", "act"] * 2
    broken = Hierarchy(stages={**stages, "model": lambda x: 1 / 0})
    with pytest.raises(
        StageFailedError, match=r"'model' failed.*not reached: plan, act"
    ):
        broken.step(2.0)


@pytest.mark.capability("GR-276")
def test_reactions_answer_within_one_cycle_and_survive_a_lost_module():
    def flee(ranges):
        return (-0.2, 0.0) if ranges.min() < 0.5 else None

    reactions = [
        Reaction(name="flee", act=flee),
        Reaction(name="map", act=lambda ranges: 1 / 0),
        Reaction(name="roam", act=lambda ranges: (0.4, 0.1)),
    ]
    far, near = np.full(4, 2.0), np.array([2.0, 0.3, 2.0, 2.0])
    before, after = (choose_reaction(reactions, r, (0.0, 0.0)) for r in (far, near))
    assert (before.chosen, after.chosen) == ("roam", "flee")
    assert after.command == (-0.2, 0.0)  # the very cycle in which it came near
    assert before.failed == after.failed == ("map",)
    assert choose_reaction(reactions[:2], far, (0.0, 0.0)).command == (0.0, 0.0)


@pytest.mark.capability("GR-277")
def test_plan_and_behaviours_reach_the_goal_among_moving_obstacles():
    """A plan around the block, behaviours that follow it, a reflex for visitors."""
    cells = np.ones((16, 12), dtype=bool)
    centers = 0.5 * (np.moveaxis(np.indices(cells.shape), 0, -1) + 0.5)
    cells &= ROOM.clearance(centers) > 0.35

    def plan(model):
        start, goal = (tuple(np.floor(np.array(p) / 0.5).astype(int)) for p in model)
        path, _ = grid_path(cells, start, goal)
        return [("go", centers[i, j]) for i, j in path[1:]]

    def go(goal, sensors):
        pose, _ = sensors
        d = goal - pose[:2]
        turn = math.atan2(d[1], d[0]) - pose[2]
        turn = math.atan2(math.sin(turn), math.cos(turn))
        return (0.5 * max(math.cos(turn), 0), 2.0 * turn), math.hypot(*d) < 0.2

    def wait(sensors):
        pose, visitor = sensors
        return (0.0, 0.0) if np.linalg.norm(visitor - pose[:2]) < 0.7 else None

    def ride(reflexes):
        robot = Hybrid(plan=plan, behaviors={"go": go}, reflexes=reflexes)
        state, nearest, rover = (
            RoverState(pose=np.array([1.0, 3.0, 0])),
            9.0,
            KinematicRover(),
        )
        for k in range(400):
            visitor = np.array([4.0, 0.2 + (0.08 * k) % 5.6])  # crosses again and again
            command = robot.step(
                (state.pose, visitor), model=(state.pose[:2], (7.2, 3.2))
            )
            if command is None:
                break
            state = rover.step(state, command, 0.1)
            nearest = min(nearest, np.linalg.norm(visitor - state.pose[:2]))
            assert ROOM.clearance(state.pose[:2]) > 0.1
        return robot, state, nearest

    robot, state, careful = ride([Reaction(name="wait", act=wait)])
    assert robot.is_done
    assert np.linalg.norm(state.pose[:2] - [7.25, 3.25]) < 0.3
    with pytest.raises(NameNotFoundError, match="fly"):
        Hybrid(plan=lambda m: [("fly", 1)], behaviors={"go": go}).step(None, model=None)
    assert careful > 0.2
    wary = Hybrid(
        plan=lambda m: [("go", 1.0)],
        behaviors={"go": lambda goal, s: ("ahead", False)},
        reflexes=[Reaction(name="wait", act=lambda s: "stop" if s else None)],
    )
    assert [wary.step(s, model=None) for s in (0, 1, 0)] == ["ahead", "stop", "ahead"]


def _rover(layers):
    return Subsumption(bearings=SONAR.bearings, layers=layers, force_scale=1.5)


def _lived(robot, steps=500, start=(1.2, 1.0, 0.3)):
    clock = iter(np.arange(steps + 1) * 0.1)
    return drive_rover(
        ROOM, lambda r, s: robot.step(r, float(next(clock))), start,
        sonar=SONAR, steps=steps,
    )  # fmt: skip


@pytest.mark.capability("GR-278")
def test_the_published_force_and_wires_that_are_taken_over_for_a_while():
    assert_allclose(repulsion([0, np.pi / 2], [1.0, 2.0]), (-1, -0.25), atol=1e-12)
    wire = Wire()
    wire.send("low", now=0.0)
    wire.inhibit(now=0.0, duration=0.5)
    assert wire.read(now=0.4) is None
    assert wire.read(now=0.6) == "low"
    with pytest.raises(ConfigError, match="levels"):
        _rover([Layer(level=0, name="x", decide=lambda r, t: 0.0)])


@pytest.mark.capability("GR-278")
def test_without_its_upper_layers_the_rover_still_wanders_and_still_avoids():
    layers = [wander_layer(np.random.default_rng(0)), explore_layer(SONAR.bearings)]
    whole = _rover(layers)

    def cells(run):
        return len({tuple(c) for c in np.floor(run.pose[:, :2]).astype(int)})

    full, wandering = _lived(whole), _lived(whole.without(2))
    assert min(full.clearance.min(), wandering.clearance.min()) > 0.05
    assert cells(full) >= 10
    assert cells(wandering) >= 5
    # Layer 0 alone: quiet in the open, driven off by what comes near.
    alone = whole.without(2).without(1)
    assert _lived(alone, 50, (2.0, 5.0, 0.0)).clearance.min() > 0.05
    assert alone.step(np.full(16, 3.0), 100.0) == (0.0, 0.0)
    ranges = np.full(16, 3.0)
    ranges[8] = 0.5  # from behind
    v, _ = alone.step(ranges, 101.0)
    assert v > 0.1
    ranges = np.full(16, 3.0)
    ranges[0] = 0.3  # straight ahead
    assert alone.step(ranges, 102.0)[0] == 0.0


@pytest.mark.capability("GR-278")
def test_each_layer_holds_the_line_for_its_own_time():
    spoken: dict[int, float | None] = {1: None, 2: None}
    layers = [
        Layer(level=k, name=f"{k}", decide=lambda r, t, k=k: spoken[k], hold=hold)
        for k, hold in ((1, 0.1), (2, 0.5))
    ]
    free = np.full(16, 30.0)
    robot = _rover(layers).without(0)  # wishes arrive as they are
    assert robot.step(free, 0.0) == (0.0, 0.0)
    spoken[1], spoken[2] = -0.2, 0.3
    assert robot.step(free, 1.0)[1] == pytest.approx(0.6)
    spoken[2] = None
    # Layer 1 speaks on, but its line stays suppressed until 0.5 s have passed.
    assert robot.step(free, 1.4)[1] == pytest.approx(0.6)
    assert robot.step(free, 1.55)[1] == pytest.approx(-0.4)
    spoken[1] = None
    assert robot.step(free, 1.6)[1] == pytest.approx(-0.4)
    assert robot.step(free, 1.7) == (0.0, 0.0)


@pytest.mark.capability("GR-278")
def test_collide_keeps_its_side_and_without_layer_0_nothing_stops_the_rover():
    ahead = Layer(level=1, name="ahead", decide=lambda r, t: 0.0)
    robot = Subsumption(bearings=SONAR.bearings, layers=[ahead], force_scale=50.0,
                        turn_hold=1.0)  # fmt: skip
    left, right = np.full(16, 3.0), np.full(16, 3.0)
    left[[0, 1]], right[[0, 15]] = 0.3, 0.3
    assert robot.step(left, 0.0) == (0.0, -1.0)
    assert robot.step(right, 0.1) == (0.0, -1.0)  # its mind is made up
    assert robot.step(right, 2.0) == (0.0, 1.0)
    assert robot.without(0).step(left, 0.0) == (0.4, 0.0)


@pytest.mark.capability("GR-278")
def test_a_layer_that_raises_is_left_out_and_the_rest_goes_on():
    broken = Layer(level=2, name="explore", decide=lambda r, t: 1 / 0)
    robot = _rover([wander_layer(np.random.default_rng(1)), broken])
    run = _lived(robot, 100)
    assert robot.failed == {"explore"}
    assert np.linalg.norm(np.diff(run.pose[:, :2], axis=0), axis=1).sum() > 1.0


def _soccer():
    options = {
        "play": BehaviorOption(
            initial="search",
            states={
                "search": OptionState(
                    children=("find",),
                    decide=lambda s: "attack" if s.inputs["seen"] else None,
                ),
                "attack": OptionState(
                    children=("approach",),
                    decide=lambda s: (
                        "search" if not s.inputs["seen"]
                        else "done" if s.children_done else None
                    ),
                ),
                "done": OptionState(children=("stand",), is_target=True),
            },
        ),
        "find": BehaviorOption(
            initial="left",
            states={
                "left": OptionState(
                    children=("turn",), outputs={"rate": 1.0},
                    decide=lambda s: "right" if s.time_in_state >= 0.3 else None,
                ),
                "right": OptionState(children=("turn",), outputs={"rate": -1.0}),
            },
        ),
        "approach": BehaviorOption(
            initial="walk",
            states={
                "walk": OptionState(
                    children=("step",),
                    decide=lambda s: "kick" if s.inputs["distance"] < 0.2 else None,
                ),
                "kick": OptionState(children=("swing",), is_target=True),
            },
        ),
    }  # fmt: skip
    basics = {
        "turn": lambda inputs: {"head": "scan"},
        "step": lambda inputs: {"speed": min(inputs["distance"], 0.5)},
        "swing": lambda inputs: {"kick": True},
        "stand": lambda inputs: {"speed": 0.0},
    }
    return BehaviorEngine("play", options, basics)


@pytest.mark.capability("GR-279")
def test_the_activation_path_is_the_one_written_down_by_hand():
    agent = _soccer()
    sights = [(0, 9)] * 5 + [(1, 0.6), (1, 0.1), (1, 0.1), (1, 0.1)]
    trace = [
        str(agent.step({"seen": bool(s), "distance": d}, now=0.1 * k))
        for k, (s, d) in enumerate(sights)
    ]
    assert trace == [
        "play:search > find:left > turn",
        "play:search > find:left > turn",
        "play:search > find:left > turn",
        "play:search > find:right > turn",
        "play:search > find:right > turn",
        "play:attack > approach:walk > step",
        "play:attack > approach:kick > swing",
        "play:done > stand",
        "play:done > stand",
    ]


@pytest.mark.capability("GR-279")
def test_an_option_that_was_left_starts_anew_and_outputs_are_of_the_present_state():
    agent = _soccer()
    for k in range(5):
        cycle = agent.step({"seen": False, "distance": 9}, now=0.1 * k)
    assert cycle.outputs == {"rate": -1.0, "head": "scan"}
    assert agent.step({"seen": True, "distance": 3}, now=0.5).outputs == {"speed": 0.5}
    again = agent.step({"seen": False, "distance": 9}, now=0.6)
    assert str(again) == "play:search > find:left > turn"
    graph = nx.DiGraph(agent.graph())
    assert nx.is_directed_acyclic_graph(graph)
    loop = {
        "a": BehaviorOption(initial="s", states={"s": OptionState(children=("a",))})
    }
    with pytest.raises(ConfigError, match="a > a"):
        BehaviorEngine("a", loop, {})
    with pytest.raises(NameNotFoundError, match="nobody"):
        BehaviorEngine(
            "a",
            {
                "a": BehaviorOption(
                    initial="s", states={"s": OptionState(children=("nobody",))}
                )
            },
            {},
        )


def _mission(level):
    tasks = {
        "approach": Task(
            run=lambda w: "arrived" if w["near"] else None,
            outcomes={"arrived": StateOutcome(target="open", required=Autonomy.LOW)},
        ),
        "open": Task(
            run=lambda w: "turned",
            outcomes={
                "turned": StateOutcome(target="done", required=Autonomy.HIGH),
                "failed": StateOutcome(target="approach"),
            },
        ),
        "done": Task(),
    }
    return Mission(tasks, "approach", level=level)


@pytest.mark.capability("GR-280")
def test_what_needs_a_higher_level_waits_for_the_operator():
    near = {"near": True}
    mission = _mission(Autonomy.LOW)
    assert mission.step({"near": False}).state == "approach"
    assert mission.step(near).state == "open"  # low is enough
    for _ in range(3):
        report = mission.step(near)
        assert (report.state, report.waiting) == ("open", "turned")
        assert report.required is Autonomy.HIGH
    mission.confirm()
    assert mission.step(near).is_done
    assert mission.history == [
        ("approach", "arrived", False),
        ("open", "turned", True),
    ]


@pytest.mark.capability("GR-280")
def test_a_raised_level_releases_it_and_the_operator_may_refuse_or_force():
    near = {"near": True}
    raised = _mission(Autonomy.LOW)
    raised.step(near)
    assert raised.step(near).waiting == "turned"
    raised.level = Autonomy.HIGH
    assert raised.step(near).state == "done"
    forced = _mission(Autonomy.LOW)
    forced.step(near)
    forced.step(near)
    forced.reject()
    forced.force("failed")
    assert forced.state == "approach"
    with pytest.raises(NameNotFoundError, match="explode"):
        forced.force("explode")
    idle = _mission(Autonomy.OFF)
    idle.confirm()  # nothing waits: nothing is allowed in advance
    assert idle.step(near).waiting == "arrived"


def _arms(safe):
    """Two arms that each need both tools, taken one by one, or both at once."""
    transitions = {}
    for arm, (first, second) in {"a": ("saw", "drill"), "b": ("drill", "saw")}.items():
        if safe:
            first, second = "saw", "drill"
        transitions |= {
            f"{arm} takes": PetriTransition(
                takes={first: 1}, gives={f"{arm} has one": 1}
            ),
            f"{arm} works": PetriTransition(
                takes={f"{arm} has one": 1, second: 1}, gives={first: 1, second: 1}
            ),
        }
    places = ("saw", "drill", "a has one", "b has one")
    return PetriNet(places=places, transitions=transitions)


@pytest.mark.capability("GR-281")
def test_tokens_follow_the_state_equation_and_deadlocks_are_found():
    start = {"saw": 1, "drill": 1}
    risky, safe = _arms(False), _arms(True)
    assert risky.deadlocks(start) == [
        {"saw": 0, "drill": 0, "a has one": 1, "b has one": 1}
    ]
    assert safe.deadlocks(start) == []
    # Second way: M' = M + C n for any firing sequence.
    rng, marking = np.random.default_rng(2), safe.full(start)
    counts = np.zeros(len(safe.transitions), dtype=int)
    for _ in range(50):
        name = str(rng.choice(safe.enabled(marking)))
        counts[list(safe.transitions).index(name)] += 1
        marking = safe.fire(marking, name)
    first = np.array([1, 1, 0, 0])
    assert_allclose(list(marking.values()), first + safe.incidence() @ counts)
    # And networkx: dead ends of the graph of markings.
    graph = nx.DiGraph(
        [(a, b) for a, ways in risky.reachable(start).items() for b in ways.values()]
    )
    assert [node for node in graph if graph.out_degree(node) == 0] == [(0, 0, 1, 1)]
    with pytest.raises(ConfigError, match="may not fire"):
        risky.fire(start, "a works")
    grows = PetriNet(
        places=("p",), transitions={"t": PetriTransition(takes={}, gives={"p": 1})}
    )
    with pytest.raises(ConfigError, match="unbounded"):
        grows.reachable({}, most=50)
