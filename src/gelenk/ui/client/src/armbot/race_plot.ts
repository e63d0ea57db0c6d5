/** Residuals of the methods over their tries, both on a log scale. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { RaceEntry } from "./service";

export const COLOURS = ["--curve-2", "--curve-1", "--curve-3", "--curve-0"] as const;
export const FLOOR = 1e-9; // mm; what is smaller is rounding
const TOLERANCE = 0.1; // mm

/** Curves over common tries: x, one row per method [mm], and the tolerance. */
export function curvesOf(entries: readonly RaceEntry[]): (number | null)[][] {
  const paths = entries.map((entry) => entry.path ?? []);
  const last = Math.max(10, ...paths.flatMap((path) => path.map((point) => point[0]!)));
  const xs = new Set<number>([1, last]);
  for (const path of paths) for (const point of path) xs.add(point[0]!);
  const x = [...xs].sort((a, b) => a - b);
  const rows = paths.map((path) => {
    const at = new Map(path.map((point) => [point[0]!, Math.max(FLOOR, 1e3 * point[1]!)]));
    return x.map((tries) => at.get(tries) ?? null);
  });
  return [x, ...rows, x.map(() => TOLERANCE)];
}

/** Powers of ten in a range; every second or third one where they would be many. */
export function decades(_: unknown, __: number, low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first) / 6));
  const powers: number[] = [];
  for (let power = last; power >= first; power -= step) powers.unshift(10 ** power);
  return powers;
}

export function makeRacePlot(parent: HTMLElement, titles: readonly string[]): uPlot {
  const css = getComputedStyle(document.documentElement);
  const colour = (name: string) => css.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    // The default leaves out labels of a log scale, even among powers of ten.
    filter: (_, splits) => splits,
    font: `11px ${colour("--font")}`,
    labelFont: `11px ${colour("--font")}`,
    labelSize: 16,
  };
  const power = (value: number | null) =>
    value === null ? "" : value >= 0.01 && value <= 1e4 ? String(value) : value.toExponential(0);
  return new uPlot(
    {
      width: Math.max(120, parent.clientWidth),
      height: parent.clientHeight || 196,
      legend: { show: false },
      padding: [8, 14, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { size: 5 } },
      scales: {
        x: { time: false, distr: 3, range: (_, low, high) => [Math.min(1, low || 1), high || 10] },
        y: {
          distr: 3,
          range: (_, low, high) => [
            Math.min(1e-4, 10 ** Math.floor(Math.log10(low || 1))),
            Math.max(100, 10 ** Math.ceil(Math.log10(high || 1))),
          ],
        },
      },
      axes: [
        { ...axis, splits: decades, label: "tries of the forward kinematics", size: 22, values: (_, ticks) => ticks.map(power) },
        { ...axis, splits: decades, label: "distance [mm]", size: 44, values: (_, ticks) => ticks.map(power) },
      ],
      series: [
        {},
        ...titles.map((label, index) => ({
          label,
          stroke: colour(COLOURS[index]!),
          width: 1.8,
          spanGaps: true,
          points: { show: true, size: index === 0 ? 9 : 4, fill: colour(COLOURS[index]!) },
        })),
        {
          label: "tolerance",
          stroke: colour("--faint"),
          width: 1,
          dash: [4, 4],
          spanGaps: true,
          points: { show: false },
        },
      ],
    },
    [[1, 10], ...titles.map(() => [null, null]), [TOLERANCE, TOLERANCE]],
    parent,
  );
}
