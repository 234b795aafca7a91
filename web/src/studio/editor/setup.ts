// What the editor of text can do: colours, completion, help under the pointer, marks of problems, keys.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippet,
  type Completion,
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
import { phrases } from "./phrases";

const colours = HighlightStyle.define([
  { tag: tags.tagName, color: "var(--accent)", fontWeight: "500" },
  { tag: tags.angleBracket, color: "var(--dim)" },
  { tag: tags.attributeName, color: "var(--dim)" },
  { tag: tags.definitionOperator, color: "var(--dim)" },
  { tag: tags.attributeValue, color: "var(--good)" },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: "var(--dim)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0 40vh" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "1.6px" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--dim)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--plate) 80%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--plate)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--soft)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--sunk)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--soft)", outline: "0" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "var(--r1)",
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    boxShadow: "0 6px 20px color-mix(in srgb, var(--ink) 16%, transparent)",
    fontFamily: "var(--sans)",
    fontSize: "var(--t1)",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "20em" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--soft)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--dim)", fontStyle: "normal", fontFamily: "var(--sans)" },
  ".cm-completionInfo": { padding: "8px 10px", maxWidth: "34em" },
  ".cm-tooltip-hover, .cm-hover": { maxWidth: "34em" },
  ".cm-hover": { padding: "8px 12px", whiteSpace: "pre-wrap" },
  ".cm-hover b": { fontWeight: "600" },
  ".cm-hover p + p": { marginTop: "4px" },
  ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap", maxWidth: "38em" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-diagnostic-info": { borderLeft: "3px solid var(--accent)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "4px",
    padding: "2px 8px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.2px",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.2px",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-info": {
    backgroundImage: "none",
    textDecoration: "underline dotted var(--accent) 1.4px",
    textUnderlineOffset: "4px",
  },
  ".cm-panels": { backgroundColor: "var(--plate)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels input, .cm-panels button": { fontFamily: "var(--sans)", fontSize: "var(--t1)" },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--paper)",
    border: "1px solid var(--edge)",
    borderRadius: "4px",
  },
  ".cm-textfield": { backgroundColor: "var(--paper)", border: "1px solid var(--edge)", borderRadius: "4px" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-bg)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--soft)", outline: "1px solid var(--accent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunk)", border: "0", color: "var(--dim)" },
});

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

interface Option {
  label: string;
  kind: string;
  detail: Words;
  about: Words;
  insert: string;
  /** The same with places to fill in, as `${1:what}`. */
  snippet: string | null;
}

async function complete(context: CompletionContext, file: TextFile, studio: Studio): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[\w<"' =./\u0400-\u04ff]/.test(before)) return null;
  const text = context.state.doc.toString();
  try {
    const found = await studio.link.call<{ from: number; to: number; items: Option[] }>(
      "text.complete",
      { path: file.path, text, at: context.pos, lang: studio.lang },
      "complete",
    );
    if (!found.items.length) return null;
    const options = found.items.map((each, place): Completion => {
      const info = studio.say(each.about);
      return {
        label: each.label,
        type: each.kind,
        detail: studio.say(each.detail),
        // They come in the order in which they are wanted.
        boost: Math.max(-99, -place),
        ...(info ? { info } : {}),
        apply: each.snippet ? snippet(each.snippet) : each.insert,
      };
    });
    return { from: found.from, to: found.to, options, validFor: /^[\w\u0400-\u04ff.-]*$/ };
  } catch {
    return null; // no answer: nothing is offered
  }
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
