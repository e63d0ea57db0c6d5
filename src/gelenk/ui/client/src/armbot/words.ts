/** Sentences of the editor. */

import type { Problem, Summary } from "./service";

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a cell holds, in one line. */
export function summaryText(summary: Summary | null): string {
  if (!summary) return "Not checked yet";
  const parts: (readonly [number, string])[] = [
    [summary.num_robots, "robot"],
    [summary.num_balls, "ball"],
    [summary.num_cuboids, "cuboid"],
    [summary.num_cylinders, "cylinder"],
    [summary.num_obstacles, "obstacle"],
    [summary.num_triggers, "trigger"],
  ];
  const held = parts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  return `No problems · ${held.join(", ")}`;
}

/** Problems that a refusal names with their places: `file:3:7: text`. */
export function problemsOfMessage(message: string): Problem[] {
  return message.split("\n").flatMap((text) => {
    const match = /^\s*(?:.*?):(\d+):(\d+): (.*)$/.exec(text);
    if (!match) return [];
    const [line, column] = [Number(match[1]), Number(match[2])];
    return [{ line, column, length: 1, text: match[3]! }];
  });
}
