// One line of the language with completion: the console's.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import type { Studio } from "../studio.svelte";
import { offered } from "./offered";
import { phrases } from "./phrases";
import { theme } from "./theme";

export interface LineEditor {
  clear(): void;
  /** What the line is called, for those who hear it, and the language of what helps. */
  name(label: string, lang: "en" | "ru"): void;
  destroy(): void;
}

const plain = EditorView.theme({
  "&": { height: "auto", maxHeight: "60px", backgroundColor: "transparent", fontSize: "var(--t1)" },
  ".cm-content": { padding: "5px 0" },
  ".cm-line": { padding: "0" },
});

/** Makes such a line in an element. */
export function lineEditor(
  parent: HTMLElement,
  studio: Studio,
  act: { done(line: string): void; older(by: -1 | 1): string },
): LineEditor {
  const named = new Compartment();
  const put = (view: EditorView, text: string) => {
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: text.length },
    });
    return true;
  };
  const older = (by: -1 | 1) => (view: EditorView) => completionStatus(view.state) === null && put(view, act.older(by));
  const attributes = (label: string, lang: "en" | "ru") => [
    EditorView.contentAttributes.of({
      "aria-label": label,
      "data-field": "console",
      "aria-multiline": "false",
      spellcheck: "false",
      autocapitalize: "off",
    }),
    EditorState.phrases.of(phrases(lang)),
  ];
  const view = new EditorView({
    parent,
    extensions: [
      named.of(attributes(studio.word("console"), studio.lang)),
      // What is pasted stays one line.
      EditorState.transactionFilter.of((change) =>
        change.newDoc.lines > 1
          ? [
              change,
              {
                changes: { from: 0, to: change.newDoc.length, insert: joined(change.newDoc.toString()) },
                sequential: true,
              },
            ]
          : change,
      ),
      keymap.of([
        { key: "Tab", run: acceptCompletion },
        { key: "Enter", run: (own) => acceptCompletion(own) || (act.done(own.state.doc.toString()), true) },
        { key: "ArrowUp", run: older(-1) },
        { key: "ArrowDown", run: older(1) },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      history(),
      bracketMatching(),
      closeBrackets(),
      // What comes first holds: a line is no taller than a line.
      plain,
      theme,
      autocompletion({
        icons: false,
        aboveCursor: true,
        override: [
          (context) => {
            const file = studio.current;
            const line = context.state.doc.toString();
            if (!file || (!context.explicit && !/[\p{L}_(.]$/u.test(line.slice(0, context.pos)))) return null;
            const asked = { path: file.path, text: file.sound ?? file.text, line, at: context.pos };
            return offered(studio, "text.complete-line", asked);
          },
        ],
      }),
    ],
  });
  return {
    clear: () => void put(view, ""),
    name: (label, lang) => view.dispatch({ effects: named.reconfigure(attributes(label, lang)) }),
    destroy: () => view.destroy(),
  };
}

const joined = (text: string) => text.split(/\s*\n\s*/).join(" ");
