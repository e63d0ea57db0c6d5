/** A list that draws only the rows in sight; keeps its place, or follows the end. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";

export interface Row<T> {
  /** Counts from the first item ever; stays with the item. */
  readonly number: number;
  readonly item: T;
}

interface Props<T> {
  readonly name: string;
  readonly rows: readonly Row<T>[];
  /** Height of a row [px]. */
  readonly height: number;
  readonly empty: string;
  readonly draw: (row: Row<T>) => ComponentChildren;
}

const EXTRA = 6; // rows drawn above and below

/** Place of the first row with this number or a later one. */
function findRow<T>(rows: readonly Row<T>[], number: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function VirtualList<T>({ name, rows, height, empty, draw }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  /** The rows that were drawn last. */
  const former = useRef(rows);
  const state = useRef({ follow: true, anchor: 0, offset: 0, top: 0, sight: 300 });

  const toEnd = () => {
    state.current.follow = true;
    setFollowing(true);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };

  /** Takes over where a person has scrolled to. */
  const notice = (element: HTMLElement, count: number) => {
    const now = state.current;
    if (Math.abs(element.scrollTop - now.top) < 1) return;
    now.top = element.scrollTop;
    now.follow = now.top + element.clientHeight >= count * height - 2;
    const first = Math.floor(now.top / height);
    now.anchor = former.current[first]?.number ?? 0;
    now.offset = now.top - first * height;
    setFollowing(now.follow);
    redraw((tally) => tally + 1);
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const now = state.current;
    // A scroll whose event is still to come; unless the list became shorter.
    if (rows.length >= former.current.length) notice(element, former.current.length);
    former.current = rows;
    const top = now.follow
      ? Math.max(0, rows.length * height - element.clientHeight)
      : findRow(rows, now.anchor) * height + now.offset;
    if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    if (element.scrollTop !== now.top) {
      now.top = element.scrollTop;
      redraw((count) => count + 1);
    }
  });

  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      state.current.sight = box.current?.clientHeight ?? 0;
      redraw((count) => count + 1);
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  const { top, sight } = state.current;
  const begin = Math.max(0, Math.floor(top / height) - EXTRA);
  const end = Math.min(rows.length, Math.ceil((top + sight) / height) + EXTRA);
  return (
    <div class="virtual">
      <div
        ref={box}
        class="virtual-box scroll"
        role="log"
        aria-label={name}
        aria-live="off"
        tabIndex={0}
        onScroll={() => box.current && notice(box.current, rows.length)}
      >
        <div class="virtual-room" style={{ height: `${rows.length * height}px` }}>
          <div class="virtual-rows" style={{ transform: `translateY(${begin * height}px)` }}>
            {rows.slice(begin, end).map(draw)}
          </div>
        </div>
        {rows.length === 0 && <p class="empty">{empty}</p>}
      </div>
      {!isFollowing && (
        <button type="button" class="button small virtual-follow" onClick={toEnd}>
          <Icon name="follow" size={13} /> Newest
        </button>
      )}
    </div>
  );
}
