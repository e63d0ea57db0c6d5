/** A part of the page that fails says so, and the rest goes on. */

import { Component, type ComponentChildren } from "preact";

interface Props {
  /** Of the part, for the message. */
  readonly name: string;
  readonly children: ComponentChildren;
}

interface State {
  readonly problem: string;
}

export class Guard extends Component<Props, State> {
  override state: State = { problem: "" };

  override componentDidCatch(problem: unknown): void {
    console.error(problem);
    this.setState({ problem: problem instanceof Error ? problem.message : String(problem) });
  }

  override render({ name, children }: Props, { problem }: State) {
    if (!problem) return children;
    return (
      <div class="empty" role="alert">
        <p class="field-error">
          {name} has failed: {problem}
        </p>
        <button
          type="button"
          class="button small"
          onClick={() => this.setState({ problem: "" })}
        >
          Try again
        </button>
      </div>
    );
  }
}
