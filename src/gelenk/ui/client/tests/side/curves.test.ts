import assert from "node:assert/strict";
import { test } from "node:test";
import type { Curve } from "../../src/protocol";
import { curvesOf, firstChoice, groupByKind, labelOf, passes, robotsOf } from "../../src/side/curves";
import { scene } from "../view/samples";

const KINDS = [["angle", "rad"], ["torque", "N*m"], ["control error", "rad"]] as const;

function ten(): ReturnType<typeof curvesOf> {
  const curves: Curve[] = [];
  for (let robot = 0; robot < 10; robot += 1)
    for (const [kind, unit] of KINDS)
      for (const part of ["hip", "knee"]) curves.push({ robot: `robot${robot}`, part, kind, unit });
  curves.push({ robot: "", part: "belt", kind: "belt speed", unit: "m/s" });
  const signals = curves.map((c) => `${c.robot}/${c.part} ${c.kind} [${c.unit}]`);
  return curvesOf(scene({ signals: [...signals, "residual [px]"], curves }));
}

test("curves of one kind and unit share a picture; angles and errors do not", () => {
  const groups = groupByKind(ten());
  assert.deepEqual(
    groups.map(({ kind, unit, curves }) => [kind, unit, curves.length]),
    [
      ["angle", "rad", 20],
      ["torque", "N·m", 20],
      ["control error", "rad", 20],
      ["belt speed", "m/s", 1],
      ["residual", "px", 1],
    ],
  );
});

test("robots come in their order and the scene last", () => {
  const robots = robotsOf(ten());
  assert.equal(robots.length, 11);
  assert.equal(robots[0], "robot0");
  assert.equal(robots.at(-1), "");
});

test("all words of a filter must be in the name", () => {
  const found = ten().filter((curve) => passes(curve, "robot3  torque"));
  assert.deepEqual(found.map((curve) => curve.part), ["hip", "knee"]);
  assert.equal(ten().filter((curve) => passes(curve, " ")).length, 62);
});

test("at first some curves of the first robot are shown", () => {
  assert.deepEqual(firstChoice(ten(), 4), ["robot0/hip angle [rad]", "robot0/knee angle [rad]"]);
  assert.deepEqual(firstChoice([], 4), []);
});

test("a label names the robot only where there are several", () => {
  const [one, , , , , , other] = ten();
  assert.equal(labelOf(one!, [one!]), "hip");
  assert.equal(labelOf(one!, [one!, other!]), "robot0/hip");
  const residual = ten().at(-1)!;
  assert.equal(labelOf(residual, [residual]), "residual");
});
