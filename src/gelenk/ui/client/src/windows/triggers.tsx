/** The Trigger-Console: every trigger that was sent, and a form to send one. */

import { useSignal } from "@preact/signals";
import { Icon } from "../parts/icons";
import { net } from "../net";
import type { Row } from "../parts/virtual";
import type { Line } from "../protocol";
import { store } from "../store";
import { LineWindow, TimeCell } from "./window";

const ALL = "-1";

function receiverName(number: number | null): string {
  if (number === null) return "";
  if (number === -1) return "all";
  const who = store.panel.value.receivers[String(number)];
  return who ? `${number} ${who}` : String(number);
}

function drawTrigger({ number, item }: Row<Line>) {
  return (
    <div key={number} class={`line trigger level-${item.level}`} title={item.text}>
      <TimeCell line={item} />
      <span class="line-source">{item.source}</span>
      <span class="line-source">{receiverName(item.receiver)}</span>
      <span class="line-text">{item.text}</span>
    </div>
  );
}

export function TriggerConsole() {
  return (
    <>
      <LineWindow
        window="triggers"
        title="Trigger-Console"
        empty="No trigger was sent yet."
        draw={drawTrigger}
        head={
          <div class="line trigger line-head" aria-hidden="true">
            <span>Time [s]</span>
            <span>Sender</span>
            <span>Receiver</span>
            <span>Text</span>
          </div>
        }
      />
      <TriggerForm />
    </>
  );
}

function TriggerForm() {
  const text = useSignal("");
  const error = useSignal("");
  const receiver = useSignal(ALL);
  const receivers = Object.entries(store.panel.value.receivers).filter(([key]) => key !== ALL);
  const selected = receivers.some(([number]) => number === receiver.value)
    ? receiver.value
    : ALL;
  const send = async () => {
    if (!text.value.trim()) {
      error.value = "Type the text of the trigger first.";
      return;
    }
    const sent = text.value;
    const reply = await net.request("send_trigger", { receiver: Number(selected), text: sent });
    error.value = reply.ok ? "" : reply.message || "The trigger was refused.";
    if (reply.ok && text.value === sent) text.value = "";
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
        <p class="form-error field-error" id="trigger-error" role="alert">
          {error.value}
        </p>
      )}
      <select
        class="select"
        aria-label="Receiver"
        value={selected}
        onChange={(event) => (receiver.value = event.currentTarget.value)}
      >
        <option value={ALL}>All controllers</option>
        {receivers.map(([number, who]) => (
          <option key={number} value={number}>
            {who ? `${number}: ${who}` : number}
          </option>
        ))}
      </select>
      <input
        class="input mono grow"
        type="text"
        aria-label="Trigger text"
        aria-invalid={error.value !== ""}
        aria-describedby="trigger-error"
        placeholder="Text of the trigger"
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          error.value = "";
        }}
      />
      <button type="submit" class="button">
        <Icon name="send" size={14} /> Send trigger
      </button>
    </form>
  );
}
