/** The Commander: typed lines to a robot's controller, and its answers. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Icon } from "../parts/icons";
import { net } from "../net";
import { change, settings } from "../settings";
import { store } from "../store";
import { LineWindow } from "./window";

const KEPT = 200; // lines of the history

export function Commander() {
  const robots = store.panel.value.robots;
  return (
    <>
      <LineWindow
        window="commander"
        title="Commander"
        empty={
          robots.length
            ? "Type a line below; the robot's controller answers here."
            : "No robot of this scene takes typed lines."
        }
      />
      {robots.length > 0 && <CommandForm robots={robots} />}
    </>
  );
}

function CommandForm({ robots }: { robots: readonly number[] }) {
  const text = useSignal("");
  const error = useSignal("");
  const robot = useSignal(robots[0] ?? 0);
  /** Place in the history, counted from its end; 0: the line being typed. */
  const place = useRef(0);
  const draft = useRef("");
  const history = settings.value.history;
  const selected = robots.includes(robot.value) ? robot.value : (robots[0] ?? 0);

  const recall = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const next = place.current + step;
    if (!step || next < 0 || next > history.length) return;
    event.preventDefault();
    if (place.current === 0) draft.current = text.value;
    place.current = next;
    text.value = next === 0 ? draft.current : history[history.length - next]!;
  };
  const send = async () => {
    const line = text.value;
    if (!line.trim()) {
      error.value = "Type a line first.";
      return;
    }
    const reply = await net.request("send_line", { robot: selected, text: line });
    if (!reply.ok) {
      error.value = reply.message || "The line was refused.";
      return;
    }
    error.value = "";
    place.current = 0;
    change({ history: [...history.filter((item) => item !== line), line].slice(-KEPT) });
    if (text.value === line) text.value = "";
  };
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {error.value && (
        <p class="form-error field-error" id="command-error" role="alert">
          {error.value}
        </p>
      )}
      <select
        class="select"
        aria-label="Robot"
        value={String(selected)}
        onChange={(event) => (robot.value = Number(event.currentTarget.value))}
      >
        {robots.map((number) => (
          <option key={number} value={String(number)}>
            Robot {number}
          </option>
        ))}
      </select>
      <input
        class="input mono grow"
        type="text"
        aria-label="Command"
        aria-invalid={error.value !== ""}
        aria-describedby="command-error"
        placeholder="Type a line, Enter to send, ↑ ↓ for former lines"
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          error.value = "";
        }}
        onKeyDown={recall}
      />
      <button type="submit" class="button">
        <Icon name="send" size={14} /> Send
      </button>
    </form>
  );
}
