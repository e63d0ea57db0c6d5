/** The time line: the whole kept run with its events; drag to look at any moment. */

import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { clock, clockUnit } from "./parts/format";
import { paced } from "./parts/pace";
import type { Event } from "./protocol";
import { backToLive, controlTicks, endReplay, newestTick, scrubBy, scrubTo } from "./scrub";
import { arrowTicks } from "./shortcuts";
import { theme } from "./settings";
import { store } from "./store";

const MARGIN = 10; // px left and right of the track
const TRACK = 19; // px, its height in the picture
const NEAR = 6; // px from a mark that still means the mark
const PERIOD = 40; // ms between two pictures
const CALM = 200; // ms, while only the run goes on: each picture costs where no card helps
const LEAST = 10; // s, span of the time line of a run that has just begun

const COLOURS: Readonly<Record<string, string>> = {
  trigger: "--violet",
  impact: "--warn",
  collision: "--bad",
  grasp: "--teal",
  fault: "--bad",
  error: "--bad",
  controller: "--accent",
};

/** Name of the CSS variable with the colour of a kind of event. */
export function colourOf(what: string): string {
  return COLOURS[what] ?? "--muted";
}

interface Scale {
  readonly first: number;
  readonly last: number;
  readonly width: number;
}

function scaleOf(width: number): Scale {
  const first = store.status.value.first_tick;
  const least = LEAST / (store.scene.value?.step ?? 0.001);
  return { first, last: Math.max(newestTick(), first + least), width };
}

function xOf({ first, last, width }: Scale, tick: number): number {
  return MARGIN + ((tick - first) / (last - first)) * (width - 2 * MARGIN);
}

function tickOf({ first, last, width }: Scale, x: number): number {
  return first + ((x - MARGIN) / (width - 2 * MARGIN)) * (last - first);
}

/** A round distance between labels, so that about so many fit. */
function roundStep(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];
  return steps.find((step) => step >= raw) ?? Math.ceil(raw / 3600) * 3600;
}

function tickLabel(seconds: number): string {
  if (seconds < 60) return String(Number(seconds.toFixed(1)));
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")}`;
}

function draw(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext("2d");
  const scene = store.scene.value;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (!context || !scene || width < 50) return;
  const ratio = devicePixelRatio;
  if (
    canvas.width !== Math.round(width * ratio) ||
    canvas.height !== Math.round(height * ratio)
  ) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name);
  const scale = scaleOf(width);
  const shown = store.frames.shown.value;
  const here = shown === "live" ? newestTick() : shown;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const bar = (from: number, to: number, name: string) => {
    context.fillStyle = colour(name);
    context.beginPath();
    context.roundRect(from, TRACK, Math.max(0, to - from), 5, 2.5);
    context.fill();
  };
  bar(MARGIN, width - MARGIN, "--line");
  bar(MARGIN, xOf(scale, newestTick()), "--line-strong");
  bar(MARGIN, xOf(scale, here), "--accent");
  drawLabels(context, scale, scene.step, colour("--faint"), style.fontFamily);
  drawMarks(context, scale, colour);
  context.fillStyle = colour("--text");
  context.beginPath();
  context.roundRect(xOf(scale, here) - 1.5, TRACK - 6, 3, 17, 1.5);
  context.fill();
}

function drawLabels(
  context: CanvasRenderingContext2D,
  scale: Scale,
  step: number,
  colour: string,
  font: string,
): void {
  const span = (scale.last - scale.first) * step;
  const distance = roundStep(span, scale.width / 80);
  context.fillStyle = colour;
  context.font = `10.5px ${font}`;
  context.textAlign = "center";
  const begin = Math.ceil((scale.first * step) / distance - 1e-9) * distance;
  for (let time = begin; time <= scale.last * step + 1e-9; time += distance) {
    const x = xOf(scale, time / step);
    context.fillRect(x - 0.5, TRACK + 7, 1, 3);
    const text = tickLabel(time) + (time < 60 ? " s" : "");
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.max(half + 1, Math.min(scale.width - half - 1, x)), TRACK + 20);
  }
}

function drawMarks(
  context: CanvasRenderingContext2D,
  scale: Scale,
  colour: (name: string) => string,
): void {
  // Marks that fall on the same pixel and have the same colour are drawn once.
  const done = new Set<string>();
  for (const event of store.events.items) {
    if (event.tick < scale.first) continue;
    const x = Math.round(xOf(scale, event.tick));
    const name = colourOf(event.what);
    if (done.has(`${x}${name}`)) continue;
    done.add(`${x}${name}`);
    context.fillStyle = colour(name);
    context.beginPath();
    context.arc(x, 9, name === "--bad" ? 4 : 3, 0, 7);
    context.fill();
  }
}

function eventNear(scale: Scale, x: number): Event | null {
  let best: Event | null = null;
  let distance = NEAR;
  for (const event of store.events.items) {
    const away = Math.abs(xOf(scale, event.tick) - x);
    if (event.tick >= scale.first && away <= distance) {
      best = event;
      distance = away;
    }
  }
  return best;
}

export function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<{ x: number; text: string } | null>(null);
  useRedraw(canvas);
  const status = store.status.value;
  const shown = store.frames.shown.value;
  const step = store.scene.value?.step ?? 0;
  const tick = shown === "live" ? status.tick : shown;
  const place = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
  };
  const moveTo = (event: PointerEvent, mayHitMark: boolean) => {
    const { x, y, width } = place(event);
    const mark = mayHitMark && y < TRACK - 2 ? eventNear(scaleOf(width), x) : null;
    const target = mark?.tick ?? tickOf(scaleOf(width), x);
    endReplay();
    scrubTo(target);
  };
  return (
    <div
      class="timeline"
      role="slider"
      tabIndex={0}
      aria-label="Time line"
      aria-valuemin={status.first_tick}
      aria-valuemax={newestTick()}
      aria-valuenow={tick}
      aria-valuetext={`${(tick * step).toFixed(2)} s${shown === "live" ? ", live" : ""}`}
      onPointerDown={(event) => {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        moveTo(event, true);
      }}
      onPointerMove={(event) => {
        const { x, width } = place(event);
        if (event.buttons & 1) moveTo(event, false);
        const scale = scaleOf(width);
        const mark = eventNear(scale, x);
        const time =
          (mark?.tick ?? Math.min(newestTick(), Math.max(scale.first, tickOf(scale, x)))) *
          step;
        setHover({
          x,
          text: `${clock(time)} ${clockUnit(time)}${mark ? `  ${mark.text}` : ""}`,
        });
      }}
      onPointerLeave={() => setHover(null)}
      onKeyDown={onKey}
    >
      <canvas ref={canvas} />
      {hover && (
        <span
          class={`timeline-hint ${hover.x > (canvas.current?.clientWidth ?? 0) / 2 ? "left" : ""}`}
          style={{ left: `${hover.x}px` }}
        >
          {hover.text}
        </span>
      )}
    </div>
  );
}

function onKey(event: KeyboardEvent): void {
  const second = Math.round(1 / (store.scene.value?.step ?? 0.001));
  const moves: Record<string, () => void> = {
    ArrowLeft: () => scrubBy(-arrowTicks(event)),
    ArrowDown: () => scrubBy(-arrowTicks(event)),
    ArrowRight: () => scrubBy(arrowTicks(event)),
    ArrowUp: () => scrubBy(arrowTicks(event)),
    PageDown: () => scrubBy(-Math.max(second, controlTicks())),
    PageUp: () => scrubBy(Math.max(second, controlTicks())),
    Home: () => scrubTo(store.status.value.first_tick),
    End: backToLive,
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  move();
}

/** Draws when a frame, an event, the theme or the size changed; not more often than helps. */
function useRedraw(canvas: { readonly current: HTMLCanvasElement | null }): void {
  useEffect(() => {
    const redraw = paced(() => canvas.current && draw(canvas.current), PERIOD);
    const ask = redraw.ask;
    const calm = paced(ask, CALM);
    const endFrames = store.frames.onFrame(calm.ask);
    const endEffect = effect(() => {
      void store.status.value;
      void store.frames.shown.value;
      void store.events.version;
      void theme.value;
      ask();
    });
    const observer = new ResizeObserver(ask);
    observer.observe(canvas.current!);
    return () => {
      endFrames();
      calm.end();
      endEffect();
      observer.disconnect();
      redraw.end();
    };
  }, []);
}
