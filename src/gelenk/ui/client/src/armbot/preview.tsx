/** A small picture of arms that can be turned; needs no graphics card. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ballAround, rodsOf, seen, type Look, type Point, type Rod } from "./rods";
import type { ArmBody, Pose } from "./service";

/** An arm in the picture. */
export interface Ghost {
  readonly poses: readonly Pose[];
  /** A CSS colour. */
  readonly colour: string;
  readonly opacity?: number;
  /** Body that is marked, by index. */
  readonly marked?: number | null;
}

/** A way through space. */
export interface Trail {
  readonly points: readonly Point[];
  readonly colour: string;
}

interface Props {
  readonly name: string;
  readonly bodies: readonly ArmBody[];
  readonly ghosts: readonly Ghost[];
  readonly trails?: readonly Trail[];
  readonly target?: Point | null;
  readonly height?: number;
}

const START: Look = { azimuth: -0.95, elevation: 0.42 };
const GRID = 0.25; // m
const WIDTH = 480;

export function Preview({ name, bodies, ghosts, trails = [], target, height = 230 }: Props) {
  const [look, setLook] = useState(START);
  const drag = useRef<{ x: number; y: number; look: Look } | null>(null);
  const arms = useMemo(
    () => ghosts.map((ghost) => ({ ghost, rods: rodsOf(bodies, ghost.poses) })),
    [bodies, ghosts],
  );
  // Grows with what is shown and shrinks only with another arm: nothing jumps.
  const ball = useRef({ bodies, middle: [0, 0, 0.2] as Point, radius: 0 });
  const wanted = ballAround(arms.flatMap(({ rods }) => rods));
  if (ball.current.bodies.length !== bodies.length || wanted.radius > 1.02 * ball.current.radius)
    ball.current = { bodies, ...wanted };
  const { middle, radius } = ball.current;
  const scale = (0.5 * height - 8) / (0.82 * Math.max(radius, 0.05));
  const place = (point: readonly number[]): Point => {
    const [x, y, z] = seen(look, [0, 1, 2].map((k) => point[k]! - middle[k]!));
    return [0.5 * WIDTH + scale * x, 0.5 * height - scale * y, z];
  };
  const turn = (x: number, y: number, from: Look) =>
    setLook({
      azimuth: from.azimuth - 0.01 * x,
      elevation: Math.max(-0.2, Math.min(1.5, from.elevation + 0.01 * y)),
    });
  const keys: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-12, 0],
    ArrowRight: [12, 0],
    ArrowUp: [0, 12],
    ArrowDown: [0, -12],
  };
  useEffect(() => setLook(START), [name]);
  return (
    <svg
      class="arm-preview"
      role="img"
      tabIndex={0}
      aria-label={`${name}; drag to turn it`}
      viewBox={`0 0 ${WIDTH} ${height}`}
      style={{ height: `${height}px` }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY, look };
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (from) turn(event.clientX - from.x, event.clientY - from.y, from.look);
      }}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onDblClick={() => setLook(START)}
      onKeyDown={(event) => {
        const step = keys[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        turn(step[0], step[1], look);
      }}
    >
      <Floor place={place} middle={middle} radius={radius} />
      {arms.map(({ ghost, rods }, index) => (
        <Arm key={index} ghost={ghost} rods={rods} place={place} scale={scale} />
      ))}
      {trails.map((trail, index) => (
        <polyline
          key={index}
          class="arm-trail"
          stroke={trail.colour}
          points={trail.points.map((point) => place(point).slice(0, 2).join(",")).join(" ")}
        />
      ))}
      {target && <Cross at={place(target)} foot={place([target[0], target[1], 0])} />}
    </svg>
  );
}

interface Drawing {
  place(point: readonly number[]): Point;
}

function Floor({ place, middle, radius }: Drawing & { middle: Point; radius: number }) {
  const count = Math.min(8, Math.ceil((1.1 * radius) / GRID));
  const [x0, y0] = [0, 1].map((k) => GRID * Math.round(middle[k]! / GRID));
  const size = count * GRID;
  const lines: (readonly [Point, Point])[] = [];
  for (let i = -count; i <= count; i += 1) {
    const shift = i * GRID;
    lines.push([place([x0! + shift, y0! - size, 0]), place([x0! + shift, y0! + size, 0])]);
    lines.push([place([x0! - size, y0! + shift, 0]), place([x0! + size, y0! + shift, 0])]);
  }
  return (
    <g class="arm-floor">
      {lines.map(([a, b], index) => (
        <line key={index} x1={a[0]} y1={a[1]} x2={b[0]} y2={b[1]} />
      ))}
    </g>
  );
}

function Arm({ ghost, rods, place, scale }: Drawing & { ghost: Ghost; rods: readonly Rod[]; scale: number }) {
  const drawn = rods.map((rod) => {
    const [a, b] = [place(rod.from), place(rod.to)];
    return { rod, a, b, depth: a[2] + b[2] };
  });
  drawn.sort((one, other) => one.depth - other.depth);
  return (
    <g opacity={ghost.opacity ?? 1}>
      {drawn.map(({ rod, a, b }, index) => {
        const isMarked = ghost.marked === rod.body;
        const width = Math.max(1.5, 2 * scale * rod.radius);
        const colour = isMarked ? "var(--accent)" : rod.kind === "rod" ? ghost.colour : "var(--muted)";
        const ends = { x1: a[0], y1: a[1], x2: b[0] + 0.01, y2: b[1] };
        return (
          <g key={index} stroke-linecap={rod.kind === "motor" ? "butt" : "round"}>
            <line {...ends} class="arm-edge" stroke-width={width + 1.6} />
            <line {...ends} stroke={colour} stroke-width={width} />
          </g>
        );
      })}
    </g>
  );
}

function Cross({ at, foot }: { at: Point; foot: Point }) {
  return (
    <g class="arm-target">
      <line class="arm-plumb" x1={at[0]} y1={at[1]} x2={foot[0]} y2={foot[1]} />
      <circle cx={at[0]} cy={at[1]} r={6} />
      <path d={`M${at[0] - 10} ${at[1]}h20M${at[0]} ${at[1] - 10}v20`} />
    </g>
  );
}
