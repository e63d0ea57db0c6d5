/** One picture of curves with the same unit, drawn by uPlot. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Curve {
  /** Place in `Scene.signals`. */
  readonly place: number;
  readonly label: string;
  /** Name of a CSS variable. */
  readonly colour: string;
}

interface Options {
  readonly parent: HTMLElement;
  readonly curves: readonly Curve[];
  readonly height: number;
  /** A person has chosen a range of time by dragging. */
  onZoom(from: number, to: number): void;
  /** A person wants the moving range back. */
  onUnzoom(): void;
  /** Values under the mouse by curve, or null outside. */
  onCursor(index: number | null): void;
  /** Time of the moment that is looked at, or null when live [s]. */
  shownTime(): number | null;
}

/** Makes the picture; colours are read from the theme that is shown now. */
/** A time on the axis, with its unit. */
function seconds(time: number): string {
  return `${Number(time.toFixed(6))} s`;
}

export function makePlot(options: Options): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: `11px ${colour("--font")}`,
  };
  const plot = new uPlot(
    {
      width: Math.max(80, options.parent.clientWidth),
      height: options.height,
      legend: { show: false },
      padding: [8, 12, 0, 0],
      cursor: {
        sync: { key: "gelenk" },
        drag: { x: true, y: false, setScale: false },
        points: { size: 5 },
      },
      scales: { x: { time: false, auto: false }, y: { range: niceRange } },
      axes: [
        { ...axis, size: 24, gap: 4, space: 60, values: (_, ticks) => ticks.map(seconds) },
        { ...axis, size: 46, gap: 4, space: 28 },
      ],
      series: [
        {},
        ...options.curves.map((curve) => ({
          label: curve.label,
          stroke: colour(curve.colour),
          width: 1.5,
          points: { show: false },
          spanGaps: false,
        })),
      ],
      hooks: {
        setSelect: [
          (self) => {
            if (self.select.width < 4) return;
            const from = self.posToVal(self.select.left, "x");
            const to = self.posToVal(self.select.left + self.select.width, "x");
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            options.onZoom(from, to);
          },
        ],
        setCursor: [(self) => options.onCursor(self.cursor.idx ?? null)],
        draw: [(self) => drawMoment(self, options.shownTime(), colour("--text"))],
      },
    },
    [[], ...options.curves.map(() => [])],
    options.parent,
  );
  plot.over.addEventListener("dblclick", () => options.onUnzoom());
  return plot;
}

/** Some air above and below, and never a range without height. */
function niceRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [-1, 1];
  const size = high - low;
  const least = Math.max(1e-6, Math.abs(low) * 1e-3);
  const air = size < least ? Math.max(least, Math.abs(low) * 0.1, 0.01) : 0.08 * size;
  return [low - air, high + air];
}

function drawMoment(plot: uPlot, time: number | null, colour: string): void {
  if (time === null) return;
  const { left, top, width, height } = plot.bbox;
  const x = plot.valToPos(time, "x", true);
  if (x < left || x > left + width) return;
  plot.ctx.save();
  plot.ctx.strokeStyle = colour;
  plot.ctx.lineWidth = devicePixelRatio;
  plot.ctx.beginPath();
  plot.ctx.moveTo(x, top);
  plot.ctx.lineTo(x, top + height);
  plot.ctx.stroke();
  plot.ctx.restore();
}
