/** Which lines of a window are shown. */

import type { Feed } from "../feeds";
import { clock } from "../parts/format";
import type { Row } from "../parts/virtual";
import type { Line } from "../protocol";

export type LevelFilter = "all" | "warning" | "error";

/** Rows of the lines that have all words of the filter and at least the level. */
export function filterLines(feed: Feed<Line>, text: string, level: LevelFilter): Row<Line>[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: Row<Line>[] = [];
  feed.items.forEach((item, index) => {
    if (level === "error" && item.level !== "error") return;
    if (level === "warning" && item.level !== "error" && item.level !== "warning") return;
    if (words.length) {
      const all = `${item.source} ${item.text}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) return;
    }
    rows.push({ number: feed.first + index, item });
  });
  return rows;
}

/** The lines as text, for the clipboard. */
export function plainText(rows: readonly Row<Line>[]): string {
  return rows
    .map(({ item }) => {
      const receiver = item.receiver === null ? "" : ` -> ${item.receiver}`;
      return `${clock(item.time)}\t${item.source}${receiver}\t${item.text}`;
    })
    .join("\n");
}
