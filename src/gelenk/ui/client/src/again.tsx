/** What is offered when all programs have finished: run again, or stay. */

import { execute } from "./actions";
import { net } from "./net";
import { Icon } from "./parts/icons";
import { store } from "./store";

const REPEAT = "page.repeat"; // the parameter that the server knows

/** Presses Reset, and Start once everything stands at its beginning. */
export async function runAgain(): Promise<void> {
  const reply = await net.request("execute", { action: "reset", controller: null });
  if (reply.ok) execute("start");
  else store.notify(reply.message, "error");
}

export function setRepeat(isOn: boolean): void {
  void net.ask("set_parameter", { name: REPEAT, value: isOn });
}

/** Says that the programs are done, over the picture. */
export function FinishedPill() {
  const { is_finished, again_in, buttons } = store.status.value;
  if (!is_finished || store.frames.shown.value !== "live") return null;
  return (
    <div class="past finished" role="group" aria-label="All programs have finished">
      <span role="status">
        {again_in === null ? (
          "All programs have finished"
        ) : (
          <>
            Finished. Begins again in <span class="number">{again_in}</span>
            <span class="unit">s</span>
          </>
        )}
      </span>
      {again_in !== null && (
        <button type="button" class="button small plain" onClick={() => setRepeat(false)}>
          Stay
        </button>
      )}
      <button
        type="button"
        class="button small primary"
        disabled={!buttons.includes("reset")}
        onClick={() => void runAgain()}
      >
        <Icon name="reset" size={13} /> Run again
      </button>
    </div>
  );
}

/** The switch in the panel; what the server says is what it shows. */
export function RepeatSwitch() {
  const { repeats } = store.status.value;
  if (repeats === null) return null;
  return (
    <label
      class="check repeat"
      title="When all programs have finished, the scene begins anew after 4 s. Using the scene switches this off."
    >
      <input
        type="checkbox"
        checked={repeats}
        onChange={(event) => setRepeat(event.currentTarget.checked)}
      />
      Repeat
      <span class="muted">begin anew when all have finished</span>
    </label>
  );
}
