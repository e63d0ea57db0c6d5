/** What ArmBot's services take and give; lengths in metres, angles in radians. */

import type { Net } from "../net";

export interface Problem {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly text: string;
}

export interface SceneRobot {
  readonly number: number;
  /** Class names as in the file; empty where there is none. */
  readonly manipulator: string;
  readonly gripper: string;
  readonly controller: string;
  /** x, y [m], heading [rad]: 0 looks along +y. */
  readonly pose: readonly [number, number, number];
}

export interface Summary {
  readonly robots: readonly SceneRobot[];
  readonly num_robots: number;
  readonly num_balls: number;
  readonly num_cuboids: number;
  readonly num_cylinders: number;
  readonly num_obstacles: number;
  readonly num_triggers: number;
}

export interface Check {
  readonly problems: readonly Problem[];
  readonly num_more: number;
  readonly summary: Summary | null;
}

export interface GrammarParam {
  readonly name: string;
  readonly text: string;
  readonly unit: string;
  readonly choices: readonly string[];
}

export interface GrammarDirective {
  readonly word: string;
  readonly variant: string;
  readonly usage: string;
  readonly text: string;
  readonly params: readonly GrammarParam[];
  readonly plans: readonly string[];
  readonly ends: readonly string[];
  readonly is_numbered: boolean;
}

export interface Grammar {
  readonly directives: readonly GrammarDirective[];
  readonly plans: readonly {
    readonly word: string;
    readonly usage: string;
    readonly text: string;
    readonly params: readonly GrammarParam[];
  }[];
  readonly choices: readonly string[];
  readonly classes: Readonly<Record<string, readonly string[]>>;
  readonly num_robots: number;
}

export interface Motor {
  readonly name: string;
  readonly unit: "rad" | "m";
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly home: number;
  readonly max_speed: number | null;
}

export interface ArmCard {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly joints: readonly Motor[];
  readonly methods: readonly string[];
  readonly preferred: string;
  readonly has_own_wrist: boolean;
  readonly reach: number | null;
  readonly home: readonly [number, number, number];
}

export interface Solid {
  readonly shape: string;
  readonly size: readonly number[];
  readonly position: readonly number[];
  readonly quaternion: readonly number[];
  readonly rgba: readonly number[];
}

export interface ArmBody {
  readonly name: string;
  readonly parent: number;
  readonly joint: "fixed" | "turn" | "slide";
  readonly shapes: readonly Solid[];
}

/** x, y, z [m], qw, qx, qy, qz. */
export type Pose = readonly number[];

export interface Forward {
  readonly q: readonly number[];
  readonly bodies: readonly ArmBody[];
  readonly poses: readonly Pose[];
  readonly tool: Pose;
  readonly joints: readonly Motor[];
}

export type Method = "closed" | "down" | "jac" | "lm";

export interface RaceEntry {
  readonly method: Method;
  readonly title: string;
  readonly has_method: boolean;
  readonly status: string;
  readonly ok?: boolean;
  readonly q?: readonly number[];
  readonly error?: number | null;
  readonly rotation_error?: number | null;
  readonly iterations?: number | null;
  readonly tries?: number;
  readonly starts?: number;
  readonly time_us?: number;
  /** Tries, residual [m], position of the mount x, y, z [m]. */
  readonly path?: readonly (readonly number[])[];
  readonly poses?: readonly Pose[];
}

export interface Race {
  readonly task: "position" | "pose";
  readonly start: {
    readonly q: readonly number[];
    readonly poses: readonly Pose[];
    readonly residual: number;
  };
  readonly entries: readonly RaceEntry[];
}

export interface RowProblem {
  readonly row: number | null;
  readonly field: string;
  readonly text: string;
}

export interface Assembled {
  readonly ok: boolean;
  readonly problems: readonly RowProblem[];
  readonly waiting: readonly number[];
  readonly joints: readonly Motor[];
  readonly bodies: readonly ArmBody[];
  readonly poses: readonly Pose[];
  readonly reach: number | null;
  readonly methods: readonly string[];
  readonly source: string;
}

export interface Answers {
  check: Check;
  grammar: Grammar;
  arms: { readonly arms: readonly ArmCard[] };
  forward: Forward;
  race: Race;
  rows: { readonly rows: readonly Readonly<Record<string, unknown>>[] };
  assemble: Assembled;
}

/** A refusal, for people; shown beside what was asked. */
export class Refusal extends Error {}

/** Asks a service; a refusal is thrown. */
export async function ask<K extends keyof Answers>(
  net: Net,
  name: K,
  value: Readonly<Record<string, unknown>>,
): Promise<Answers[K]> {
  const reply = await net.request("service", { name: `armbot.${name}`, value });
  if (!reply.ok) throw new Refusal(reply.message || "The request was refused.");
  return reply.value as Answers[K];
}

/**
 * Calls a function with the newest argument, one call at a time: while one is under way
 * only the last of the others is kept.
 */
export function latest<A>(work: (argument: A) => Promise<void>): (argument: A) => void {
  let isBusy = false;
  let next: { readonly argument: A } | null = null;
  const run = async (argument: A) => {
    isBusy = true;
    try {
      await work(argument);
    } finally {
      isBusy = false;
      const waiting = next;
      next = null;
      if (waiting) void run(waiting.argument);
    }
  };
  return (argument) => {
    if (isBusy) next = { argument };
    else void run(argument);
  };
}
