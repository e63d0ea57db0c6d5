/** The environment file of the scene: write, check, load and run it. */

import { closeBrackets } from "@codemirror/autocomplete";
import { forceLinting, linter, lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { indentWithTab } from "@codemirror/commands";
import { EditorView, basicSetup } from "codemirror";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icons";
import type { Net } from "../net";
import type { ToolProps } from "../tools";
import { completion, highlighter, hover, keywordsOf, looks } from "./language";
import { ask, Refusal, type Check, type Grammar, type Problem, type Summary } from "./service";
import { problemsOfMessage, summaryText } from "./words";
import "./armbot.css";

const PAUSE = 250; // ms without a key before a text is checked

/** Texts that were changed and not loaded yet, by scene. */
const drafts = new Map<string, string>();
let knownGrammar: Grammar | null = null;

interface Found {
  readonly problems: readonly Problem[];
  readonly numMore: number;
  readonly summary: Summary | null;
  /** Why nothing is known, if so. */
  readonly refusal: string;
}

const NOTHING: Found = { problems: [], numMore: 0, summary: null, refusal: "" };

function diagnosticsOf(doc: Text, problems: readonly Problem[]): Diagnostic[] {
  return problems.map((problem) => {
    const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines));
    const from = Math.min(line.from + problem.column - 1, line.to);
    const to = Math.max(from, Math.min(from + problem.length, line.to));
    return { from, to, severity: "error", message: problem.text };
  });
}

export default function Editor({ store, net }: ToolProps) {
  const scene = store.scene.value;
  const panel = store.panel.value;
  const mayRun = store.hello.value?.may_run_code ?? false;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const shown = useRef({ scene: "", source: "" });
  const [found, setFound] = useState<Found>(NOTHING);
  const [isChanged, setChanged] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [refusal, setRefusal] = useState("");
  const take = useRef(setFound);
  take.current = setFound;

  useEffect(() => {
    let isAlive = true;
    const start = async () => {
      knownGrammar ??= await ask(net, "grammar", {}).catch(() => null);
      if (!isAlive || !host.current) return;
      const changed = EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        const text = update.state.doc.toString();
        const { scene: name, source } = shown.current;
        if (text === source) drafts.delete(name);
        else drafts.set(name, text);
        setChanged(text !== source);
        setRefusal("");
      });
      const extensions = [...extensionsFor(net, knownGrammar, take), changed];
      const text = drafts.get(shown.current.scene) ?? shown.current.source;
      editor.current = new EditorView({
        parent: host.current,
        state: EditorState.create({ doc: text, extensions }),
      });
      setChanged(text !== shown.current.source);
      forceLinting(editor.current);
    };
    void start();
    return () => {
      isAlive = false;
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);

  const name = scene?.name ?? "";
  useEffect(() => {
    shown.current = { scene: name, source: panel.source };
    const view = editor.current;
    if (!view) return;
    const text = drafts.get(name) ?? panel.source;
    if (text !== view.state.doc.toString())
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    setChanged(text !== panel.source);
    forceLinting(view);
  }, [name, panel.source]);

  const text = () => editor.current?.state.doc.toString() ?? "";
  const show = (problems: readonly Problem[]) => {
    const view = editor.current;
    if (view) view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, problems)));
  };
  const checkNow = async () => {
    const result = await check(net, text());
    setFound(result);
    show(result.problems);
  };
  const load = async () => {
    setLoading(true);
    setRefusal("");
    const sent = text();
    const file = panel.source_name || "cell.env";
    const reply = await net.request("service", { name: "armbot.load", value: { text: sent, name: file } });
    setLoading(false);
    if (reply.ok) {
      drafts.delete(name);
      store.notify(`${file} is loaded.`);
      return;
    }
    const problems = problemsOfMessage(reply.message);
    setRefusal(
      problems.length > 0
        ? "The file was not loaded; the scene goes on as it was."
        : reply.message || "The file was refused.",
    );
    if (problems.length > 0) {
      setFound({ ...NOTHING, problems });
      show(problems);
    }
  };
  const revert = () => {
    const view = editor.current;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: panel.source } });
  };
  const download = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "text/plain" }));
    link.download = panel.source_name || "cell.env";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const goTo = (problem: Problem) => {
    const view = editor.current;
    const first = view && diagnosticsOf(view.state.doc, [problem])[0];
    if (!view || !first) return;
    view.dispatch({
      selection: { anchor: first.from, head: first.to },
      effects: EditorView.scrollIntoView(first.from, { y: "center" }),
    });
    view.focus();
  };

  const count = found.problems.length + found.numMore;
  return (
    <section class="side-fill armbot-editor" aria-label="Environment file">
      <header class="tool-head">
        <strong class="tool-file" title={panel.source_name}>
          {panel.source_name || "cell.env"}
        </strong>
        {isChanged && <span class="chip">changed</span>}
        <span class="grow" />
        <button type="button" class="button small" onClick={() => void checkNow()}>
          Check
        </button>
        <button
          type="button"
          class="button small primary"
          disabled={!mayRun || isLoading || count > 0}
          title={count > 0 ? "Mend the problems first" : "Build this cell and start it"}
          onClick={() => void load()}
        >
          <Icon name="start" size={13} />
          {isLoading ? "Loading" : "Load & run"}
        </button>
        <button type="button" class="button small" disabled={!isChanged} onClick={revert}>
          Revert
        </button>
        <button type="button" class="button small icon" aria-label="Download" title="Download" onClick={download}>
          <Icon name="download" />
        </button>
      </header>
      {!mayRun && (
        <p class="tool-note">
          This server takes no files to run from the page, because it can be reached over the network. You can
          write and check here, and download the file.
        </p>
      )}
      {refusal && (
        <p class="tool-refusal field-error" role="alert">
          {refusal}
        </p>
      )}
      <div class="editor-host" ref={host} />
      <footer class="editor-foot">
        <p class={count > 0 ? "field-error" : "muted"} role="status">
          {found.refusal || (count > 0 ? `${count} ${count === 1 ? "problem" : "problems"}` : summaryText(found.summary))}
        </p>
        {count > 0 && (
          <ul class="problems scroll" aria-label="Problems">
            {found.problems.map((problem, index) => (
              <li key={index}>
                <button type="button" onClick={() => goTo(problem)}>
                  <span class="number muted">
                    {problem.line}:{problem.column}
                  </span>
                  <span>{problem.text}</span>
                </button>
              </li>
            ))}
            {found.numMore > 0 && <li class="muted">and {found.numMore} more</li>}
          </ul>
        )}
      </footer>
    </section>
  );
}

async function check(net: Net, text: string): Promise<Found> {
  try {
    const answer: Check = await ask(net, "check", { text });
    const { problems, num_more: numMore, summary } = answer;
    return { problems, numMore, summary, refusal: "" };
  } catch (error) {
    return { ...NOTHING, refusal: error instanceof Refusal ? error.message : String(error) };
  }
}

function extensionsFor(
  net: Net,
  grammar: Grammar | null,
  take: { readonly current: (found: Found) => void },
): readonly Extension[] {
  const lint = linter(
    async (view) => {
      const found = await check(net, view.state.doc.toString());
      take.current(found);
      return diagnosticsOf(view.state.doc, found.problems);
    },
    { delay: PAUSE },
  );
  const words = grammar ? [highlighter(keywordsOf(grammar)), hover(grammar), completion(grammar)] : [];
  return [
    basicSetup,
    keymap.of([indentWithTab]),
    closeBrackets(),
    looks,
    ...words,
    lint,
    lintGutter(),
    EditorView.contentAttributes.of({ "aria-label": "Text of the environment file" }),
  ];
}
