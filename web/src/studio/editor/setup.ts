// What the editor of text can do: colours, completion, help under the pointer, marks of problems, keys.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { autoCloseTags, xml } from "@codemirror/lang-xml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { linter, lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type EditorStateConfig, type Extension } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  rectangularSelection,
  type Tooltip,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { domNode } from "../../page/dom";
import type { Diagnostic, Words } from "../protocol";
import type { Studio } from "../studio.svelte";
import type { TextFile } from "../textfile.svelte";
import { offered } from "./offered";
import { phrases } from "./phrases";
import { theme } from "./theme";

const colours = HighlightStyle.define([
  { tag: tags.tagName, color: "var(--accent)", fontWeight: "500" },
  { tag: tags.angleBracket, color: "var(--dim)" },
  { tag: tags.attributeName, color: "var(--dim)" },
  { tag: tags.definitionOperator, color: "var(--dim)" },
  { tag: tags.attributeValue, color: "var(--good)" },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: "var(--dim)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/** What depends on the language of the reader. */
const spoken = new Compartment();

/** Everything one editor of one file has. */
export function editorSetup(file: TextFile, studio: Studio): EditorStateConfig {
  const extensions: Extension[] = [
    spoken.of(EditorState.phrases.of(phrases(studio.lang))),
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    bracketMatching(),
    closeBrackets(),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    xml({ autoCloseTags: false }),
    autoCloseTags,
    syntaxHighlighting(colours),
    theme,
    autocompletion({ override: [(context) => complete(context, file, studio)], icons: false }),
    hoverTooltip((_view, at) => hover(at, file, studio), { hideOnChange: true }),
    linter(null),
    lintGutter(),
    keymap.of([
      { key: "Mod-Enter", run: () => (void studio.run(), true) },
      { key: "Mod-s", preventDefault: true, run: () => (void studio.save(), true) },
      { key: "F2", run: () => (void studio.rename(file), true) },
      { key: "F12", run: () => (void studio.definition(file), true) },
      { key: "Shift-Alt-f", run: () => (void studio.format(file), true) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": file.path,
      spellcheck: "false",
      autocapitalize: "off",
      tabindex: "0",
    }),
    EditorView.updateListener.of((update) => {
      file.state = update.state;
      if (update.docChanged) file.changed(update.state.doc.toString());
      if (update.docChanged || update.selectionSet) {
        const at = update.state.selection.main.head;
        const line = update.state.doc.lineAt(at);
        file.caret = { line: line.number, column: at - line.from + 1, at };
      }
    }),
  ];
  return { extensions };
}

/** Says everything anew in the reader's language. */
export function speak(view: EditorView, studio: Studio): void {
  view.dispatch({ effects: spoken.reconfigure(EditorState.phrases.of(phrases(studio.lang))) });
  if (studio.current) mark(view, studio.current, studio);
}

async function complete(context: CompletionContext, file: TextFile, studio: Studio): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[\w<"' =./\u0400-\u04ff]/.test(before)) return null;
  const text = context.state.doc.toString();
  return offered(studio, "text.complete", { path: file.path, text, at: context.pos });
}

interface Hover {
  from: number;
  to: number;
  title: Words;
  about: Words;
  facts: { name: Words; value: Words }[];
}

async function hover(at: number, file: TextFile, studio: Studio): Promise<Tooltip | null> {
  const found = await studio.link
    .call<Hover | null>("text.hover", { path: file.path, text: file.text, at, lang: studio.lang }, "hover")
    .catch(() => null);
  if (!found) return null;
  const about = studio.say(found.about);
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create: () => ({
      dom: domNode(
        "div",
        { class: "cm-hover" },
        domNode("b", {}, studio.say(found.title)),
        about ? domNode("p", {}, about) : null,
        ...found.facts.map(({ name, value }) =>
          domNode("p", {}, domNode("span", { class: "dim" }, `${studio.say(name)}: `), studio.say(value)),
        ),
      ),
    }),
  };
}

/** Underlines what is wrong, whenever that is known: answers may come while the text is written further. */
export function mark(view: EditorView, file: TextFile, studio: Studio): void {
  view.dispatch(setDiagnostics(view.state, marks(file, studio)));
}

function marks(file: TextFile, studio: Studio): Mark[] {
  const length = file.state.doc.length;
  return file.diagnostics
    .filter((each) => each.file === null)
    .map((each) => {
      const from = Math.min(each.from, length);
      return {
        from,
        to: Math.min(Math.max(each.to, from), length),
        severity: each.severity,
        message: sentence(each, studio),
        source: each.code,
        actions: each.fixes.map((fix) => ({
          name: studio.say(fix.title),
          apply: () => file.apply(fix.edits, { userEvent: "input.fix" }),
        })),
      };
    });
}

/** A diagnostic in the reader's language: what is wrong, what was expected, a hint. */
export function sentence(each: Diagnostic, studio: Studio): string {
  const parts = [studio.say(each.message)];
  if (each.expected) parts.push(`${studio.lang === "ru" ? "Ожидалось" : "Expected"}: ${studio.say(each.expected)}`);
  if (each.hint) parts.push(studio.say(each.hint));
  return parts.join("\n");
}
