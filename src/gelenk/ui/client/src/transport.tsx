/** The bar that starts, holds and paces the run, with the time line. */

import { useEffect, useRef } from "preact/hooks";
import * as actions from "./actions";
import type { Action } from "./actions";
import { IconButton } from "./parts/controls";
import { Icon, type IconName } from "./parts/icons";
import { clock, clockUnit } from "./parts/format";
import { paced } from "./parts/pace";
import { backToLive } from "./scrub";
import { store } from "./store";
import { Timeline } from "./timeline";

const BUTTONS: readonly (readonly [Action, string, IconName, string])[] = [
  ["start", "Start", "start", "S"],
  ["pause", "Pause", "pause", "P"],
  ["stop", "Stop", "stop", "X"],
  ["reset", "Reset", "reset", "Shift R"],
];

const PERIOD = 100; // ms between two readings of the clock
const PACES: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export function Transport() {
  const status = store.status.value;
  const isLive = store.frames.shown.value === "live";
  const isOpen = store.connection.value === "open";
  return (
    <footer class="transport" aria-label="Transport">
      <div class="transport-group" role="group" aria-label="Execute">
        {BUTTONS.map(([action, name, icon, key]) => (
          <IconButton
            key={action}
            icon={icon}
            name={name}
            shortcut={key}
            look={action === "start" ? "start" : ""}
            isDisabled={!isOpen || !status.buttons.includes(action)}
            onClick={() => actions.execute(action)}
          />
        ))}
      </div>
      <span class="chip state" role="status" aria-label="State">
        <span class={`dot ${isOpen ? status.state : ""}`} />
        {isOpen ? status.state : "unknown"}
      </span>
      <div class="transport-group" role="group" aria-label="Time">
        <IconButton
          icon={status.is_held ? "go" : "hold"}
          name={status.is_held ? "Continue time" : "Hold time"}
          shortcut="Space"
          look={status.is_held ? "held" : ""}
          isDisabled={!isOpen}
          onClick={actions.toggleHold}
        />
        <IconButton
          icon="step"
          name="Single step"
          shortcut="."
          look=""
          isDisabled={!isOpen}
          onClick={actions.stepOnce}
        />
      </div>
      <Speed />
      <Clock />
      <Timeline />
      <button
        type="button"
        class={`button live ${isLive ? "is-live" : ""}`}
        aria-label="Back to live"
        title="Back to live (L)"
        disabled={isLive}
        onClick={backToLive}
      >
        {isLive ? (
          <span class={`dot ${isOpen ? "good" : ""}`} />
        ) : (
          <Icon name="live" size={13} />
        )}
        Live
      </button>
    </footer>
  );
}

function Speed() {
  const status = store.status.value;
  const paces = [...new Set([...PACES, ...(status.pace === null ? [] : [status.pace])])];
  return (
    <div class="speed">
      <label>
        <span class="hidden-label">Speed</span>
        <select
          class="select"
          aria-label="Speed"
          title="Wanted speed: simulated seconds per second"
          disabled={store.connection.value !== "open"}
          value={status.pace === null ? "max" : String(status.pace)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            actions.setPace(value === "max" ? null : Number(value));
          }}
        >
          {paces
            .sort((a, b) => a - b)
            .map((pace) => (
              <option key={pace} value={String(pace)}>
                {pace} ×
              </option>
            ))}
          <option value="max">max</option>
        </select>
      </label>
      <span class="speed-reached number" title="Reached speed: simulated seconds per second">
        {status.is_held ? "held" : `${status.speed.toFixed(2)} ×`}
      </span>
    </div>
  );
}

/** The time of the shown frame; written directly, not through the framework. */
function Clock() {
  const text = useRef<HTMLSpanElement>(null);
  const unit = useRef<HTMLSpanElement>(null);
  const scene = store.scene.value;
  useEffect(() => {
    const show = () => {
      const time = store.frames.latest()?.time ?? store.status.peek().time;
      if (text.current) text.current.textContent = clock(time);
      if (unit.current) unit.current.textContent = clockUnit(time);
    };
    show();
    const writing = paced(show, PERIOD);
    const end = store.frames.onFrame(writing.ask);
    return () => {
      end();
      writing.end();
    };
  }, [scene]);
  return (
    <div
      class="clock number"
      title="Simulated time of what is shown"
      aria-label="Simulated time"
    >
      <span ref={text}>0.00</span>
      <span class="unit" ref={unit}>
        s
      </span>
    </div>
  );
}
