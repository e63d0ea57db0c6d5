/** Live curves: choose, pause, zoom. */

import { effect, useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { IconButton, Menu } from "../parts/controls";
import { capital, short } from "../parts/format";
import { change, settings, theme } from "../settings";
import { store } from "../store";
import { CurveList } from "./curve_list";
import { curvesOf, firstChoice, groupByKind, labelOf, type CurveGroup } from "./curves";
import { makePlot, type Curve } from "./plot";

const SPANS: readonly number[] = [5, 10, 20, 60, 300];
const COLOURS = 8;
const FIRST_CHOICE = 4; // curves shown before a person has chosen

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Chosen curves of the scene; at first some of the first kind. */
function chosenSignals(): readonly string[] {
  const scene = store.scene.value;
  if (!scene) return [];
  const chosen = settings.value.plots[scene.name]?.filter((name) =>
    scene.signals.includes(name),
  );
  if (chosen) return chosen;
  return firstChoice(curvesOf(scene), FIRST_CHOICE);
}

function choose(signals: readonly string[]): void {
  const scene = store.scene.value;
  if (scene) change({ plots: { ...settings.value.plots, [scene.name]: signals } });
}

export function PlotsPanel() {
  const scene = store.scene.value;
  /** The range a person has frozen or zoomed to; null: moves with the run. */
  const range = useSignal<Range | null>(null);
  const chosen = chosenSignals();
  const curves = scene ? curvesOf(scene) : [];
  const groups = groupByKind(curves.filter((curve) => chosen.includes(curve.signal)));
  const height = groups.length > 2 ? 130 : groups.length > 1 ? 165 : 220;
  const freeze = () => {
    range.value = range.value ? null : movingRange();
  };
  return (
    <div class="side-fill">
      <div class="line-tools">
        <Menu icon="plot" name="Choose curves" label="Curves" look="small" side="left">
          <CurveList curves={curves} chosen={chosen} choose={choose} />
        </Menu>
        <select
          class="select"
          aria-label="Length of the plotted time"
          value={String(settings.value.plotSpan)}
          onChange={(event) => {
            range.value = null;
            change({ plotSpan: Number(event.currentTarget.value) });
          }}
        >
          {SPANS.map((span) => (
            <option key={span} value={String(span)}>
              {span} s
            </option>
          ))}
        </select>
        <span class="spring" />
        <IconButton
          icon={range.value ? "start" : "pause"}
          name={range.value ? "Let plots move on" : "Pause plots"}
          isPressed={range.value !== null}
          look="small"
          onClick={freeze}
        />
      </div>
      <div class="plots scroll">
        {chosen.length === 0 && (
          <p class="empty">
            {scene?.signals.length
              ? "Choose curves to see them here."
              : "This scene has no curves."}
          </p>
        )}
        {groups.map((group) => (
          <Plot
            key={`${scene?.number} ${group.kind} ${group.unit}`}
            group={group}
            height={height}
            range={range}
          />
        ))}
        {chosen.length > 0 && <p class="hint muted">Drag to zoom, double click to go back.</p>}
      </div>
    </div>
  );
}

function movingRange(): Range {
  const to = Math.max(store.samples.times.at(-1) ?? 0, settings.peek().plotSpan);
  return { from: to - settings.peek().plotSpan, to };
}

interface PlotProps {
  readonly group: CurveGroup;
  readonly height: number;
  readonly range: Signal<Range | null>;
}

function Plot({ group, height, range }: PlotProps) {
  const { kind, unit } = group;
  const host = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const curves: Curve[] = group.curves.map((curve, index) => ({
    place: curve.place,
    label: labelOf(curve, group.curves),
    colour: `--curve-${index % COLOURS}`,
  }));
  const key = group.curves.map((curve) => curve.signal).join("\n");
  const look = theme.value;
  useEffect(() => {
    const parent = host.current!;
    let under: number | null = null;
    const plot = makePlot({
      parent,
      curves,
      height,
      onZoom: (from, to) => (range.value = { from, to }),
      onUnzoom: () => (range.value = null),
      onCursor: (index) => {
        under = index;
        writeLegend(legend.current, plot, under);
      },
      shownTime: () =>
        store.frames.shown.peek() === "live" ? null : (store.frames.latest()?.time ?? null),
    });
    const end = effect(() => {
      void store.samples.version;
      void store.frames.shown.value;
      const { from, to } = range.value ?? movingRange();
      fill(plot, curves, from, to);
      writeLegend(legend.current, plot, under);
    });
    const observer = new ResizeObserver(() => {
      if (parent.clientWidth > 80) plot.setSize({ width: parent.clientWidth, height });
    });
    observer.observe(parent);
    return () => {
      end();
      observer.disconnect();
      plot.destroy();
    };
  }, [key, look, height]);
  return (
    <section class="plot" aria-label={`Plot of ${kind} in ${unit || "plain numbers"}`}>
      <h3 class="plot-title">
        {capital(kind)}
        <span class="unit">{unit}</span>
      </h3>
      <ul class="legend" ref={legend}>
        {curves.map((curve) => (
          <li key={curve.label}>
            <span class="swatch" style={{ background: `var(${curve.colour})` }} />
            <span class="legend-name">{curve.label}</span>
            <output class="number" />
            <span class="unit">{unit}</span>
          </li>
        ))}
      </ul>
      <div ref={host} />
    </section>
  );
}

/** Gives the picture the samples of the range, and one more on either side. */
function fill(plot: uPlot, curves: readonly Curve[], from: number, to: number): void {
  const { times, columns } = store.samples;
  const begin = Math.max(0, placeOf(times, from) - 1);
  const end = Math.min(times.length, placeOf(times, to) + 1);
  const data = curves.map(({ place }) => columns[place]?.slice(begin, end) ?? []);
  plot.batch(() => {
    plot.setData([times.slice(begin, end), ...data], true);
    plot.setScale("x", { min: from, max: to });
  });
}

function placeOf(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes the values under the mouse, or the newest ones. */
function writeLegend(list: HTMLElement | null, plot: uPlot, index: number | null): void {
  list?.querySelectorAll("output").forEach((output, place) => {
    const values = plot.data[place + 1] ?? [];
    const value = values[index ?? values.length - 1];
    output.textContent = typeof value === "number" ? short(value) : "-";
  });
}
