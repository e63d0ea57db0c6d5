/** The table of parts as a person edits it: texts in cells, and what they mean. */

import { CM, DEGREE, readNumber, readNumbers, tidy } from "./units";

/** A row with its cells as texts. */
export interface EditRow {
  readonly id: number;
  readonly part: string;
  readonly cells: Readonly<Record<string, string>>;
}

export interface CellForm {
  readonly title: string;
  readonly unit: string;
  /** Factor from what is shown to SI; 0: a text. */
  readonly factor: number;
  /** Allowed counts of numbers. */
  readonly counts: readonly number[];
  readonly choices?: readonly string[];
  readonly hint?: string;
}

export interface CellProblem {
  readonly row: number;
  readonly field: string;
  readonly text: string;
}

/** Titles of the parts, in groups. */
export const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Motors: { servo: "Servo", linear_motor: "Linear motor", spindle: "Spindle" },
  "Rigid parts": {
    segment: "Segment",
    touch_segment: "Touch segment",
    t_connector: "T-connector",
  },
  Ends: {
    gripper_mount: "Gripper mount",
    termination_point: "End point",
    touch_point: "Touch point",
  },
  "Closed chains": {
    fullrot: "Ball joint",
    axisrot: "Hinge",
    linear: "Slide",
    closed_chain: "Closed chain",
  },
};

const TEXT = { unit: "", factor: 0, counts: [1] };
const PLACE: Readonly<Record<string, CellForm>> = {
  parent: { ...TEXT, title: "Carried by", hint: "row before" },
  at: { title: "Place on it x y z", unit: "cm", factor: CM, counts: [3], hint: "0 0 0" },
  turn: { title: "Turn xy xz yz", unit: "°", factor: DEGREE, counts: [3], hint: "0 0 0" },
};
const MASS: CellForm = { title: "Mass", unit: "kg", factor: 1, counts: [1], hint: "0" };
const PLANE: CellForm = { ...TEXT, title: "Plane of turning", choices: ["xy", "xz", "yz"] };
const SIZE: CellForm = {
  title: "Length, or end x y z",
  unit: "cm",
  factor: CM,
  counts: [1, 3],
  hint: "20",
};
const RADIUS: CellForm = { title: "Radius", unit: "cm", factor: CM, counts: [1], hint: "line" };
const SEGMENT = { size: SIZE, radius: RADIUS, mass: MASS, ...PLACE };

/** Cells of each part; the first one stands in the line of the row. */
export const CELLS: Readonly<Record<string, Readonly<Record<string, CellForm>>>> = {
  servo: {
    axis: PLANE,
    limits: { title: "Range", unit: "°", factor: DEGREE, counts: [2], hint: "-180 180" },
    home: { title: "Home", unit: "°", factor: DEGREE, counts: [1], hint: "0" },
    max_speed: { title: "Top speed", unit: "°/s", factor: DEGREE, counts: [1], hint: "90" },
    mass: MASS,
    ...PLACE,
  },
  spindle: {
    axis: PLANE,
    max_speed: { title: "Top speed", unit: "°/s", factor: DEGREE, counts: [1], hint: "90" },
    mass: MASS,
    ...PLACE,
  },
  linear_motor: {
    limits: { title: "Range", unit: "cm", factor: CM, counts: [2], hint: "0 without end" },
    home: { title: "Home", unit: "cm", factor: CM, counts: [1], hint: "0" },
    max_speed: { title: "Top speed", unit: "cm/s", factor: CM, counts: [1], hint: "20" },
    mass: MASS,
    ...PLACE,
  },
  segment: SEGMENT,
  touch_segment: SEGMENT,
  t_connector: { ...PLACE, mass: MASS },
  gripper_mount: { ...PLACE, mass: MASS },
  termination_point: { ...PLACE },
  touch_point: { ...PLACE, radius: RADIUS, mass: MASS },
  fullrot: {
    ...PLACE,
    home: { title: "First guess xy xz", unit: "°", factor: DEGREE, counts: [2], hint: "0 0" },
  },
  axisrot: {
    ...PLACE,
    home: { title: "First guess", unit: "°", factor: DEGREE, counts: [1], hint: "0" },
  },
  linear: {
    ...PLACE,
    home: { title: "First guess", unit: "cm", factor: CM, counts: [1], hint: "0" },
  },
  closed_chain: {
    ends: { ...TEXT, title: "Ends that meet", hint: "leg_1, leg_2, leg_3" },
    branch: { ...TEXT, title: "Way to close", choices: ["0", "1", "-1"] },
  },
};

/** Names of the cells that a field of the service belongs to. */
export function cellOf(field: string): string {
  return field === "length" || field === "to" ? "size" : field;
}

/** Reads the cells of a row; what is wrong in them is told and left out. */
export function readRow(
  row: EditRow,
  index: number,
): { readonly value: Record<string, unknown>; readonly problems: readonly CellProblem[] } {
  const value: Record<string, unknown> = { part: row.part };
  const problems: CellProblem[] = [];
  if (row.cells.name?.trim()) value.name = row.cells.name.trim();
  for (const [name, form] of Object.entries(CELLS[row.part] ?? {})) {
    const text = row.cells[name]?.trim() ?? "";
    if (!text) continue;
    const cell = readCell(name, form, text);
    if (typeof cell === "string") problems.push({ row: index, field: name, text: cell });
    else Object.assign(value, cell);
  }
  return { value, problems };
}

/** The fields that a cell stands for, or what is wrong with it. */
function readCell(name: string, form: CellForm, text: string): Record<string, unknown> | string {
  if (name === "ends") return readEnds(text);
  if (name === "branch") return text === "0" ? {} : { branch: readNumber(text) };
  if (form.factor === 0) return { [name]: text };
  const numbers = readNumbers(text);
  const counts = form.counts.join(" or ");
  const unit = form.unit ? ` [${form.unit}]` : "";
  if (!numbers || !form.counts.includes(numbers.length))
    return `expected ${counts} ${counts === "1" ? "number" : "numbers"}${unit}, got “${text}”`;
  const values = numbers.map((number) => number * form.factor);
  if (name === "size") return values.length === 1 ? { length: values[0] } : { to: values };
  return { [name]: form.counts[0] === 1 ? values[0] : values };
}

/** Reads names between commas; `name @ x y z` names a place on a part [cm]. */
function readEnds(text: string): Record<string, unknown> | string {
  const ends: unknown[] = [];
  for (const part of text.split(",").filter((piece) => piece.trim())) {
    const [name = "", place] = part.split("@");
    if (place === undefined) ends.push(name.trim());
    else {
      const numbers = readNumbers(place);
      if (numbers?.length !== 3) return `expected a place x y z [cm] behind @, got “${place.trim()}”`;
      ends.push({ part: name.trim(), at: numbers.map((number) => number * CM) });
    }
  }
  return { ends };
}

/** Writes a row of the service into cells. */
export function rowOf(value: Readonly<Record<string, unknown>>, id: number): EditRow {
  const part = String(value.part);
  const forms = CELLS[part] ?? {};
  const cells: Record<string, string> = {};
  const numbers = (item: unknown, factor: number) =>
    (Array.isArray(item) ? (item as number[]) : [item as number])
      .map((number) => tidy(Number((number / factor).toFixed(6))))
      .join(" ");
  for (const [name, item] of Object.entries(value)) {
    if (name === "part" || item === null) continue;
    const form = forms[cellOf(name)];
    if (name === "ends") cells.ends = (item as unknown[]).map(endText).join(", ");
    else if (form && form.factor !== 0) cells[cellOf(name)] = numbers(item, form.factor);
    else cells[name] = String(item);
  }
  return { id, part, cells };
}

function endText(end: unknown): string {
  if (typeof end === "string") return end;
  const { part, at } = end as { part: string; at: number[] };
  return `${part} @ ${at.map((value) => tidy(Number((value / CM).toFixed(6)))).join(" ")}`;
}
