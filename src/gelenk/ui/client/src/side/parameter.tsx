/** One parameter: checked while it is typed, sent when it is good. */

import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { FieldError } from "../parts/controls";
import { capital, prettyUnit } from "../parts/format";
import { net } from "../net";
import type { Parameter } from "../protocol";

type Value = number | string | boolean;

/** What is wrong with a typed number, or empty. */
export function numberProblem(
  text: string,
  { minimum, maximum, unit }: Pick<Parameter, "minimum" | "maximum" | "unit">,
): string {
  const value = Number(text.trim().replace(",", "."));
  if (!text.trim() || !Number.isFinite(value)) return "Expected a number.";
  const low = minimum ?? -Infinity;
  const high = maximum ?? Infinity;
  if (value >= low && value <= high) return "";
  const words = unit ? ` ${prettyUnit(unit)}` : "";
  if (high === Infinity) return `Expected at least ${low}${words}.`;
  if (low === -Infinity) return `Expected at most ${high}${words}.`;
  return `Expected ${low} to ${high}${words}.`;
}

export function ParameterField({ parameter }: { parameter: Parameter }) {
  const { name, unit, help, minimum, maximum, choices } = parameter;
  const title = capital(parameter.title || name);
  const id = useId();
  const text = useSignal(toText(parameter.value));
  const error = useSignal("");
  const note = useSignal("");
  const known = useSignal<Value>(parameter.value);
  useEffect(() => {
    // Somebody else changed it.
    known.value = parameter.value;
    text.value = toText(parameter.value);
    error.value = "";
  }, [parameter.value]);

  const send = async (value: Value) => {
    const reply = await net.request("set_parameter", { name, value });
    error.value = reply.ok ? "" : reply.message || "The value was refused.";
    if (!reply.ok) return;
    known.value = value;
    note.value = String((reply.value as { readonly note?: string } | null)?.note ?? "");
  };
  const submitNumber = (typed: string) => {
    text.value = typed;
    error.value = numberProblem(typed, parameter);
    if (!error.value) void send(Number(typed.trim().replace(",", ".")));
  };
  const isNumber = typeof parameter.value === "number";
  const hasSlider = isNumber && minimum !== null && maximum !== null && maximum > minimum;
  const shared = {
    id,
    "aria-invalid": error.value !== "",
    "aria-describedby": `${id}-error`,
    title: help,
  };
  return (
    <div class="parameter">
      <label for={id} title={help}>
        {title}
      </label>
      <div class="parameter-field">
        {typeof parameter.value === "boolean" ? (
          <input
            {...shared}
            type="checkbox"
            checked={known.value === true}
            onChange={(event) => void send(event.currentTarget.checked)}
          />
        ) : choices.length ? (
          <select
            {...shared}
            class="select"
            value={String(known.value)}
            onChange={(event) => void send(event.currentTarget.value)}
          >
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : (
          <>
            {hasSlider && (
              <input
                type="range"
                aria-label={`${title}, slider`}
                min={minimum}
                max={maximum}
                step={(maximum - minimum) / 200}
                value={Number(known.value)}
                onInput={(event) => (text.value = rounded(event.currentTarget.value))}
                onChange={(event) => submitNumber(rounded(event.currentTarget.value))}
              />
            )}
            <input
              {...shared}
              class="input number"
              type="text"
              inputMode={isNumber ? "decimal" : "text"}
              value={text.value}
              onInput={(event) => {
                text.value = event.currentTarget.value;
                if (isNumber) error.value = numberProblem(text.value, parameter);
              }}
              onChange={(event) =>
                isNumber
                  ? submitNumber(event.currentTarget.value)
                  : void send(event.currentTarget.value)
              }
            />
            <span class="unit">{prettyUnit(unit)}</span>
          </>
        )}
      </div>
      <FieldError id={`${id}-error`} text={error.value} />
      {note.value && !error.value && <p class="field-note muted">{note}</p>}
    </div>
  );
}

/** Of a slider: three digits are as fine as a hand. */
function rounded(value: string): string {
  return String(Number(Number(value).toPrecision(3)));
}

function toText(value: Value): string {
  return typeof value === "number" ? String(Number(value.toPrecision(8))) : String(value);
}
