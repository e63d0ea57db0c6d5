/** The small card of the body that was clicked: its name, pose and motors. */

import type { Frame } from "../frame";
import type { Body, Joint, Scene } from "../protocol";
import { POSE, rollPitchYaw } from "./pose";

const PERIOD = 100; // ms between two readings

export interface CardActions {
  follow(isOn: boolean): void;
  trail(isOn: boolean): void;
  close(): void;
}

const GROUPS = { fixed: "fixed", object: "object", robot: "robot" } as const;

/** A number of a fixed width: nothing jumps when it changes. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const isZero = Number(text) === 0;
  return (isZero ? text.replace("-", "") : text).padStart(7, "\u2007").replace("-", "\u2212");
}

/** The rows of a card: label, numbers, unit. */
export function rowsOf(
  pose: readonly number[],
  joints: readonly { readonly joint: Joint; readonly value: number }[],
): [string, string[], string][] {
  const degrees = rollPitchYaw(pose.slice(3)).map((angle) => (180 / Math.PI) * angle);
  return [
    ["Position x, y, z", pose.slice(0, 3).map((value) => fixed(value, 3)), "m"],
    ["Roll, pitch, yaw", degrees.map((value) => fixed(value, 1)), "°"],
    ...joints.map(({ joint, value }): [string, string[], string] =>
      joint.unit === "rad"
        ? [joint.name, [fixed((180 / Math.PI) * value, 1)], "°"]
        : [joint.name, [fixed(value, 4)], "m"],
    ),
  ];
}

function button(text: string, isPressed: boolean, act: (isOn: boolean) => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.setAttribute("aria-pressed", String(isPressed));
  element.addEventListener("click", () => {
    const isOn = element.getAttribute("aria-pressed") !== "true";
    element.setAttribute("aria-pressed", String(isOn));
    act(isOn);
  });
  return element;
}

export class Card {
  private element: HTMLElement | null = null;
  private values: HTMLElement[][] = [];
  private shown: { body: number; joints: number[] } | null = null;
  private last = 0;

  constructor(
    private readonly parent: HTMLElement,
    private readonly actions: CardActions,
  ) {}

  /** Shows the card of a body; a button is pressed if what it does is on. */
  open(scene: Scene, body: number, isFollowed: boolean, isTrailed: boolean): void {
    this.close();
    const item = scene.bodies[body]!;
    const joints = scene.joints.flatMap((joint, i) => (joint.body === item.name ? [i] : []));
    this.shown = { body, joints };
    this.element = this.makeElement(item, isFollowed, isTrailed);
    this.parent.append(this.element);
    this.last = 0;
  }

  /** Writes the numbers, at most ten times a second unless `isForced`. */
  update(scene: Scene, poses: Float32Array, frame: Frame, isForced = false): void {
    const { shown, element } = this;
    const now = performance.now();
    if (!shown || !element || (!isForced && now - this.last < PERIOD)) return;
    this.last = now;
    const pose = [...poses.subarray(POSE * shown.body, POSE * (shown.body + 1))];
    if (pose.length < POSE) return;
    const joints = shown.joints.map((i) => ({
      joint: scene.joints[i]!,
      value: frame.values[i] ?? 0,
    }));
    const rows = rowsOf(pose, joints);
    if (this.values.length !== rows.length) this.makeRows(rows);
    rows.forEach(([, numbers], i) =>
      numbers.forEach((text, k) => (this.values[i]![k]!.textContent = text)),
    );
  }

  close(): void {
    this.element?.remove();
    this.element = null;
    this.shown = null;
    this.values = [];
  }

  private makeElement(body: Body, isFollowed: boolean, isTrailed: boolean): HTMLElement {
    const element = document.createElement("section");
    element.className = "view-card";
    element.setAttribute("aria-label", `Body ${body.name}`);
    const head = document.createElement("header");
    const name = document.createElement("strong");
    name.textContent = body.name;
    const kind = document.createElement("span");
    kind.textContent = GROUPS[body.group];
    const close = document.createElement("button");
    close.type = "button";
    close.className = "view-card-close";
    close.textContent = "×";
    close.setAttribute("aria-label", "Close the card");
    close.addEventListener("click", () => this.actions.close());
    head.append(name, kind, close);
    const table = document.createElement("dl");
    const foot = document.createElement("footer");
    foot.append(
      button("Follow", isFollowed, this.actions.follow),
      button("Trail", isTrailed, this.actions.trail),
    );
    element.append(head, table, foot);
    return element;
  }

  private makeRows(rows: [string, string[], string][]): void {
    const table = this.element!.querySelector("dl")!;
    table.replaceChildren();
    this.values = rows.map(([label, numbers, unit]) => {
      const term = document.createElement("dt");
      term.textContent = label;
      const value = document.createElement("dd");
      const spans = numbers.map(() => document.createElement("span"));
      const end = document.createElement("small");
      end.textContent = unit;
      value.append(...spans, end);
      table.append(term, value);
      return spans;
    });
  }
}
