/** An action of the robot: a button, with the fields that it needs. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { FieldError } from "../parts/controls";
import { prettyUnit } from "../parts/format";
import { Icon } from "../parts/icons";
import { net } from "../net";
import { endPicking, picking, startPicking } from "../picking";
import type { PanelAction } from "../protocol";
import { numberProblem } from "./parameter";

export type Field = PanelAction["fields"][number];
type Point = readonly [number, number];
/** Numbers are kept as they were typed. */
export type Draft = Readonly<Record<string, string | boolean | Point | null>>;
type Problems = Readonly<Record<string, string>>;

export function firstDraft(fields: readonly Field[]): Draft {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.kind === "number" ? String(field.default) : field.default,
    ]),
  );
}

/** What is wrong with what was put into a field, or empty. */
export function problemOf(field: Field, value: Draft[string]): string {
  switch (field.kind) {
    case "number":
      return numberProblem(String(value), field);
    case "ground": {
      if (value === null) return "Choose a place in the view first.";
      const [x, y] = value as Point;
      const [x1, y1] = field.low ?? [-Infinity, -Infinity];
      const [x2, y2] = field.high ?? [Infinity, Infinity];
      if (x >= x1 && x <= x2 && y >= y1 && y <= y2) return "";
      return `Expected x from ${x1} to ${x2} m and y from ${y1} to ${y2} m.`;
    }
    default:
      return "";
  }
}

/** What is sent. */
export function valuesOf(fields: readonly Field[], draft: Draft): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = draft[name];
      return [name, kind === "number" ? Number(String(value).trim().replace(",", ".")) : value];
    }),
  );
}

export function ActionForm({ action }: { action: PanelAction }) {
  const draft = useSignal<Draft>(firstDraft(action.fields));
  const problems = useSignal<Problems>({});
  const note = useSignal("");
  const trouble = useSignal("");
  useEffect(() => () => endPicking(action.name), [action.name]);

  const set = (name: string, value: Draft[string]) => {
    draft.value = { ...draft.value, [name]: value };
    const field = action.fields.find((item) => item.name === name)!;
    problems.value = { ...problems.value, [name]: problemOf(field, value) };
    note.value = trouble.value = "";
  };
  const submit = async () => {
    const found = action.fields.map((field) => [field.name, problemOf(field, draft.value[field.name]!)]);
    problems.value = Object.fromEntries(found) as Problems;
    note.value = trouble.value = "";
    if (found.some(([, problem]) => problem)) return;
    const reply = await net.request("press", {
      name: action.name,
      values: valuesOf(action.fields, draft.value),
    });
    if (reply.ok) note.value = (reply.value as { readonly message?: string } | null)?.message ?? "";
    else if (action.fields.some(({ name }) => name === reply.field))
      problems.value = { ...problems.value, [reply.field]: reply.message };
    else trouble.value = reply.message || "The action was refused.";
  };
  const pick = (field: Extract<Field, { kind: "ground" }>) =>
    startPicking({
      action: action.name,
      title: field.title,
      height: field.height,
      onPick: (x, y) => {
        set(field.name, [Number(x.toFixed(3)), Number(y.toFixed(3))]);
        if (action.is_done_by_click && !problems.value[field.name]) void submit();
      },
    });
  return (
    <form
      class={`action ${action.fields.length ? "has-fields" : ""}`}
      aria-label={action.title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {action.fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          action={action.name}
          value={draft.value[field.name] ?? null}
          problem={problems.value[field.name] ?? ""}
          onChange={(value) => set(field.name, value)}
          onPick={pick}
        />
      ))}
      <button
        type="submit"
        class="button"
        title={action.help}
        disabled={!action.is_enabled}
      >
        {action.title}
      </button>
      <Said note={note} trouble={trouble} />
    </form>
  );
}

function Said({ note, trouble }: { note: Signal<string>; trouble: Signal<string> }) {
  return (
    <>
      <p class="action-note muted" role="status">
        {note}
      </p>
      {trouble.value && (
        <p class="field-error" role="alert">
          {trouble}
        </p>
      )}
    </>
  );
}

interface RowProps {
  readonly field: Field;
  readonly action: string;
  readonly value: Draft[string];
  readonly problem: string;
  onChange(value: Draft[string]): void;
  onPick(field: Extract<Field, { kind: "ground" }>): void;
}

function FieldRow({ field, action, value, problem, onChange, onPick }: RowProps) {
  const id = useId();
  const shared = {
    id,
    title: field.help,
    "aria-invalid": problem !== "",
    "aria-describedby": `${id}-error`,
  };
  return (
    <div class="parameter">
      <label for={id} title={field.help}>
        {field.title}
      </label>
      <div class="parameter-field">
        {(field.kind === "number" || field.kind === "text") && (
          <>
            <input
              {...shared}
              class="input number"
              type="text"
              inputMode={field.kind === "number" ? "decimal" : "text"}
              value={String(value)}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
            {field.kind === "number" && <span class="unit">{prettyUnit(field.unit)}</span>}
          </>
        )}
        {field.kind === "choice" && (
          <select
            {...shared}
            class="select"
            value={String(value)}
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            {field.choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )}
        {field.kind === "switch" && (
          <input
            {...shared}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        )}
        {field.kind === "ground" && (
          <Ground
            shared={shared}
            value={value as Point | null}
            isPicking={picking.value?.action === action && picking.value.title === field.title}
            onPick={() => onPick(field)}
          />
        )}
      </div>
      <FieldError id={`${id}-error`} text={problem} />
    </div>
  );
}

interface GroundProps {
  readonly shared: Record<string, unknown>;
  readonly value: Point | null;
  readonly isPicking: boolean;
  onPick(): void;
}

function Ground({ shared, value, isPicking, onPick }: GroundProps) {
  const text = value ? `x ${value[0].toFixed(2)} m, y ${value[1].toFixed(2)} m` : "Choose in the view";
  return (
    <button
      {...shared}
      type="button"
      class="button small grow"
      aria-pressed={isPicking}
      onClick={() => (isPicking ? endPicking() : onPick())}
    >
      <Icon name="target" size={14} />
      <span class="number">{isPicking ? "Click into the view" : text}</span>
    </button>
  );
}
