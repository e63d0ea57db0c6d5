"""Chapter 12 of the course: autonomous robots; notation, object templates."""

from __future__ import annotations

from gelenk.course.method import Method

_B = "gelenk.behavior."


def _behavior(*names: str) -> tuple[str, ...]:
    return tuple(_B + name for name in names)


METHODS = (
    Method(
        id="GR-275",
        title="control in a strict hierarchy",
        objects=_behavior("architectures.Hierarchy"),
        formula="act(plan(model(sense(x)))); one stage fails, all stops",
    ),
    Method(
        id="GR-276",
        title="control by direct reaction",
        objects=_behavior("architectures.choose_reaction", "architectures.Reaction"),
        formula="u = act_i(x) of the first i that has one; no plan, no model",
    ),
    Method(
        id="GR-277",
        title="plans combined with reactions",
        objects=_behavior("architectures.Hybrid"),
        formula="plan -> (behaviour, goal) ...; reflex before behaviour at every cycle",
    ),
    Method(
        id="GR-278",
        title="subsumption layers that override each other",
        objects=_behavior(
            "subsumption.Subsumption",
            "subsumption.repulsion",
            "subsumption.Wire",
            "subsumption.wander_layer",
            "subsumption.explore_layer",
        ),
        formula="F = -Σ û_i / d_i²; higher layers take wires over for a while",
    ),
    Method(
        id="GR-279",
        title="behaviours as nested state machines",
        objects=_behavior(
            "options.BehaviorEngine", "options.BehaviorOption", "options.OptionState"
        ),
        formula="each cycle: decide(state), outputs, children; new options start anew",
    ),
    Method(
        id="GR-280",
        title="operator approval by autonomy level",
        objects=_behavior(
            "state_machines.Mission",
            "state_machines.StateOutcome",
            "state_machines.Autonomy",
        ),
        formula="level >= required: at once; else the operator confirms",
    ),
    Method(
        id="GR-281",
        title="behaviours as Petri nets",
        objects=_behavior("state_machines.PetriNet", "state_machines.PetriTransition"),
        formula="M' = M - Pre + Post; deadlock: no transition may fire",
    ),
    Method(
        id="GR-282",
        title="course symbols mapped to identifiers",
        objects=("gelenk.course.glossary.look_up", "gelenk.course.glossary.Symbol"),
        formula="q̇ -> qd, ᵃT_b -> T_a_b, ...",
        erratum="E-60: g is the acceleration of gravity, a vector, no constant of "
        "nature; dx/dt = ẋ.",
    ),
    Method(
        id="GR-284",
        title="object templates with secure grasps",
        objects=(
            "gelenk.geometry.grasp.ObjectTemplate",
            "gelenk.geometry.grasp.is_force_closure",
            "gelenk.geometry.grasp.grasp_quality",
        ),
        formula="T_world_grasp = T_world_object T_object_grasp; 0 inside conv{w_ik}",
    ),
)
