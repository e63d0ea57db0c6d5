/** Events of the run; a click shows the moment. */

import { useComputed, useSignal } from "@preact/signals";
import { clock, clockUnit } from "../parts/format";
import { VirtualList, type Row } from "../parts/virtual";
import type { Event } from "../protocol";
import { endReplay, scrubTo } from "../scrub";
import { store } from "../store";
import { colourOf } from "../timeline";

export function EventsPanel() {
  const filter = useSignal("");
  const kind = useSignal("");
  const feed = store.events;
  const rows = useComputed(() => {
    void feed.version;
    const text = filter.value.trim().toLowerCase();
    return feed.items.flatMap((item, index): Row<Event>[] => {
      if (kind.value && item.what !== kind.value) return [];
      if (text && !item.text.toLowerCase().includes(text)) return [];
      return [{ number: feed.first + index, item }];
    });
  }).value;
  void feed.version;
  const kinds = [...new Set(feed.items.map((event) => event.what))].sort();
  return (
    <div class="side-fill">
      <div class="line-tools">
        <input
          class="input grow"
          type="search"
          placeholder="Filter"
          aria-label="Filter events"
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <select
          class="select"
          aria-label="Kind of events"
          value={kind.value}
          onChange={(event) => (kind.value = event.currentTarget.value)}
        >
          <option value="">All kinds</option>
          {kinds.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <VirtualList
        name="Events"
        rows={rows}
        height={44}
        empty={
          feed.items.length
            ? "No event passes the filter."
            : "Triggers, grasps, impacts, collisions and faults appear here."
        }
        draw={drawEvent}
      />
    </div>
  );
}

function drawEvent({ number, item }: Row<Event>) {
  const isShown = store.frames.shown.value === item.tick;
  return (
    <button
      key={number}
      type="button"
      class="event"
      aria-current={isShown}
      aria-label={`${item.what} at ${item.time.toFixed(2)} s: ${item.text}`}
      title={`${item.text}\nLook at this moment`}
      onClick={() => {
        endReplay();
        scrubTo(item.tick);
      }}
    >
      <span class="dot" style={{ background: `var(${colourOf(item.what)})` }} />
      <span class="event-text">
        <span>{item.text}</span>
        <span class="muted">{item.what}</span>
      </span>
      <span class="number muted">
        {clock(item.time)}
        <span class="unit">{clockUnit(item.time)}</span>
      </span>
    </button>
  );
}
