/** Four methods of inverse kinematics race to a target that a person drags. */

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { short } from "../parts/format";
import type { ToolProps } from "../tools";
import type { Overlay } from "../view/overlay";
import { Dials } from "./dials";
import { Preview, type Ghost, type Trail } from "./preview";
import { COLOURS, curvesOf, makeRacePlot } from "./race_plot";
import { basePose, placed, rodsOf, seenFrom, type Point } from "./rods";
import {
  ask,
  latest,
  type ArmBody,
  type ArmCard,
  type Pose,
  type Race,
  type RaceEntry,
  type SceneRobot,
} from "./service";
import { CM } from "./units";
import "./armbot.css";

/** An arm to choose: one of the scene, or one that ships. */
interface Choice {
  readonly key: string;
  readonly title: string;
  readonly arm: string;
  /** Pose of its body in the world; null: it does not stand in the scene. */
  readonly base: Pose | null;
}

interface Chosen {
  readonly key: string;
  readonly target: Point;
  readonly from: "home" | "last";
}

const chosen = signal<Chosen | null>(null);
const GIVER = "ik-race";
const AXES = ["x", "y", "z"] as const;

export default function IkRace({ store, net, view }: ToolProps) {
  const [cards, setCards] = useState<readonly ArmCard[]>([]);
  /** Robots of the scene; null: not known yet. */
  const [robots, setRobots] = useState<readonly SceneRobot[] | null>(null);
  const [bodies, setBodies] = useState<readonly ArmBody[]>([]);
  const [race, setRace] = useState<Race | null>(null);
  const [isRacing, setRacing] = useState(false);
  const [problem, setProblem] = useState("");
  const source = store.panel.value.source;
  const theme = store.theme.value;
  const colours = useMemo(() => readColours(), [theme]);

  useEffect(() => {
    ask(net, "arms", {}).then(
      (answer) => setCards(answer.arms),
      (error: Error) => setProblem(error.message),
    );
  }, []);
  useEffect(() => {
    setRobots(source ? null : []);
    if (!source) return;
    ask(net, "check", { text: source }).then(
      (answer) => setRobots(answer.summary?.robots ?? []),
      () => setRobots([]),
    );
  }, [source]);

  const choices = useMemo(() => (robots ? choicesOf(cards, robots) : []), [cards, robots]);
  const now = chosen.value;
  const choice = choices.find((item) => item.key === now?.key) ?? choices[0] ?? null;
  const card = cards.find((item) => item.name === choice?.arm) ?? null;
  const target = choice && now?.key === choice.key ? now.target : null;

  // A newly chosen arm begins beside its home.
  useEffect(() => {
    if (!choice || !card || target) return;
    chosen.value = { key: choice.key, target: beside(card.home), from: now?.from ?? "home" };
  }, [choice?.key, card, target]);
  useEffect(() => {
    setRace(null);
    setBodies([]);
    if (!choice) return;
    ask(net, "forward", { arm: choice.arm }).then(
      (answer) => setBodies(answer.bodies),
      (error: Error) => setProblem(error.message),
    );
  }, [choice?.arm]);

  const run = useMemo(
    () =>
      latest(async (value: Readonly<Record<string, unknown>>) => {
        try {
          setRacing(true);
          setRace(await ask(net, "race", value));
          setProblem("");
        } catch (error) {
          setProblem((error as Error).message);
        } finally {
          setRacing(false);
        }
      }),
    [],
  );
  const lastQ = useRef<readonly number[] | null>(null);
  lastQ.current = race?.entries.find((entry) => entry.ok)?.q ?? lastQ.current;
  useEffect(() => {
    lastQ.current = null;
  }, [choice?.arm]);
  useEffect(() => {
    if (!choice || !target) return;
    const start = now?.from === "last" && lastQ.current ? { q_start: lastQ.current } : {};
    run({ arm: choice.arm, target, ...start });
  }, [choice?.key, target, now?.from]);

  const move = (point: Point) => {
    if (choice) chosen.value = { key: choice.key, target: point, from: now?.from ?? "home" };
  };
  const base = choice?.base ?? null;
  const baseKey = base?.join(" ") ?? "";
  useEffect(() => {
    if (!view || !base || !target) return;
    view.target = {
      pose: [...placed(base, target), 1, 0, 0, 0],
      onDrag: (pose) => move(rounded(seenFrom(base, pose))),
    };
  }, [view, baseKey, choice?.key, target]);
  useEffect(() => {
    if (!view || !base || !race || bodies.length === 0) return;
    view.setOverlays(GIVER, overlaysOf(race, bodies, base, colours));
  }, [view, baseKey, race, bodies, colours]);
  useEffect(
    () => () => {
      if (!view) return;
      view.target = null;
      view.setOverlays(GIVER, []);
    },
    [view, baseKey],
  );

  const reach = 100 * Math.min(2, Math.max(0.5, (card?.reach ?? 1) * 1.1));
  const { ghosts, trails } = useMemo(() => pictureOf(race, colours), [race, colours]);
  return (
    <section class="side-fill" aria-label="IK race">
      <Preview
        name={card ? `${card.title} and its answers` : "Arm"}
        bodies={bodies}
        ghosts={bodies.length > 0 ? ghosts : []}
        trails={trails}
        target={target}
        height={158}
      />
      <div class="tool-body scroll">
        <section class="block" aria-label="Target">
          <div class="field-row">
            <label>
              Arm
              <select
                class="select"
                aria-label="Arm"
                value={choice?.key}
                onChange={(event) => {
                  const next = choices.find((item) => item.key === event.currentTarget.value);
                  const home = cards.find((item) => item.name === next?.arm)?.home;
                  if (next && home) chosen.value = { key: next.key, target: beside(home), from: "home" };
                }}
              >
                <Options title="In this scene" choices={choices.filter((item) => item.base)} />
                <Options title="All arms" choices={choices.filter((item) => !item.base)} />
              </select>
            </label>
            <label>
              Start from
              <select
                class="select"
                aria-label="Start from"
                value={now?.from ?? "home"}
                onChange={(event) => {
                  if (now) chosen.value = { ...now, from: event.currentTarget.value as Chosen["from"] };
                }}
              >
                <option value="home">home</option>
                <option value="last">last answer</option>
              </select>
            </label>
          </div>
          {target && (
            <Dials
              dials={AXES.map((name, index) => ({
                name,
                unit: "cm",
                minimum: index === 2 ? -20 : -Math.round(reach),
                maximum: Math.round(index === 2 ? Math.max(120, reach) : reach),
                value: target[index]! / CM,
                step: 0.5,
              }))}
              onChange={(index, value) =>
                move(target.map((old, k) => (k === index ? value * CM : old)) as unknown as Point)
              }
            />
          )}
          <p class="muted block-note">
            {base
              ? "From the robot's body, x forward, z up. Or drag the cross in the 3-D view."
              : "From the arm's body, x forward, z up."}
          </p>
          {problem && (
            <p class="field-error" role="alert">
              {problem}
            </p>
          )}
        </section>
        <section class="block" aria-label="Results" aria-busy={isRacing}>
          <Results race={race} />
        </section>
        <section class="block" aria-label="Residuals">
          <Curves race={race} theme={theme} />
        </section>
      </div>
    </section>
  );
}

function Options({ title, choices }: { title: string; choices: readonly Choice[] }) {
  if (choices.length === 0) return null;
  return (
    <optgroup label={title}>
      {choices.map((item) => (
        <option key={item.key} value={item.key}>
          {item.title}
        </option>
      ))}
    </optgroup>
  );
}

function Results({ race }: { race: Race | null }) {
  const entries = race?.entries ?? [];
  const times = entries.flatMap((entry) => (entry.ok && entry.time_us ? [entry.time_us] : []));
  const best = Math.min(...times);
  return (
    <table class="race-table">
      <thead>
        <tr>
          <th scope="col">Method</th>
          <th scope="col">Error [mm]</th>
          <th scope="col">Iterations</th>
          <th scope="col">Tries</th>
          <th scope="col">Time [ms]</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <ResultRow key={entry.method} entry={entry} index={index} isBest={entry.ok === true && entry.time_us === best} />
        ))}
      </tbody>
    </table>
  );
}

function ResultRow({ entry, index, isBest }: { entry: RaceEntry; index: number; isBest: boolean }) {
  const has = entry.has_method;
  return (
    <tr class={has ? "" : "muted"}>
      <td>
        <span class="swatch" style={{ background: `var(${COLOURS[index]})` }} />
        {entry.title}
      </td>
      <td class="number">{has && entry.error != null ? millimetres(entry.error) : "-"}</td>
      <td class="number">{has ? (entry.iterations ?? "-") : "-"}</td>
      <td class="number">{has ? entry.tries : "-"}</td>
      <td class={`number ${isBest ? "best" : ""}`}>{has ? short((entry.time_us ?? 0) / 1e3) : "-"}</td>
      <td>
        <span class={entry.ok ? "" : "muted"}>{entry.status}</span>
      </td>
    </tr>
  );
}

/** Metres as millimetres; what is below a nanometre is rounding. */
function millimetres(value: number): string {
  return value < 1e-9 ? "< 1e-6" : short(1e3 * value);
}

function Curves({ race, theme }: { race: Race | null; theme: string }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const titles = (race?.entries ?? []).map((entry) => entry.title).join("|");
  useEffect(() => {
    const parent = host.current;
    if (!parent || !titles) return;
    const made = makeRacePlot(parent, titles.split("|"));
    plot.current = made;
    const watcher = new ResizeObserver(() =>
      made.setSize({ width: parent.clientWidth, height: parent.clientHeight }),
    );
    watcher.observe(parent);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [titles, theme]);
  useEffect(() => {
    if (race) plot.current?.setData(curvesOf(race.entries) as uPlot.AlignedData);
  }, [race, titles, theme]);
  return <div class="race-plot" role="img" aria-label="Residual of each method over its tries" ref={host} />;
}

// -- pure ------------------------------------------------------------------------------

function choicesOf(cards: readonly ArmCard[], robots: readonly SceneRobot[]): Choice[] {
  const known = new Map(cards.map((card) => [card.name, card]));
  const standing = robots.flatMap((robot) => {
    const name = robot.manipulator.split(".").pop() ?? "";
    const card = robot.manipulator.startsWith("manipulators.") ? known.get(name) : undefined;
    if (!card) return [];
    const title = `Robot ${robot.number}: ${card.title}`;
    return [{ key: `robot ${robot.number} ${name}`, title, arm: name, base: basePose(robot.pose) }];
  });
  const all = cards.map((card) => ({ key: card.name, title: card.title, arm: card.name, base: null }));
  return [...standing, ...all];
}

/** A target that is worth a race from home. */
function beside(home: Point): Point {
  return rounded([home[0] - 0.04, home[1] + 0.08, home[2] - 0.06]);
}

function readColours(): readonly string[] {
  const css = getComputedStyle(document.documentElement);
  return COLOURS.map((name) => css.getPropertyValue(name).trim());
}

function rounded(point: Point): Point {
  const [x, y, z] = point.map((value) => Math.round(1e4 * value) / 1e4);
  return [x!, y!, z!];
}

/** Ghosts and ways of all who answered; the start is grey. */
function pictureOf(
  race: Race | null,
  colours: readonly string[],
): { ghosts: readonly Ghost[]; trails: readonly Trail[] } {
  if (!race) return { ghosts: [], trails: [] };
  const ghosts: Ghost[] = [{ poses: race.start.poses, colour: "var(--line-strong)", opacity: 0.55 }];
  const trails: Trail[] = [];
  race.entries.forEach((entry, index) => {
    const colour = colours[index]!;
    if (entry.poses) ghosts.push({ poses: entry.poses, colour, opacity: entry.ok ? 0.62 : 0.3 });
    if (entry.path && entry.path.length > 1)
      trails.push({ points: entry.path.map((point) => [point[2]!, point[3]!, point[4]!]), colour });
  });
  return { ghosts, trails };
}

/** The same in the world, for the 3-D view. */
function overlaysOf(
  race: Race,
  bodies: readonly ArmBody[],
  base: Pose,
  colours: readonly string[],
): Overlay[] {
  const items: Overlay[] = [];
  race.entries.forEach((entry, index) => {
    const color = colours[index]!;
    if (!entry.poses) return;
    for (const rod of rodsOf(bodies, entry.poses)) {
      if (rod.kind === "motor") continue;
      const points = [...placed(base, rod.from), ...placed(base, rod.to)];
      const radius = Math.max(0.006, 0.8 * rod.radius);
      items.push({ kind: "tube", points, radii: [radius, radius], color, opacity: entry.ok ? 0.38 : 0.16 });
    }
    const path = entry.path ?? [];
    if (path.length > 1)
      items.push({ kind: "line", points: path.flatMap((point) => placed(base, point.slice(2))), color, width: 2 });
  });
  return items;
}
