// The page object: what every panel of a page knows of the others.

/**
 * Bytes of a packed block (gzip + base64) of a document.
 * @param {string} id the block's id
 * @param {Document} [place] where it stands
 * @returns {Promise<Uint8Array>}
 */
export async function unpackBlock(id, place = document) {
  const block = place.getElementById(id);
  if (!block) throw new Error(`no block ${id}`);
  const letters = atob(block.textContent.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * An element with attributes and children; texts become text nodes, never markup.
 * `on…` attributes are listeners; `false`, `null` and `undefined` attributes are left out.
 * @param {string} tag its name
 * @param {Object} [attributes] by name
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
export function domNode(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/** The same for SVG. */
export function svgNode(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/**
 * A number as people read it: so many significant digits, no trailing zeros, a true minus.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function numberText(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  if (text.includes("e")) {
    const [digitsPart, power] = text.split("e");
    text = `${Number(digitsPart)}·10${[...String(Number(power))].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign] ?? "⁻").join("")}`;
  }
  return text.replace("-", "−");
}

/**
 * The page object.
 * @param {Object} data the payload
 * @param {Object} [options] `place`: the document that holds the packed blocks
 */
export function makePage(data, { place = document } = {}) {
  const listeners = new Map();
  const still = { kind: "posed", begin: 0, end: 0, at: () => null, events: [] };
  const page = {
    data,
    lang: data.lang === "ru" ? "ru" : "en",
    theme: "auto",
    time: 0,
    motion: still,
    /** The state now: {t, q, v, structure}. */
    now: null,
    system: null,

    /** In the reader's language; a plain string as it is. */
    say(text) {
      if (text === null || text === undefined) return "";
      return typeof text === "string" ? text : (text[page.lang] ?? text.en ?? "");
    },
    /** Calls `heard` when `name` happens; the returned function ends that. */
    on(name, heard) {
      if (!listeners.has(name)) listeners.set(name, new Set());
      listeners.get(name).add(heard);
      return () => listeners.get(name).delete(heard);
    },
    emit(name, detail) {
      for (const heard of [...(listeners.get(name) ?? [])]) {
        // One panel's mistake must not stop the others; the console still tells it.
        try {
          heard(detail);
        } catch (problem) {
          console.error(problem);
        }
      }
    },
    setLang(lang) {
      page.lang = lang === "ru" ? "ru" : "en";
      page.emit("lang", page.lang);
    },
    setTheme(theme) {
      page.theme = theme;
      page.emit("theme", theme);
    },
    /** Puts the cursor at a time [s] of the motion, clamped to it. */
    seek(t) {
      const { begin, end } = page.motion;
      page.time = Math.min(Math.max(t, begin), end);
      const state = page.motion.at(page.time);
      if (!state) return;
      page.now = state;
      page.emit("time", state);
    },
    /** What moves from now on; the cursor goes to `t`, or stays where it can. */
    exchange(motion, t = page.time) {
      page.motion = motion;
      page.emit("motion", motion);
      page.seek(t);
    },
    unpackBytes: (id) => unpackBlock(id, place),
    unpack: async (id) => new TextDecoder().decode(await unpackBlock(id, place)),
  };
  return page;
}
