/** The environment file in the editor: colours, completion, help. */

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Grammar, GrammarDirective, GrammarParam } from "./service";

/** Words whose text runs to the end of the line. */
const TEXTS = /^(STRING|CONFIG\d?|TPCONFIG)$/;

interface State {
  isInComment: boolean;
  /** Words of a text that are left before it begins; -1: no text. */
  untilText: number;
  isText: boolean;
}

/** Every word that the grammar knows, those with a robot's digit included. */
export function keywordsOf(grammar: Grammar): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { word, variant, ends, is_numbered } of grammar.directives) {
    words.add(word);
    if (variant) words.add(variant);
    for (const end of ends) words.add(end);
    if (is_numbered) for (let n = 0; n < grammar.num_robots; n += 1) words.add(`${word}${n}`);
  }
  for (const { word } of grammar.plans) words.add(word);
  for (const word of grammar.choices) if (word.length > 1) words.add(word);
  return words;
}

/** Colours by words; a mistake in a file never makes it stop. */
export function highlighter(keywords: ReadonlySet<string>): Extension {
  return StreamLanguage.define<State>({
    startState: () => ({ isInComment: false, untilText: -1, isText: false }),
    token(stream, state) {
      if (stream.sol()) {
        state.untilText = -1;
        state.isText = false;
      }
      if (state.isInComment) {
        if (stream.skipTo("*/")) {
          stream.match("*/");
          state.isInComment = false;
        } else stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match("/*")) {
        state.isInComment = true;
        return "comment";
      }
      const isAfterBlank = stream.pos === 0 || /\s/.test(stream.string[stream.pos - 1]!);
      if ((!state.isText || isAfterBlank) && stream.match("//")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/^_[IDS]\{[^}\s]*\}_?/)) return "special";
      if (state.isText) {
        stream.next();
        stream.eatWhile(/[^\s/_]/);
        return "string";
      }
      stream.match(/^(?:(?!\/\/|\/\*)\S)+/) || stream.next();
      return classify(stream.current(), state, keywords);
    },
    tokenTable: { special: tags.special(tags.string) },
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  });
}

function classify(word: string, state: State, keywords: ReadonlySet<string>): string {
  if (keywords.has(word)) {
    if (TEXTS.test(word)) state.untilText = word === "STRING" ? 1 : 0;
    state.isText = state.untilText === 0;
    return "keyword";
  }
  if (state.untilText > 0) {
    state.untilText -= 1;
    state.isText = state.untilText === 0;
    return "variableName";
  }
  if (/^[-+(]*(\d|\.\d)/.test(word) && !/^[0-9A-Fa-f]{6}$/.test(word)) return "number";
  if (/^[0-9A-Fa-f]{6}$/.test(word)) return "atom";
  if (/^[\w/]*[^\W\d]\w*(\.[^\W\d]\w*)+(:\w+)?$/.test(word)) return "className";
  return "variableName";
}

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.number, color: "var(--teal)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.special(tags.string), color: "var(--violet)" },
  { tag: tags.atom, color: "var(--brand)" },
  { tag: tags.className, color: "var(--violet)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--sunken)",
    color: "var(--faint)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--hover)", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    color: "var(--text)",
    boxShadow: "var(--shadow)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--text)",
  },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)" },
  ".cm-panels input, .cm-panels button": { color: "var(--text)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
});

export const looks: Extension = [syntaxHighlighting(style), theme];

function helpOf(title: string, text: string, params: readonly GrammarParam[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "word-help";
  const usage = document.createElement("code");
  usage.textContent = title;
  const meaning = document.createElement("p");
  meaning.textContent = text.replaceAll("`", "");
  box.append(usage, meaning);
  if (params.length > 0) {
    const list = document.createElement("dl");
    for (const param of params) {
      const name = document.createElement("dt");
      name.textContent = param.name;
      const what = document.createElement("dd");
      what.textContent = param.text;
      list.append(name, what);
    }
    box.append(list);
  }
  return box;
}

/** Help for a word, or null. */
export function findHelp(
  grammar: Grammar,
  word: string,
  before: string,
): { readonly usage: string; readonly text: string; readonly params: readonly GrammarParam[] } | null {
  const plain = word.replace(/\d$/, "");
  const plan = grammar.plans.find((item) => item.word === word);
  if (plan) return plan;
  const matches = (item: GrammarDirective) =>
    item.variant === word ||
    (!item.variant && (item.word === word || (item.is_numbered && item.word === plain))) ||
    item.ends.includes(word);
  const found = grammar.directives.filter(matches);
  if (found[0]) return found[0];
  if (word !== "TRIGGER") return null;
  const variants = grammar.directives.filter((item) => item.word === "TRIGGER");
  const named = variants.find((item) => before.includes(item.variant)) ?? variants[0];
  return named ?? null;
}

/** Help under the mouse. */
export function hover(grammar: Grammar): Extension {
  return hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos);
    const left = /[A-Za-z0-9_]*$/.exec(line.text.slice(0, pos - line.from))![0];
    const right = /^[A-Za-z0-9_]*/.exec(line.text.slice(pos - line.from))![0];
    const word = left + right;
    const help = word ? findHelp(grammar, word, line.text) : null;
    if (!help) return null;
    const start = pos - left.length;
    return {
      pos: start,
      end: start + word.length,
      above: true,
      create: () => ({ dom: helpOf(help.usage, help.text, help.params) }),
    };
  });
}

/** What can be written at a place, from what stands before it in its line. */
export function optionsAfter(grammar: Grammar, before: string): readonly Completion[] {
  const words = before.trim().split(/\s+/).filter(Boolean);
  const last = words[words.length - 1] ?? "";
  if (last === "TRIGGER")
    return grammar.directives
      .filter((item) => item.word === "TRIGGER")
      .map((item) => ({ label: item.variant, type: "keyword", info: () => helpOf(item.usage, item.text, item.params) }));
  const classes = grammar.classes[last.replace(/\d$/, "")];
  if (classes) return classes.map((label) => ({ label, type: "class" }));
  const directives = new Map<string, Completion>();
  for (const item of grammar.directives)
    directives.set(item.word, {
      label: item.word,
      detail: item.variant ? "" : item.usage.slice(item.word.length).trim().slice(0, 34),
      type: "keyword",
      boost: 1,
      info: () => helpOf(item.variant ? "TRIGGER ..." : item.usage, item.text, item.params),
    });
  const plans = grammar.plans.map((item) => ({
    label: item.word,
    type: "keyword",
    info: () => helpOf(item.usage, item.text, item.params),
  }));
  const ends = [...new Set(grammar.directives.flatMap((item) => item.ends))];
  return [
    ...directives.values(),
    ...plans,
    ...ends.map((label) => ({ label, type: "keyword" })),
    ...grammar.choices.filter((word) => word.length > 1).map((label) => ({ label, type: "constant" })),
  ];
}

export function completion(grammar: Grammar): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/);
    const from = word ? word.from : context.pos;
    const line = context.state.doc.lineAt(from);
    const before = line.text.slice(0, from - line.from);
    const isAfterOwner = /(MANIPULATOR|GRIPPER)\d?\s+$|TRIGGER\s+$/.test(before);
    if (!word && !context.explicit && !isAfterOwner) return null;
    if (/\/\//.test(before)) return null;
    return { from, options: [...optionsAfter(grammar, before)], validFor: /^[\w.]*$/ };
  };
  return autocompletion({ override: [source], icons: false });
}
