/** Rows of a slider with a number beside it. */

import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { readNumber, tidy } from "./units";

export interface Dial {
  readonly name: string;
  readonly unit: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly value: number;
  readonly step: number;
}

interface Props {
  readonly dials: readonly Dial[];
  onChange(index: number, value: number): void;
}

export function Dials({ dials, onChange }: Props) {
  return (
    <div class="dials">
      {dials.map((dial, index) => (
        <Row key={dial.name} dial={dial} onChange={(value) => onChange(index, value)} />
      ))}
    </div>
  );
}

function Row({ dial, onChange }: { dial: Dial; onChange(value: number): void }) {
  const { name, unit, minimum, maximum, value, step } = dial;
  const shown = tidy(Number(value.toFixed(2)));
  const [text, setText] = useState(shown);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setText(shown);
    setProblem("");
  }, [shown]);
  const accept = () => {
    const number = readNumber(text);
    if (number === null) return setProblem(`${name}: expected a number, got “${text}”.`);
    if (number < minimum - 1e-9 || number > maximum + 1e-9)
      return setProblem(`${name}: expected ${tidy(minimum)} to ${tidy(maximum)} ${unit}, got ${text}.`);
    setProblem("");
    onChange(number);
  };
  const id = `dial-${name.replace(/\W/g, "-")}`;
  return (
    <Fragment>
      <label for={id} title={name}>
        {name}
      </label>
      <input
        type="range"
        aria-label={`${name} slider`}
        min={minimum}
        max={maximum}
        step={step}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <input
        id={id}
        class="input number"
        inputMode="decimal"
        value={text}
        aria-invalid={problem !== ""}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={accept}
        onKeyDown={(event) => {
          if (event.key === "Enter") accept();
          event.stopPropagation();
        }}
      />
      <span class="unit">{unit}</span>
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
    </Fragment>
  );
}
