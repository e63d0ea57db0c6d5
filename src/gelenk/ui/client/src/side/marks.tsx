/** Marks over an image: numbers drawn sharp at any size. */

import type { Mark } from "../exhibit";
import { PALETTE } from "../palette";

const SIZE = 5; // px on the screen: half a cross, radius of a ring
const HEAD = 7; // px, of an arrow

interface Props {
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly height: number;
  /** Pixels of the image per pixel of the screen. */
  readonly unit: number;
}

/** Layers of marks with the colour of their first, in their order. */
export function layersOf(marks: readonly Mark[]): readonly (readonly [string, string])[] {
  const layers = new Map<string, string>();
  for (const { layer, color } of marks) if (!layers.has(layer)) layers.set(layer, PALETTE[color]);
  return [...layers];
}

export function Marks({ marks, width, height, unit }: Props) {
  return (
    <svg
      class="marks"
      viewBox={`-0.5 -0.5 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {marks.map((mark, i) => (
        <g key={i} style={{ color: PALETTE[mark.color] }}>
          <Drawn mark={mark} unit={unit} />
        </g>
      ))}
    </svg>
  );
}

function Drawn({ mark, unit }: { mark: Mark; unit: number }) {
  const size = SIZE * unit;
  switch (mark.kind) {
    case "points":
      return (
        <>
          <Halo d={mark.at.map(([x, y]) => pointPath(mark.shape, x, y, size)).join("")} isFilled={mark.shape === "dot"} />
          <Words at={mark.at} texts={mark.labels} unit={unit} shift={1.6 * size} />
        </>
      );
    case "circles":
      return (
        <>
          <Halo d={mark.centers.map(([x, y], i) => ring(x, y, mark.radii[i] ?? 0)).join("")} />
          <Words
            at={mark.centers.map(([x, y], i) => [x + (mark.radii[i] ?? 0), y] as const)}
            texts={mark.labels}
            unit={unit}
            shift={size}
          />
        </>
      );
    case "path": {
      const line = mark.at.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("");
      const d = mark.is_closed || mark.is_filled ? `${line}Z` : line;
      return (
        <>
          {mark.is_filled && <path d={d} fill="currentColor" fill-opacity={0.25} />}
          <Halo d={d} />
        </>
      );
    }
    case "arrows":
      return (
        <Halo d={mark.starts.map((start, i) => arrow(start, mark.ends[i] ?? start, unit)).join("")} />
      );
    case "texts":
      return <Words at={mark.at} texts={mark.texts} unit={unit} shift={0} />;
  }
}

/** A line with a dark seam, so that it is seen on every ground. */
function Halo({ d, isFilled = false }: { d: string; isFilled?: boolean }) {
  const fill = isFilled ? "currentColor" : "none";
  return (
    <>
      <path class="mark-seam" d={d} fill="none" />
      <path class="mark-line" d={d} fill={fill} />
    </>
  );
}

interface WordsProps {
  readonly at: readonly (readonly [number, number])[];
  readonly texts: readonly string[];
  readonly unit: number;
  readonly shift: number;
}

function Words({ at, texts, unit, shift }: WordsProps) {
  return (
    <>
      {texts.map((text, i) => (
        <text
          key={i}
          class="mark-text"
          x={(at[i]?.[0] ?? 0) + shift}
          y={(at[i]?.[1] ?? 0) + 4 * unit}
          font-size={12 * unit}
          stroke-width={3 * unit}
        >
          {text}
        </text>
      ))}
    </>
  );
}

function ring(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

function pointPath(shape: string, x: number, y: number, s: number): string {
  switch (shape) {
    case "cross":
      return `M${x - s} ${y}h${2 * s}M${x} ${y - s}v${2 * s}`;
    case "square":
      return `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z`;
    case "dot":
      return ring(x, y, 0.6 * s);
    default:
      return ring(x, y, s);
  }
}

function arrow(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  unit: number,
): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1e-9) return "";
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(HEAD * unit, 0.6 * length);
  const side = (sign: number) =>
    `L${x2 - head * (dx - 0.5 * sign * dy)} ${y2 - head * (dy + 0.5 * sign * dx)}`;
  return `M${x1} ${y1}L${x2} ${y2}${side(1)}M${x2} ${y2}${side(-1)}`;
}
