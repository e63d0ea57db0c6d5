"""AMEE: one leg alone, a walk on which something breaks, a path."""

# --8<-- [start:imports]
from gelenk.robots.amee.command import make_cfg, walk, walk_document
from gelenk.robots.amee.fault_plan import read_plan
from gelenk.robots.amee.gaits.path import SplinePath
from gelenk.robots.amee.gaits.walking import walk_path
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.session import Session, WalkCfg
from gelenk.robots.amee.wire import Command, Report, format_words

# --8<-- [end:imports]

# --8<-- [start:leg]
bench = Bench()  # one leg with its computers on a stand, without a world
bench.run(0.1)  # its converter settles
bench.command(Command.MOVE_POINT, 0.10, -0.45, 0.05)  # [m], from the hip
bench.run_until(Report.READY)
bench.command(Command.DO_STEP, 0.06, -0.60, 0.0, -0.06, -0.60, 0.0)
bench.run_until(Report.SYNC)  # it waits in the air for the others
print([format_words(message) for _, message in bench.messages])
print(bench.computer.states()["step"], f"{1e3 * bench.foot()[0]:.0f} mm ahead")
# --8<-- [end:leg]

# --8<-- [start:walk]
faults = read_plan("sensor-wire:rear-right:C@1.5")
walked = walk(make_cfg(gait="save", terrain="rubble:5cm", seed=3, faults=faults))
document = walk_document(walked)
print(document["outcome"], "because of", document["reason"])
print(
    "fell:", document["fell"], " always in the safe state:", document["unsafe_s"] == 0
)
# --8<-- [end:walk]

# --8<-- [start:path]
path = SplinePath([(0.0, 0.0), (1.5, 0.2), (2.5, 1.2)])
session = Session(WalkCfg(), plan=lambda walker: walk_path(walker, "save", path))
while session.world.time < 1.2:  # `session.run()` would go to the end
    session.tick()
print(f"{path.length:.2f} m; leg 4 stands: {session.desk.legs[3].stands}")
session.close()
# --8<-- [end:path]
