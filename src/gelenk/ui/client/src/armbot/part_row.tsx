/** One row of the table of parts. */

import { IconButton } from "../parts/controls";
import { CELLS, PARTS, type CellForm, type CellProblem, type EditRow } from "./row_fields";

interface Props {
  readonly row: EditRow;
  readonly number: number;
  readonly isChosen: boolean;
  /** Hangs on a row that is wrong. */
  readonly isWaiting: boolean;
  readonly isLast: boolean;
  readonly problems: readonly CellProblem[];
  onChange(row: EditRow): void;
  onChoose(): void;
  onMove(step: number): void;
  onRemove(): void;
}

export function PartRow(props: Props) {
  const { row, number, isChosen, isWaiting, isLast, problems, onChange, onChoose, onMove, onRemove } = props;
  const forms = Object.entries(CELLS[row.part] ?? {});
  const [first, ...others] = forms;
  const set = (name: string, text: string) => onChange({ ...row, cells: { ...row.cells, [name]: text } });
  const carrier = first?.[0] === "parent" ? "" : row.cells.parent?.trim();
  const isWrong = (name: string) => problems.some((problem) => problem.field === name);
  return (
    <li class={`part-row ${isChosen ? "chosen" : ""} ${isWaiting ? "waiting" : ""}`}>
      <div class="part-line">
        <span class="part-number number">{number}</span>
        <select
          class="select"
          aria-label={`Part ${number}`}
          aria-invalid={isWrong("part")}
          value={row.part}
          onChange={(event) => onChange({ ...row, part: event.currentTarget.value })}
        >
          {Object.entries(PARTS).map(([group, parts]) => (
            <optgroup key={group} label={group}>
              {Object.entries(parts).map(([part, title]) => (
                <option key={part} value={part}>
                  {title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <input
          class="input"
          aria-label={`Name of part ${number}`}
          placeholder="name"
          spellcheck={false}
          aria-invalid={isWrong("name")}
          value={row.cells.name ?? ""}
          onInput={(event) => set("name", event.currentTarget.value)}
        />
        {first ? (
          <Cell
            name={first[0]}
            form={first[1]}
            label={`${first[1].title} of part ${number}`}
            text={row.cells[first[0]] ?? ""}
            isWrong={isWrong(first[0])}
            onText={(text) => set(first[0], text)}
          />
        ) : (
          <span />
        )}
        <span class="part-buttons">
          <IconButton
            icon={isChosen ? "up" : "sliders"}
            name={isChosen ? `Fold part ${number}` : `More of part ${number}`}
            isPressed={isChosen}
            look="plain small"
            onClick={onChoose}
          />
          <IconButton icon="up" name={`Move part ${number} up`} look="plain small" isDisabled={number === 1} onClick={() => onMove(-1)} />
          <IconButton icon="down" name={`Move part ${number} down`} look="plain small" isDisabled={isLast} onClick={() => onMove(1)} />
          <IconButton icon="close" name={`Remove part ${number}`} look="plain small" onClick={onRemove} />
        </span>
      </div>
      {carrier && !isChosen && <p class="part-on muted">carried by {carrier}</p>}
      {problems.map((problem) => (
        <p key={problem.text} class="field-error" role="alert">
          {problem.text}
        </p>
      ))}
      {isChosen && (
        <div class="part-more">
          {others.map(([name, form]) => (
            <div key={name}>
              <label for={`part-${row.id}-${name}`}>{form.title}</label>
              <Cell
                id={`part-${row.id}-${name}`}
                name={name}
                form={form}
                text={row.cells[name] ?? ""}
                isWrong={isWrong(name)}
                onText={(text) => set(name, text)}
              />
            </div>
          ))}
        </div>
      )}
    </li>
  );
}

interface CellProps {
  readonly id?: string;
  readonly name: string;
  readonly form: CellForm;
  readonly label?: string;
  readonly text: string;
  readonly isWrong: boolean;
  onText(text: string): void;
}

function Cell({ id, form, label, text, isWrong, onText }: CellProps) {
  if (form.choices)
    return (
      <span class="part-field">
        <select
          id={id}
          class="select"
          aria-label={label}
          value={text || form.choices[0]}
          onChange={(event) => onText(event.currentTarget.value)}
        >
          {form.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </span>
    );
  return (
    <span class="part-field">
      <input
        id={id}
        class="input number"
        aria-label={label}
        aria-invalid={isWrong}
        placeholder={form.hint}
        title={form.title}
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {form.unit && <span class="unit">{form.unit}</span>}
    </span>
  );
}
