/** An arm from a table of parts: change a row and see the arm move. */

import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { IconButton } from "../parts/controls";
import { Icon } from "../parts/icons";
import { short } from "../parts/format";
import type { ToolProps } from "../tools";
import { Dials } from "./dials";
import { PartRow } from "./part_row";
import { Preview } from "./preview";
import { CELLS, cellOf, readRow, rowOf, type CellProblem, type EditRow } from "./row_fields";
import { ask, latest, type ArmCard, type Assembled, type Pose } from "./service";
import { shownUnit, sliderRange } from "./units";
import "./armbot.css";

const FIRST = "SimpleArm";
const PRESETS = ["SimpleArm", "ScaraArm", "TripodArm"];

/** What is being built; kept while another tab is open. */
const rows = signal<readonly EditRow[]>([]);
const origin = signal(FIRST);
let count = 0;

export default function Assembly({ net, store }: ToolProps) {
  const [cards, setCards] = useState<readonly ArmCard[]>([]);
  const [answer, setAnswer] = useState<Assembled | null>(null);
  const [cellProblems, setCellProblems] = useState<readonly CellProblem[]>([]);
  const [q, setQ] = useState<readonly number[]>([]);
  const [poses, setPoses] = useState<readonly Pose[]>([]);
  const [problem, setProblem] = useState("");
  const [motion, setMotion] = useState("");
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSourceOpen, setSourceOpen] = useState(false);

  const open = async (arm: string) => {
    try {
      const preset = await ask(net, "rows", { arm });
      rows.value = preset.rows.map((row) => rowOf(row, ++count));
      origin.value = arm;
      setChosen(null);
      setQ([]);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  useEffect(() => {
    ask(net, "arms", {}).then(
      (found) => setCards(found.arms),
      (error: Error) => setProblem(error.message),
    );
    if (rows.value.length === 0) void open(FIRST);
  }, []);

  const build = useMemo(
    () =>
      latest(async (edited: readonly EditRow[]) => {
        const read = edited.map(readRow);
        setCellProblems(read.flatMap((row) => row.problems));
        if (read.length === 0) {
          setAnswer(null);
          setPoses([]);
          return;
        }
        try {
          const found = await ask(net, "assemble", { rows: read.map((row) => row.value) });
          setAnswer(found);
          setProblem("");
          // Motors keep their values where they still exist.
          setQ((old) => (old.length === found.joints.length ? old : found.joints.map((joint) => joint.home)));
        } catch (error) {
          setProblem((error as Error).message);
        }
      }),
    [],
  );
  const table = rows.value;
  useEffect(() => build(table), [table]);

  const move = useMemo(
    () =>
      latest(async ({ table, q }: { table: readonly EditRow[]; q: readonly number[] }) => {
        try {
          const values = table.map((row, index) => readRow(row, index).value);
          const found = await ask(net, "forward", { rows: values, q });
          setPoses(found.poses);
          setMotion("");
        } catch (error) {
          setMotion((error as Error).message.replace(/^`q`: /, ""));
        }
      }),
    [],
  );
  useEffect(() => {
    if (!answer || answer.bodies.length === 0) return;
    setMotion("");
    const isHome = answer.joints.every((joint, index) => Math.abs((q[index] ?? joint.home) - joint.home) < 1e-9);
    if (isHome || q.length !== answer.joints.length) setPoses(answer.poses);
    else move({ table, q });
  }, [answer, q]);

  const problemsOf = (index: number): readonly CellProblem[] => [
    ...cellProblems.filter((item) => item.row === index),
    ...(answer?.problems ?? [])
      .filter((item) => item.row === index && !cellProblems.some((other) => other.row === index))
      .map((item) => ({ row: index, field: cellOf(item.field), text: item.text })),
  ];
  const change = (index: number, row: EditRow) => {
    rows.value = table.map((old, place) => (place === index ? row : old));
  };
  const swap = (index: number, other: number) => {
    if (other < 0 || other >= table.length) return;
    const next = [...table];
    [next[index], next[other]] = [next[other]!, next[index]!];
    rows.value = next;
    setChosen(other);
  };
  const add = () => {
    const place = chosen === null ? table.length - 1 : chosen + 1;
    const row: EditRow = { id: ++count, part: "segment", cells: { size: "10" } };
    // A mount ends its arm, so a new part goes before it.
    const isEnd = place >= table.length - 1 && table.at(-1)?.part === "gripper_mount";
    const at = isEnd ? table.length - 1 : Math.max(0, Math.min(place, table.length));
    rows.value = [...table.slice(0, at), row, ...table.slice(at)];
    setChosen(at);
  };
  const remove = (index: number) => {
    rows.value = table.filter((_, place) => place !== index);
    setChosen(null);
  };

  const marked = chosen === null ? null : markedBody(table[chosen], chosen, answer);
  const ghosts = useMemo(
    () => [{ poses, colour: "var(--brand)", marked }],
    [poses, marked],
  );
  const joints = answer?.joints ?? [];
  const whole = answer?.problems.filter((item) => item.row === null) ?? [];
  const isOk = answer?.ok === true && cellProblems.length === 0;
  return (
    <section class="side-fill" aria-label="Assembly">
      <header class="tool-head">
        <label class="part-field">
          Start from
          <select
            class="select"
            aria-label="Start from"
            value={origin.value}
            onChange={(event) => void open(event.currentTarget.value)}
          >
            {[...cards]
              .sort((a, b) => rank(a.name) - rank(b.name))
              .map((card) => (
                <option key={card.name} value={card.name}>
                  {card.title}
                </option>
              ))}
          </select>
        </label>
        <span class="grow" />
        <button type="button" class="button small" onClick={add}>
          Add part
        </button>
        <button
          type="button"
          class="button small"
          disabled={!isOk}
          title={isOk ? "A class that builds this arm" : "Mend the problems first"}
          onClick={() => void copy(answer?.source ?? "", store)}
        >
          <Icon name="copy" size={14} />
          Copy as Python
        </button>
        <IconButton
          icon={isSourceOpen ? "up" : "down"}
          name="Show the Python text"
          isPressed={isSourceOpen}
          look="small"
          onClick={() => setSourceOpen(!isSourceOpen)}
        />
      </header>
      <Preview name="Preview of the arm" bodies={answer?.bodies ?? []} ghosts={ghosts} height={210} />
      <div class="tool-body scroll">
        {isSourceOpen && (
          <section class="block" aria-label="Python text">
            {isOk ? (
              <pre class="source-text scroll">{answer?.source}</pre>
            ) : (
              <p class="muted">There is a text as soon as the table has no problems.</p>
            )}
          </section>
        )}
        <section class="block" aria-label="Motors">
          <div class="field-row">
            <h2>Motors</h2>
            <span class="grow" />
            {answer && (
              <span class="muted">
                {answer.reach !== null && `reach at most ${short(100 * answer.reach)} cm · `}
                {answer.methods.includes("closed") ? "has a formula" : "no formula known"}
              </span>
            )}
            <button type="button" class="button small" onClick={() => setQ(joints.map((joint) => joint.home))}>
              Home
            </button>
          </div>
          <Dials
            dials={joints.map((joint, index) => {
              const { factor, unit } = shownUnit(joint.unit);
              const [low, high] = sliderRange(joint);
              return {
                name: joint.name,
                unit,
                minimum: low / factor,
                maximum: high / factor,
                value: (q[index] ?? joint.home) / factor,
                step: joint.unit === "rad" ? 1 : 0.5,
              };
            })}
            onChange={(index, value) => {
              const { factor } = shownUnit(joints[index]!.unit);
              setQ(joints.map((joint, place) => (place === index ? value * factor : (q[place] ?? joint.home))));
            }}
          />
          {joints.length === 0 && <p class="muted">There is no motor yet; add a servo.</p>}
          {motion && (
            <p class="field-error" role="alert">
              {motion}
            </p>
          )}
        </section>
        {[problem, ...whole.map((item) => item.text)].filter(Boolean).map((text) => (
          <p key={text} class="tool-refusal field-error" role="alert">
            {text}
          </p>
        ))}
        <ol class="parts-table" aria-label="Parts">
          {table.map((row, index) => (
            <PartRow
              key={row.id}
              row={row}
              number={index + 1}
              isChosen={chosen === index}
              isWaiting={answer?.waiting.includes(index) ?? false}
              isLast={index === table.length - 1}
              problems={problemsOf(index)}
              onChange={(next) => change(index, next)}
              onChoose={() => setChosen(chosen === index ? null : index)}
              onMove={(step) => swap(index, index + step)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      </div>
    </section>
  );
}

function rank(name: string): number {
  const place = PRESETS.indexOf(name);
  return place < 0 ? PRESETS.length : place;
}

/** Index of the body that a row stands for, or null. */
function markedBody(row: EditRow | undefined, index: number, answer: Assembled | null): number | null {
  if (!row || !answer || !CELLS[row.part]) return null;
  const name = row.cells.name?.trim();
  const place = name ? answer.bodies.findIndex((body) => body.name === name) : index + 1;
  return place < 0 ? null : place;
}

async function copy(text: string, store: ToolProps["store"]): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    store.notify("The Python text is in the clipboard.");
  } catch {
    store.notify("The browser did not allow copying; open the text and mark it there.", "error");
  }
}
