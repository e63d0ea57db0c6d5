"""A panel for a robot: buttons, tables and drawings in the page, as data."""

# --8<-- [start:imports]
from gelenk.runtime.panel import (
    ActionError,
    Column,
    GroundField,
    PanelAction,
    RobotPanel,
    Table,
    WorldSpheres,
)
from gelenk.runtime.panel_actions import check_values
from gelenk.runtime.scene import Showpiece, Stand

# --8<-- [end:imports]


# --8<-- [start:exhibit]
class Dropper(RobotPanel):
    """Lets a ball fall where one clicks."""

    def __init__(self, world):
        self.world, self.spot = world, (0.0, 0.0)

    def actions(self):
        place = GroundField(name="place", title="Place", low=(-1, -1), high=(1, 1))
        return (PanelAction(name="drop", title="Drop here", fields=(place,)),)

    def press(self, name, values):
        x, y = values["place"]
        if self.world.pose("ball")[2, 3] > 0.5:
            raise ActionError("the ball still falls", field="place")
        T_world_ball = self.world.pose("ball")
        T_world_ball[:3, 3] = x, y, 1.0
        self.world.place("ball", T_world_ball)
        self.spot = (x, y)
        return f"falls to x {x:.2f} m, y {y:.2f} m"

    def tables(self):
        x, y, z = self.world.pose("ball")[:3, 3]
        columns = tuple(Column(title=axis, unit="m", format=".2f") for axis in "xyz")
        return (Table(name="ball", title="Ball", columns=columns, rows=((x, y, z),)),)

    def overlays(self):
        return (WorldSpheres(name="spot", centers=[(*self.spot, 0.0)], radii=[0.1]),)


# --8<-- [end:exhibit]


# --8<-- [start:showpiece]
def make_drop(seed, settings):
    """Build the scene; what is heavy is imported here."""
    from gelenk.runtime import Run
    from gelenk.sim import Ball, Ground, World

    world = World(seed=seed)
    world.add(Ground(restitution=0.7))
    world.add(Ball(name="ball", radius=0.1, mass=0.2, position=(0, 0, 0.1)))
    run = Run(world, period=0.01, pace=1.0)
    return Stand(run=run, world=world, exhibit=Dropper(world))


SHOWPIECES = (
    Showpiece(
        name="toybot/drop",
        title="Drop",
        summary="Click where a ball is to fall.",
        group="Toybot",
        make=make_drop,
    ),
)
# --8<-- [end:showpiece]

# --8<-- [start:try]
stand = SHOWPIECES[0].make(0, {})
dropper = Dropper(stand.world)
(drop,) = dropper.actions()
print(dropper.press("drop", check_values(drop, {"place": [0.5, -0.2]})))
for place in ([0.0, 0.0], [7.0, 0.0], None):
    try:
        dropper.press("drop", check_values(drop, {"place": place}))
    except ActionError as error:
        print(f"beside {error.field!r}: {error}")
stand.world.run(0.3)
print([f"{value:.2f} m" for value in dropper.tables()[0].rows[0]])
# --8<-- [end:try]
stand.run.close()
stand.world.close()
