/** Which curves there are: by robot and by kind. */

import { prettyUnit, splitUnit } from "../parts/format";
import type { Scene } from "../protocol";

export interface CurveInfo {
  /** Its name in `Scene.signals`, by which it is chosen. */
  readonly signal: string;
  /** Its place there. */
  readonly place: number;
  readonly robot: string;
  readonly part: string;
  readonly kind: string;
  readonly unit: string;
}

/** Curves of one kind and unit of one robot. */
export interface CurveGroup {
  readonly kind: string;
  readonly unit: string;
  readonly curves: readonly CurveInfo[];
}

export function curvesOf(scene: Scene): CurveInfo[] {
  return scene.signals.map((signal, place) => {
    const curve = scene.curves[place];
    if (!curve) {
      const { name, unit } = splitUnit(signal);
      return { signal, place, robot: "", part: "", kind: name, unit };
    }
    const { robot, part, kind } = curve;
    return { signal, place, robot, part, kind, unit: prettyUnit(curve.unit) };
  });
}

/** Curves in groups of one kind and unit, in the order in which they come. */
export function groupByKind(curves: readonly CurveInfo[]): CurveGroup[] {
  const groups = new Map<string, CurveInfo[]>();
  for (const curve of curves) {
    const key = `${curve.kind} ${curve.unit}`;
    const known = groups.get(key);
    if (known) known.push(curve);
    else groups.set(key, [curve]);
  }
  return [...groups.values()].map((own) => ({
    kind: own[0]!.kind,
    unit: own[0]!.unit,
    curves: own,
  }));
}

/** Robots that have curves; the scene itself, "", comes last. */
export function robotsOf(curves: readonly CurveInfo[]): string[] {
  const robots = [...new Set(curves.map((curve) => curve.robot))];
  return [...robots.filter((robot) => robot), ...robots.filter((robot) => !robot)];
}

/** Whether a curve has all words of a filter in its name. */
export function passes(curve: CurveInfo, filter: string): boolean {
  const text = curve.signal.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * What is shown before a person has chosen: some of the first kind. Without robots, what the
 * scene itself shows says more than the energy of its world.
 */
export function firstChoice(curves: readonly CurveInfo[], count: number): string[] {
  const own = curves.slice(1);
  if (curves[0]?.robot === "" && curves[0].kind === "energy" && own.length)
    return own
      .filter((curve) => curve.unit === own[0]!.unit)
      .slice(0, count)
      .map((curve) => curve.signal);
  return (groupByKind(curves)[0]?.curves ?? [])
    .filter((curve) => curve.robot === curves[0]!.robot)
    .slice(0, count)
    .map((curve) => curve.signal);
}

/** A short name among others: without the robot, if all are of one. */
export function labelOf(curve: CurveInfo, among: readonly CurveInfo[]): string {
  const isAlone = among.every((other) => other.robot === curve.robot);
  const words = [isAlone ? "" : curve.robot, curve.part].filter((word) => word);
  return words.join("/") || curve.kind;
}
