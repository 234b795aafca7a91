// A page with one scene, in X_ITE or in X3DOM.

import { unpackBlock } from "../page/app/core.js";
import { canDrawScenes, loadXite, sceneCanvas } from "../page/app/scene.js";

const VIEWER_WORDS = {
  scene: { en: "Scene in space: drag to turn, wheel to come nearer", ru: "Сцена: тяните мышью, чтобы повернуть; колесо приближает" },
  before: { en: "Previous view", ru: "Предыдущий вид" },
  next: { en: "Next view", ru: "Следующий вид" },
  again: { en: "Again from the start", ru: "Сначала" },
  other: { en: "По-русски", ru: "In English" },
  absent: {
    en: "This browser cannot draw scenes in space: it has no WebGL 2.",
    ru: "Этот браузер не рисует пространственные сцены: нет WebGL 2.",
  },
  broken: { en: "The viewer cannot show this scene: ", ru: "Просмотрщик не может показать эту сцену: " },
};

const VIEWER_STATEMENTS = new Set([
  ...["scene", "route", "protodeclare", "protointerface", "protobody", "protoinstance", "field", "fieldvalue"],
  ...["is", "connect", "externprotodeclare", "export", "import"],
]);

/**
 * Fills the page.
 * @param {{viewer: string, title: string, lang: string, parts: string[], fonts: string[], blocks: string[]}} data
 */
export async function showViewer(data) {
  const place = document.querySelector("main");
  document.querySelector("h1").textContent = data.title;
  const state = { lang: data.lang, view: null };
  const say = (words) => words[state.lang];
  const speak = viewerButtons(document.querySelector("nav"), state, say);
  const note = (text) => {
    const line = document.createElement("p");
    line.setAttribute("role", "alert");
    line.textContent = text;
    place.append(line);
  };
  try {
    if (!canDrawScenes()) note(say(VIEWER_WORDS.absent));
    else state.view = await (data.viewer === "x_ite" ? viewerXite : viewerX3dom)(place, data, say(VIEWER_WORDS.scene));
  } catch (problem) {
    note(say(VIEWER_WORDS.broken) + (problem?.message ?? problem));
  }
  speak();
  globalThis.sistelViewer = state.view;
}

/** The buttons above the scene; gives what renames them. */
function viewerButtons(nav, state, say) {
  const add = (sign, words, press) => {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", press);
    button.append(sign);
    nav.append(button);
    return [button, words];
  };
  const plain = [
    add("‹", VIEWER_WORDS.before, () => state.view?.turn(-1)),
    add("›", VIEWER_WORDS.next, () => state.view?.turn(1)),
    add("↺", VIEWER_WORDS.again, () => state.view?.again()),
  ];
  const other = document.createElement("button");
  other.type = "button";
  nav.append(other);
  const speak = () => {
    document.documentElement.lang = state.lang;
    for (const [button, words] of plain) {
      button.title = say(words);
      button.setAttribute("aria-label", say(words));
    }
    other.textContent = state.lang === "ru" ? "EN" : "RU";
    other.setAttribute("aria-label", say(VIEWER_WORDS.other));
    state.view?.name(say(VIEWER_WORDS.scene));
  };
  other.addEventListener("click", () => {
    state.lang = state.lang === "ru" ? "en" : "ru";
    speak();
  });
  speak();
  return speak;
}

/** Blocks of the page as texts. */
async function viewerTexts(names) {
  const reader = new TextDecoder();
  return Promise.all(names.map(async (name) => reader.decode(await unpackBlock(name))));
}

/** The scene in X_ITE. */
async function viewerXite(place, data, label) {
  const [text, module, style] = await viewerTexts(["scene", "module", "style"]);
  const sources = await viewerTexts(data.parts.map((name) => `part-${name}`));
  const fonts = await Promise.all(data.fonts.map((name) => unpackBlock(`font-${name}`)));
  const named = (names, values) => Object.fromEntries(names.map((name, n) => [name, values[n]]));
  const tangents = data.blocks.includes("tangents") ? await unpackBlock("tangents") : null;
  const X3D = await loadXite({ module, style, parts: named(data.parts, sources), fonts: named(data.fonts, fonts), tangents });
  const canvas = sceneCanvas(X3D, place, label);
  const browser = X3D.getBrowser(canvas);
  const show = async () => browser.replaceWorld(await browser.createX3DFromString(text));
  await show();
  return {
    turn: (way) => (way > 0 ? browser.nextViewpoint() : browser.previousViewpoint()),
    again: show,
    name: (words) => canvas.setAttribute("aria-label", words),
    /** A field of a named node, as numbers. */
    field(node, name) {
      const value = browser.currentScene.getNamedNode(node)[name];
      return value.angle === undefined ? [...value] : [value.x, value.y, value.z, value.angle];
    },
    browser,
    X3D,
  };
}

/** The scene in X3DOM. */
async function viewerX3dom(place, data, label) {
  const [text, module, style] = await viewerTexts(["scene", "module", "style"]);
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.prepend(sheet);
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("X3DOM")));
    document.head.append(script);
  });
  const { x3dom } = globalThis;
  const source = new DOMParser().parseFromString(text, "text/xml");
  const known = (tag) => VIEWER_STATEMENTS.has(tag) || tag in x3dom.nodeTypesLC;
  // A scene becomes elements of the page, so nothing may come in that a browser would run.
  const copy = (from) => {
    const element = document.createElement(from.localName.toLowerCase());
    for (const { name, value } of from.attributes) {
      if (/^[a-z][\w-]*$/i.test(name) && !/^on/i.test(name)) element.setAttribute(name, value);
    }
    for (const child of from.children) if (known(child.localName.toLowerCase())) element.append(copy(child));
    return element;
  };
  let root = null;
  const show = async () => {
    if (root) {
      root.runtime?.canvas && x3dom.canvases.splice(x3dom.canvases.indexOf(root.runtime.canvas), 1);
      root.remove();
    }
    root = document.createElement("x3d");
    root.setAttribute("showLog", "false");
    root.setAttribute("showStat", "false");
    root.setAttribute("disableDoubleClick", "true");
    root.setAttribute("role", "img");
    root.setAttribute("aria-label", label);
    const scene = copy(source.querySelector("Scene"));
    if (!scene.querySelector("environment")) {
      // Colours as other viewers have them.
      const environment = document.createElement("environment");
      environment.setAttribute("gammaCorrectionDefault", "none");
      scene.prepend(environment);
    }
    root.append(scene);
    place.append(root);
    x3dom.reload();
    await new Promise((resolve) => {
      root.runtime?.ready ? resolve() : setTimeout(resolve, 0);
    });
  };
  await show();
  return {
    turn: (way) => (way > 0 ? root.runtime.nextView() : root.runtime.prevView()),
    again: show,
    name: (words) => root.setAttribute("aria-label", words),
    /** Where a named node is in the scene: a 4×4 matrix by rows. */
    pose(node) {
      const element = [...root.querySelectorAll("[DEF]")].find((each) => each.getAttribute("DEF") === node);
      return [...root.runtime.getCurrentTransform(element).toGL()];
    },
  };
}
