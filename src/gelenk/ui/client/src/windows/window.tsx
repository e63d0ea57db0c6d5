/** A window of lines: filter, level, list. */

import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { IconButton } from "../parts/controls";
import { clock } from "../parts/format";
import { VirtualList, type Row } from "../parts/virtual";
import type { Line } from "../protocol";
import { scrubTo } from "../scrub";
import type { WindowName } from "../settings";
import { store } from "../store";
import { filterLines, plainText, type LevelFilter } from "./lines";

export const ROW = 20; // px

interface Props {
  readonly window: WindowName;
  readonly title: string;
  readonly empty: string;
  /** Above the rows, such as the heads of columns. */
  readonly head?: ComponentChildren;
  readonly draw?: (row: Row<Line>) => ComponentChildren;
}

export function LineWindow({ window, title, empty, head, draw = drawLine }: Props) {
  const filter = useSignal("");
  const level = useSignal<LevelFilter>("all");
  const feed = store.lines[window];
  const rows = useComputed(() => {
    void feed.version;
    return filterLines(feed, filter.value, level.value);
  }).value;
  const isFiltered = filter.value.trim() !== "" || level.value !== "all";
  const copy = () =>
    navigator.clipboard.writeText(plainText(rows)).then(
      () => store.notify(`${rows.length} lines copied.`),
      () => store.notify("The browser does not let the page copy.", "error"),
    );
  return (
    <div class="line-window">
      <div class="line-tools">
        <input
          class="input"
          type="search"
          placeholder="Filter"
          aria-label={`Filter ${title}`}
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <select
          class="select"
          aria-label={`Level of ${title}`}
          value={level.value}
          onChange={(event) => (level.value = event.currentTarget.value as LevelFilter)}
        >
          <option value="all">All levels</option>
          <option value="warning">Warnings and errors</option>
          <option value="error">Errors</option>
        </select>
        <span class="muted number line-count">
          {isFiltered ? `${rows.length} of ${feed.items.length}` : rows.length} lines
        </span>
        <IconButton
          icon="copy"
          name={`Copy ${title}`}
          look="plain small"
          isDisabled={rows.length === 0}
          onClick={() => void copy()}
        />
      </div>
      {head}
      <VirtualList
        name={title}
        rows={rows}
        height={ROW}
        empty={isFiltered && feed.items.length ? "No line passes the filter." : empty}
        draw={draw}
      />
    </div>
  );
}

export function TimeCell({ line }: { line: Line }) {
  return (
    <button
      type="button"
      class="line-time number"
      tabIndex={-1}
      title="Look at this moment"
      onClick={() => scrubTo(line.tick)}
    >
      {clock(line.time)}
    </button>
  );
}

export function drawLine({ number, item }: Row<Line>) {
  return (
    <div key={number} class={`line ${item.level}`} title={item.text}>
      <TimeCell line={item} />
      <span class="line-source">{item.source}</span>
      <span class="line-text">{item.text}</span>
    </div>
  );
}
