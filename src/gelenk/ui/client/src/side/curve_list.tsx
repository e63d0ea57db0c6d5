/** The sheet in which curves are chosen: by robot, by kind, by name. */

import { useSignal } from "@preact/signals";
import { capital } from "../parts/format";
import { groupByKind, passes, robotsOf, type CurveGroup, type CurveInfo } from "./curves";

interface Props {
  readonly curves: readonly CurveInfo[];
  readonly chosen: readonly string[];
  choose(signals: readonly string[]): void;
}

export function CurveList({ curves, chosen, choose }: Props) {
  const filter = useSignal("");
  const robot = useSignal("*");
  const robots = robotsOf(curves);
  const found = curves.filter(
    (curve) =>
      passes(curve, filter.value) && (robot.value === "*" || curve.robot === robot.value),
  );
  const set = (group: readonly CurveInfo[], isOn: boolean) => {
    const own = group.map((curve) => curve.signal);
    const others = chosen.filter((signal) => !own.includes(signal));
    choose(isOn ? [...others, ...own] : others);
  };
  const isNarrow = filter.value.trim() !== "" || robot.value !== "*" || robots.length === 1;
  return (
    <div class="signal-list">
      <div class="line-tools">
        <input
          class="input grow"
          type="search"
          placeholder="Search curves"
          aria-label="Search curves"
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        {robots.length > 1 && (
          <select
            class="select"
            aria-label="Curves of"
            value={robot.value}
            onChange={(event) => (robot.value = event.currentTarget.value)}
          >
            <option value="*">All</option>
            {robots.map((name) => (
              <option key={name} value={name}>
                {name || "Scene"}
              </option>
            ))}
          </select>
        )}
        <button type="button" class="button small" onClick={() => choose([])}>
          None
        </button>
      </div>
      <div class="scroll signal-groups">
        {robotsOf(found).map((name) => (
          <RobotCurves
            key={name}
            robot={name}
            curves={found.filter((curve) => curve.robot === name)}
            chosen={chosen}
            isNarrow={isNarrow}
            set={set}
          />
        ))}
        {found.length === 0 && <p class="empty">No curve has this name.</p>}
      </div>
    </div>
  );
}

interface RobotProps {
  readonly robot: string;
  readonly curves: readonly CurveInfo[];
  readonly chosen: readonly string[];
  /** Few enough to be shown at once. */
  readonly isNarrow: boolean;
  set(group: readonly CurveInfo[], isOn: boolean): void;
}

function RobotCurves({ robot, curves, chosen, isNarrow, set }: RobotProps) {
  const count = curves.filter((curve) => chosen.includes(curve.signal)).length;
  return (
    <details class="curve-robot" open={isNarrow || count > 0}>
      <summary>
        {robot || "Scene"}
        <span class="muted">{count > 0 ? `${count} shown` : ""}</span>
      </summary>
      {groupByKind(curves).map((group) => (
        <KindCurves
          key={`${group.kind} ${group.unit}`}
          group={group}
          title={robot || "Scene"}
          chosen={chosen}
          set={set}
        />
      ))}
    </details>
  );
}

interface KindProps extends Pick<RobotProps, "chosen" | "set"> {
  readonly group: CurveGroup;
  readonly title: string;
}

function KindCurves({ group, title, chosen, set }: KindProps) {
  const { kind, unit, curves } = group;
  const isAll = curves.every((curve) => chosen.includes(curve.signal));
  return (
    <fieldset>
      <legend class="curve-kind">
        <label class="check">
          <input
            type="checkbox"
            aria-label={`${title}: all curves of ${kind}, ${unit}`}
            checked={isAll}
            onChange={(event) => set(curves, event.currentTarget.checked)}
          />
          {capital(kind)}
          <span class="unit">{unit}</span>
        </label>
      </legend>
      <div class="curve-parts">
        {curves
          .filter((curve) => curve.part)
          .map((curve) => (
            <label key={curve.signal} class="check">
              <input
                type="checkbox"
                aria-label={curve.signal}
                checked={chosen.includes(curve.signal)}
                onChange={(event) => set([curve], event.currentTarget.checked)}
              />
              {curve.part}
            </label>
          ))}
      </div>
    </fieldset>
  );
}
