/** A window of lines: filter, level, list. */

import { signal, useComputed, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { IconButton } from "../parts/controls";
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

/** What of each window is looked at. */
const sieves = Object.fromEntries(
  (["debug", "commander", "triggers", "system"] as const).map((name) => [
    name,
    { text: signal(""), level: signal<LevelFilter>("all") },
  ]),
) as Readonly<Record<WindowName, { text: Signal<string>; level: Signal<LevelFilter> }>>;

function rowsOf(window: WindowName): readonly Row<Line>[] {
  const feed = store.lines[window];
  void feed.version;
  return filterLines(feed, sieves[window].text.value, sieves[window].level.value);
}

/** Filter, level and copy of a window. */
export function LineTools({ window, title }: { window: WindowName; title: string }) {
  const { text, level } = sieves[window];
  const copy = () => {
    const rows = rowsOf(window);
    return navigator.clipboard.writeText(plainText(rows)).then(
      () => store.notify(`${rows.length} lines copied.`),
      () => store.notify("The browser does not let the page copy.", "error"),
    );
  };
  return (
    <>
      <input
        class="input line-filter"
        type="search"
        placeholder="Filter"
        aria-label={`Filter ${title}`}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <select
        class="select line-level"
        aria-label={`Level of ${title}`}
        value={level.value}
        onChange={(event) => (level.value = event.currentTarget.value as LevelFilter)}
      >
        <option value="all">All</option>
        <option value="warning">Warnings</option>
        <option value="error">Errors</option>
      </select>
      <IconButton
        icon="copy"
        name={`Copy ${title}`}
        look="plain small"
        onClick={() => void copy()}
      />
    </>
  );
}

export function LineWindow({ window, title, empty, head, draw = drawLine }: Props) {
  const rows = useComputed(() => rowsOf(window)).value;
  const feed = store.lines[window];
  const isFiltered = rows.length < feed.items.length;
  return (
    <div class="line-window">
      {head ?? <LineHead />}
      <VirtualList
        name={title}
        rows={rows}
        height={ROW}
        empty={feed.items.length ? "No line passes the filter." : empty}
        draw={draw}
      />
      {isFiltered && (
        <span class="line-count number">
          {rows.length} of {feed.items.length} lines
        </span>
      )}
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
      {line.time.toFixed(2)}
    </button>
  );
}

function LineHead() {
  return (
    <div class="line line-head" aria-hidden="true">
      <div class="line-time">Time [s]</div>
      <div class="line-source">From</div>
      <div class="line-text">Text</div>
    </div>
  );
}

export function drawLine({ number, item }: Row<Line>) {
  return (
    <div key={number} class={`line level-${item.level}`} title={item.text}>
      <TimeCell line={item} />
      <span class="line-source">{item.source}</span>
      <span class="line-text">{item.text}</span>
    </div>
  );
}
