// The operator's console: what is touched drives the live motion and is recorded, what is seen follows the cursor.
import type { ConsoleDisplay, ConsoleInput, PageData } from "../payload";
import { consoleSaid, shownValue } from "./consolesaid";
import type { Page } from "./core";
import { domNode, download, numberText, svgNode } from "./dom";
import type { LiveRunner } from "./runner";
import { panelsStyle } from "./panels";
import type { SignalReader } from "./signals";
import { wordNode, wordOf } from "./words";

const CONSOLE_STYLE = `
.console{display:grid;align-items:start;grid-template-columns:repeat(auto-fill,minmax(min(190px,100%),1fr));gap:12px;margin:0 0 16px}
.console-item{display:flex;flex-direction:column;gap:8px;padding:12px;border:1px solid var(--line);border-radius:10px;background:var(--plate);min-width:0}
.console-item.wide{grid-column:1/-1}
.console-name{font-size:13px;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate}
.console-row{display:flex;align-items:center;gap:10px;min-width:0}
.console-row input[type="range"]{flex:1;min-width:0;height:32px}
.console-row input[type="number"]{width:96px}
.console-key{min-height:44px;border:1px solid var(--dim);border-radius:8px;background:var(--paper);color:var(--ink);font:inherit;cursor:pointer;touch-action:none;user-select:none;-webkit-user-select:none}
.console-key[aria-pressed="true"],.console-key[aria-checked="true"]{background:var(--accent);border-color:var(--accent);color:var(--paper)}
.console-key:focus-visible,.console-pad:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.console-choice{display:flex;flex-wrap:wrap;gap:6px;border:0;margin:0;padding:0;min-width:0}
.console-choice label{display:flex;align-items:center;gap:6px;min-height:36px;padding:0 10px;border:1px solid var(--line);border-radius:18px;cursor:pointer;font-variant-numeric:tabular-nums}
.console-choice label:has(:checked){border-color:var(--accent);background:color-mix(in srgb,var(--accent) 12%,transparent)}
.console-choice label:has(:focus-visible){outline:2px solid var(--accent);outline-offset:2px}
.console-pad{position:relative;width:132px;height:132px;border:1px solid var(--dim);border-radius:50%;background:var(--paper);touch-action:none;cursor:grab;align-self:center}
.console-pad::before{content:"";position:absolute;inset:0;background:linear-gradient(var(--line),var(--line)) center/1px 100% no-repeat,linear-gradient(var(--line),var(--line)) center/100% 1px no-repeat;border-radius:50%}
.console-knob{position:absolute;left:50%;top:50%;width:34px;height:34px;margin:-17px;border-radius:50%;background:var(--accent);pointer-events:none}
.console-value{font-variant-numeric:tabular-nums;color:var(--dim);font-size:13px}
.console-lamp{display:flex;align-items:center;gap:10px}
.console-lamp i{width:24px;height:24px;border-radius:50%;border:2px solid var(--dim);background:var(--paper);--own:var(--accent)}
.console-lamp[data-on="yes"] i{background:var(--own);border-color:var(--own);box-shadow:0 0 10px var(--own)}
.console-digits{font-size:22px;font-variant-numeric:tabular-nums;white-space:nowrap}
.console-digits small{font-size:13px;color:var(--dim)}
.console-dial{width:100%;max-width:180px;align-self:center}
.console-dial path{fill:none;stroke:var(--line);stroke-width:8}
.console-dial line{stroke:var(--ink);stroke-width:3;stroke-linecap:round}
.console-dial text{fill:var(--dim);font-size:11px}
.console-log{max-height:180px;overflow:auto;margin:8px 0 0;padding:0;list-style:none;font-size:13px;font-variant-numeric:tabular-nums}
.console-log li{display:flex;gap:12px;padding:3px 0;border-top:1px solid var(--line)}
.console-log span:first-child{color:var(--dim);min-width:72px}
`;
const CONSOLE_LISTED = 200;
/** The shortest press [s]. */
const CONSOLE_PRESS = 0.05;
const CONSOLE_TURN = (3 * Math.PI) / 4;

interface Widget {
  element: HTMLElement;
  /** Shows values of signals [SI]. */
  show(values: (number | null)[]): void;
}

type Give = (signal: number, value: number) => void;
type ConsolePage = Page<PageData>;

/** The panel. */
export async function mountConsole(
  element: HTMLElement,
  page: ConsolePage,
  reader: SignalReader,
  runner: LiveRunner | null,
): Promise<void> {
  const { control } = reader;
  panelsStyle("console", CONSOLE_STYLE);
  await reader.load();
  const give: Give = (signal, value) => runner?.give(control.signals[signal].name, value);
  /** Lets a button go, but not before the motion has seen it pressed: a tap is shorter than a frame. */
  const letGo: Give = (signal, value) => {
    const pressed = runner?.record.findLast(({ input }) => input === control.signals[signal].name)?.time ?? -Infinity;
    const wait = () => {
      if (runner?.running && runner.system.t < pressed + CONSOLE_PRESS) requestAnimationFrame(wait);
      else give(signal, value);
    };
    wait();
  };
  const board = domNode("div", { class: "console" });
  const note = domNode("p", { class: "note", role: "note" });
  const log = domNode("ol", { class: "console-log" });
  const other = wordNode(page, domNode("p", { class: "note warn", hidden: true }), "recordOther");
  let widgets: Widget[] = [];

  const save = (kind: "csv" | "json") => {
    if (!runner) return;
    const text = kind === "csv" ? recordCsv(runner.record) : recordJson(page.data.name, runner.record);
    const type = kind === "csv" ? "text/csv" : "application/json";
    download(`inputs.${kind}`, type, text);
  };
  const tool = (key: string, call: () => void) =>
    wordNode(page, domNode("button", { type: "button", class: "plain", "data-console": key, onclick: call }), key);
  const replay = tool("replay", () => runner?.replay());
  const tools = [
    tool("consoleStart", () => runner?.begin(true)),
    replay,
    tool("recordCsv", () => save("csv")),
    tool("recordJson", () => save("json")),
  ];

  const show = () => {
    if (!page.now || !element.offsetParent) return;
    const values = reader.at(page.now);
    for (const widget of widgets) widget.show(values);
  };
  const list = () => {
    const rows = (runner?.record ?? []).slice(-CONSOLE_LISTED).reverse();
    log.replaceChildren(
      ...rows.map(({ time, input, value }) =>
        domNode(
          "li",
          {},
          domNode("span", {}, `${numberText(time, 6)} ${wordOf(page, "second")}`),
          domNode("span", {}, page.say(consoleSaid(page.data, input, value))),
        ),
      ),
    );
    other.hidden = !runner?.record.length || runner.asFile;
    for (const each of tools.slice(1)) each.disabled = !runner?.record.length;
  };
  const draw = () => {
    widgets = [
      ...control.inputs.map((row) => inputWidget(page, row, give, letGo)),
      ...control.displays.map((row) => displayWidget(page, row)),
    ];
    board.replaceChildren(...widgets.map((widget) => widget.element));
    if (!runner)
      for (const field of board.querySelectorAll<HTMLInputElement>("button,input,select")) field.disabled = true;
    const refused = page.say(reader.system.refused);
    note.textContent = runner ? wordOf(page, "consoleNote") : wordOf(page, "consoleOff", { why: refused });
    list();
    show();
  };
  element.append(note, board);
  if (runner) {
    element.append(
      wordNode(page, domNode("h3", {}), "record"),
      domNode("div", { class: "panel-tools" }, ...tools),
      other,
      log,
    );
    runner.recorded = list;
  }
  page.on("lang", draw);
  page.on("time", show);
  page.on("motion", () => (list(), show()));
  page.on("shown", show);
  draw();
}

/** A record as a table. */
export function recordCsv(record: { time: number; input: string; value: number }[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return ["time,input,value", ...record.map((row) => `${row.time},${cell(row.input)},${row.value}`), ""].join("\n");
}

function recordJson(system: string, record: { time: number; input: string; value: number }[]): string {
  const inputs: Record<string, [number, number][]> = {};
  for (const { time, input, value } of record) (inputs[input] ??= []).push([time, value]);
  return `${JSON.stringify({ system, inputs }, null, 1)}\n`;
}

// --- inputs

function inputWidget(page: ConsolePage, row: ConsoleInput, give: Give, letGo: Give): Widget {
  if (row.face === "button") return buttonWidget(page, row, give, letGo);
  if (row.face === "latching" || row.face === "toggle") return switchWidget(page, row, give);
  if (row.face === "rotary") return rotaryWidget(page, row, give);
  if (row.face === "joystick") return joystickWidget(page, row, give);
  return numberWidget(page, row, give);
}

function item(row: { name: string }, ...children: HTMLElement[]): HTMLElement {
  const name = domNode("span", { class: "console-name", title: row.name }, row.name);
  return domNode("div", { class: "console-item", "data-input": row.name }, name, ...children);
}

function buttonWidget(page: ConsolePage, row: ConsoleInput, give: Give, letGo: Give): Widget {
  const [signal] = row.signals;
  const key = domNode("button", {
    type: "button",
    class: "console-key",
    "aria-pressed": "false",
    "aria-label": row.name,
  });
  key.textContent = wordOf(page, "press");
  let down = false;
  const set = (on: boolean) => {
    if (down === on || key.disabled) return;
    down = on;
    key.setAttribute("aria-pressed", String(on));
    (on ? give : letGo)(signal, Number(on));
  };
  key.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    key.setPointerCapture(event.pointerId);
    set(true);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"] as const)
    key.addEventListener(name, () => set(false));
  key.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) set(true);
  });
  key.addEventListener("keyup", (event) => {
    if (event.key === " " || event.key === "Enter") set(false);
  });
  return {
    element: item(row, key),
    show: (values) => {
      if (!down) key.setAttribute("aria-pressed", String(Boolean(values[signal])));
    },
  };
}

function switchWidget(page: ConsolePage, row: ConsoleInput, give: Give): Widget {
  const [signal] = row.signals;
  const state = row.face === "toggle" ? "aria-checked" : "aria-pressed";
  const key = domNode("button", {
    type: "button",
    class: "console-key",
    [state]: String(Boolean(row.start)),
    "aria-label": row.name,
    role: row.face === "toggle" ? "switch" : null,
  });
  const draw = (on: boolean) => {
    key.setAttribute(state, String(on));
    key.textContent = wordOf(page, on ? "switchedOn" : "switchedOff");
  };
  key.addEventListener("click", () => {
    const on = key.getAttribute(state) !== "true";
    draw(on);
    give(signal, Number(on));
  });
  draw(Boolean(row.start));
  return { element: item(row, key), show: (values) => draw(Boolean(values[signal])) };
}

function rotaryWidget(page: ConsolePage, row: ConsoleInput, give: Give): Widget {
  const [signal] = row.signals;
  const own = page.data.control?.signals[signal];
  const keys = row.positions.map((value) => {
    const key = domNode("input", {
      type: "radio",
      name: page.id(`console-${signal}`),
      value,
      checked: value === row.start,
    });
    key.addEventListener("change", () => give(signal, value));
    return key;
  });
  const labels = keys.map((key, i) => domNode("label", {}, key, shownValue(page.lang, row.positions[i], own)));
  const set = domNode("fieldset", { class: "console-choice", "aria-label": row.name }, ...labels);
  return {
    element: item(row, set),
    show: (values) => keys.forEach((key, i) => (key.checked = row.positions[i] === values[signal])),
  };
}

function numberWidget(page: ConsolePage, row: ConsoleInput, give: Give): Widget {
  const [signal] = row.signals;
  const own = page.data.control?.signals[signal];
  const scale = own?.scale ?? 1;
  const ends = row.min !== null && row.max !== null;
  const limits = { min: row.min === null ? null : row.min * scale, max: row.max === null ? null : row.max * scale };
  const slider = domNode("input", { type: "range", step: "any", "aria-label": row.name, ...limits });
  const field = domNode("input", { type: "number", step: "any", "aria-label": row.name, ...limits });
  const draw = (value: number) => {
    const shown = String(Number((value * scale).toPrecision(6)));
    if (document.activeElement !== slider || !slider.matches(":active")) slider.value = String(value * scale);
    if (document.activeElement !== field) field.value = shown;
    slider.setAttribute("aria-valuetext", shownValue(page.lang, value, own));
  };
  const set = (shown: number) => {
    if (!Number.isFinite(shown)) return;
    const value = Math.min(Math.max(shown / scale, row.min ?? -Infinity), row.max ?? Infinity);
    give(signal, value);
    draw(value);
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  field.addEventListener("change", () => set(field.value === "" ? NaN : Number(field.value)));
  draw(row.start);
  const unit = domNode("span", { class: "console-value" }, own ? page.say(own.unit) : "");
  const lines = [domNode("div", { class: "console-row" }, field, unit)];
  if (ends) lines.unshift(domNode("div", { class: "console-row" }, slider));
  const made = item(row, ...lines);
  if (ends) made.classList.add("wide");
  return { element: made, show: (values) => draw(values[signal] ?? row.start) };
}

function joystickWidget(page: ConsolePage, row: ConsoleInput, give: Give): Widget {
  const knob = domNode("div", { class: "console-knob" });
  const told = domNode("span", { class: "console-value", "aria-live": "polite" });
  const pad = domNode("div", { class: "console-pad", tabindex: 0, role: "application", "aria-label": row.name }, knob);
  wordNode(page, pad, "joystick", {}, "aria-roledescription");
  const low = row.min ?? -1,
    high = row.max ?? 1;
  const now = [row.start, row.start];
  const draw = () => {
    const place = (value: number) => (value - (low + high) / 2) / ((high - low) / 2);
    knob.style.transform = `translate(${48 * place(now[0])}px, ${-48 * place(now[1])}px)`;
    told.textContent = `x ${numberText(now[0], 3)} · y ${numberText(now[1], 3)}`;
  };
  const set = (x: number, y: number) => {
    [x, y].forEach((value, i) => {
      const cut = Math.min(Math.max(value, low), high);
      if (now[i] === cut) return;
      now[i] = cut;
      give(row.signals[i], cut);
    });
    draw();
  };
  let drags = false;
  const move = (event: PointerEvent) => {
    const { left, top, width, height } = pad.getBoundingClientRect();
    const [x, y] = [(event.clientX - left) / width, 1 - (event.clientY - top) / height];
    set(low + x * (high - low), low + y * (high - low));
  };
  pad.addEventListener("pointerdown", (event) => {
    pad.setPointerCapture(event.pointerId);
    drags = true;
    move(event);
  });
  pad.addEventListener("pointermove", (event) => drags && move(event));
  const release = () => {
    drags = false;
    set(row.start, row.start);
  };
  for (const name of ["pointerup", "pointercancel"] as const) pad.addEventListener(name, release);
  const ways: Record<string, [number, number]> = {
    ArrowLeft: [0, low],
    ArrowRight: [0, high],
    ArrowUp: [1, high],
    ArrowDown: [1, low],
  };
  pad.addEventListener("keydown", (event) => {
    if (!(event.key in ways)) return;
    event.preventDefault();
    event.stopPropagation();
    const [axis, value] = ways[event.key];
    set(axis ? now[0] : value, axis ? value : now[1]);
  });
  pad.addEventListener("keyup", (event) => {
    if (!(event.key in ways)) return;
    const [axis] = ways[event.key];
    set(axis ? now[0] : row.start, axis ? row.start : now[1]);
  });
  pad.addEventListener("blur", release);
  draw();
  return {
    element: item(row, pad, told),
    show: (values) => {
      if (drags || document.activeElement === pad) return;
      row.signals.forEach((signal, i) => (now[i] = values[signal] ?? row.start));
      draw();
    },
  };
}

// --- displays

function displayWidget(page: ConsolePage, row: ConsoleDisplay): Widget {
  const signal = page.data.control?.signals[row.signal];
  if (row.kind === "lamp") {
    const light = domNode("i", { "aria-hidden": "true" });
    if (row.colour) light.style.setProperty("--own", row.colour);
    const said = domNode("span", { class: "console-value" });
    const lamp = domNode("div", { class: "console-lamp", role: "status" }, light, said);
    return {
      element: item(row, lamp),
      show: (values) => {
        const on = Boolean(values[row.signal]);
        lamp.dataset.on = on ? "yes" : "no";
        const text = wordOf(page, on ? "switchedOn" : "switchedOff");
        if (said.textContent !== text) said.textContent = text;
      },
    };
  }
  if (row.kind === "dial") return dialWidget(page, row);
  const digits = domNode("output", { class: "console-digits", "aria-label": row.name });
  return {
    element: item(row, digits),
    show: (values) => {
      const value = values[row.signal];
      const text =
        value === null ? "–" : (value * (signal?.scale ?? 1)).toFixed(Math.min(row.digits ?? 3, 12)).replace("-", "−");
      digits.replaceChildren(text, domNode("small", {}, ` ${signal ? page.say(signal.unit) : ""}`));
    },
  };
}

function dialWidget(page: ConsolePage, row: ConsoleDisplay): Widget {
  const signal = page.data.control?.signals[row.signal];
  const low = row.min ?? 0,
    high = row.max ?? 1;
  const end = (way: number) => [70 + way * 54 * Math.sin(CONSOLE_TURN), 64 - 54 * Math.cos(CONSOLE_TURN)].join(" ");
  const hand = svgNode("line", { x1: 70, y1: 64, x2: 70, y2: 20 });
  const label = (x: number, value: number) =>
    svgNode("text", { x, y: 122, "text-anchor": "middle" }, numberText(value * (signal?.scale ?? 1), 3));
  const face = svgNode(
    "svg",
    { class: "console-dial", viewBox: "0 0 140 128", role: "meter", "aria-label": row.name },
    svgNode("path", { d: `M${end(-1)}A54 54 0 1 1 ${end(1)}` }),
    hand,
    label(26, low),
    label(114, high),
  );
  const said = domNode("span", { class: "console-value" });
  face.setAttribute("aria-valuemin", String(low));
  face.setAttribute("aria-valuemax", String(high));
  const made = item(row);
  made.append(face, said);
  return {
    element: made,
    show: (values) => {
      const value = values[row.signal] ?? low;
      const part = Math.min(Math.max((value - low) / (high - low), 0), 1);
      hand.setAttribute("transform", `rotate(${((2 * part - 1) * CONSOLE_TURN * 180) / Math.PI} 70 64)`);
      face.setAttribute("aria-valuenow", String(value));
      said.textContent = shownValue(page.lang, values[row.signal], signal);
      face.setAttribute("aria-valuetext", said.textContent);
    },
  };
}
