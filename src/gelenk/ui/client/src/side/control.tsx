/** Controllers with their states, parameters and special buttons. */

import * as actions from "../actions";
import { RepeatSwitch } from "../again";
import { IconButton } from "../parts/controls";
import { net } from "../net";
import type { PanelAction, ControllerStatus } from "../protocol";
import { store } from "../store";
import { ActionForm } from "./action";
import { ParameterField } from "./parameter";

export function ControlPanel() {
  const scene = store.scene.value;
  const panel = store.panel.value;
  const { controllers } = store.status.value;
  const groups = new Map<string, PanelAction[]>();
  for (const action of store.exhibit.actions.value)
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  return (
    <div class="side-body scroll">
      <section class="block" aria-label="Controllers">
        <h2>Controllers</h2>
        {controllers.length === 0 && <p class="muted">This scene runs without controllers.</p>}
        <ul class="controllers">
          {controllers.map((controller) => (
            <Controller key={controller.number} controller={controller} />
          ))}
        </ul>
        <RepeatSwitch />
      </section>
      {(panel.buttons.length > 0 || groups.size > 0) && (
        <section class="block" aria-label="Actions">
          <h2>Actions</h2>
          {[...groups].map(([group, items]) => (
            <div key={group} class="action-group" role="group" aria-label={group || "Actions"}>
              {group && <h3>{group}</h3>}
              {items.map((action) => (
                <ActionForm key={`${scene?.number} ${action.name}`} action={action} />
              ))}
            </div>
          ))}
          <div class="actions">
            {panel.buttons.map((button) => (
              <button
                key={button.name}
                type="button"
                class="button"
                title={button.help}
                onClick={() => void net.ask("press", { name: button.name, values: {} })}
              >
                {button.title}
              </button>
            ))}
          </div>
        </section>
      )}
      {panel.parameters.length > 0 && (
        <section class="block" aria-label="Parameters">
          <h2>Parameters</h2>
          {panel.parameters.map((parameter) => (
            <ParameterField key={`${scene?.number} ${parameter.name}`} parameter={parameter} />
          ))}
        </section>
      )}
      {scene && (
        <section class="block" aria-label="Scene">
          <h2>Scene</h2>
          <dl class="facts">
            <dt>Bodies</dt>
            <dd class="number">{scene.bodies.length}</dd>
            <dt>Motors</dt>
            <dd class="number">{scene.joints.length}</dd>
            <dt>Physics step</dt>
            <dd class="number">
              {Number((scene.step * 1e3).toPrecision(4))}
              <span class="unit">ms</span>
            </dd>
            <dt>Control period</dt>
            <dd class="number">
              {Number((scene.period * 1e3).toPrecision(4))}
              <span class="unit">ms</span>
            </dd>
          </dl>
        </section>
      )}
    </div>
  );
}

const BUTTONS = [
  ["start", "Start"],
  ["pause", "Pause"],
  ["stop", "Stop"],
] as const;

function Controller({ controller }: { controller: ControllerStatus }) {
  const { number, name, state, reason, buttons } = controller;
  const title = name || `Controller ${number}`;
  return (
    <li class="controller">
      <span class={`dot ${state}`} />
      <span class="controller-text">
        <strong>{title}</strong>
        <span class="muted" title={reason}>
          {state}
          {reason && state !== "running" && `: ${reason}`}
        </span>
      </span>
      {BUTTONS.map(([action, word]) => (
        <IconButton
          key={action}
          icon={action}
          name={`${word} ${title}`}
          look="plain small"
          isDisabled={!buttons.includes(action)}
          onClick={() => actions.execute(action, number)}
        />
      ))}
    </li>
  );
}
