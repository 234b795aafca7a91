// A page with one scene, in X_ITE or in X3DOM.

import { type Looks, lookTools } from "../look/tools";
import { type Language, type Root, unpackBlock } from "../page/core";
import { found } from "../page/dom";
import { loadXite, sceneCanvas } from "../page/scene";
import { canDrawScenes } from "../page/webgl";
import type { SFRotation, X3D, XBrowser, XView } from "../page/xite";
import type { ViewerData, Words } from "../payload";

/** What the buttons of a viewer do, and what tests ask. */
interface View {
  turn(way: number): void;
  again(): Promise<void>;
  name(words: string): void;
  /** Of X_ITE: a field of a named node, as numbers. */
  field?(node: string, name: string): number[];
  /** Of X3DOM: where a named node is in the scene, a 4×4 matrix by rows. */
  pose?(node: string): number[];
  readonly browser?: XBrowser;
  readonly X3D?: X3D;
}

interface State {
  lang: Language;
  view: View | null;
}

type Say = (words: Words) => string;

const VIEWER_WORDS = {
  scene: {
    en: "Scene in space: drag to turn, wheel to come nearer",
    ru: "Сцена: тяните мышью, чтобы повернуть; колесо приближает",
  },
  before: { en: "Previous view", ru: "Предыдущий вид" },
  next: { en: "Next view", ru: "Следующий вид" },
  again: { en: "Again from the start", ru: "Сначала" },
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

/** Fills a page. */
export async function showViewer(root: Root<View | null>, data: ViewerData): Promise<void> {
  const place = found(root, "main");
  found(root, "h1").textContent = data.title;
  const state: State = { lang: data.lang, view: null };
  const say: Say = (words) => words[state.lang];
  const speak = viewerButtons(found(root, ".tools"), state, say);
  const note = (text: string) => {
    const line = document.createElement("p");
    line.setAttribute("role", "alert");
    line.textContent = text;
    place.append(line);
  };
  try {
    if (!canDrawScenes()) note(say(VIEWER_WORDS.absent));
    else
      state.view = await (data.viewer === "x_ite" ? viewerXite : viewerX3dom)(
        root,
        place,
        data,
        say(VIEWER_WORDS.scene),
      );
  } catch (problem) {
    note(say(VIEWER_WORDS.broken) + (problem instanceof Error ? problem.message : String(problem)));
  }
  speak();
  root.sistel = state.view;
}

/** The buttons above the scene; gives what renames them. */
function viewerButtons(nav: HTMLElement, state: State, say: Say): () => void {
  const add = (sign: string, words: Words, press: () => unknown) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "tool word";
    button.addEventListener("click", press);
    button.append(sign);
    nav.append(button);
    return [button, words] as const;
  };
  const plain = [
    add("‹", VIEWER_WORDS.before, () => state.view?.turn(-1)),
    add("›", VIEWER_WORDS.next, () => state.view?.turn(1)),
    add("↺", VIEWER_WORDS.again, () => state.view?.again()),
  ];
  const chosen: Looks = {
    lang: state.lang,
    theme: "auto",
    setLang: (lang) => ((state.lang = chosen.lang = lang), speak()),
    setTheme: (theme) => ((chosen.theme = theme), look.draw()),
  };
  const look = lookTools(chosen, [document.documentElement]);
  nav.append(...look.tools);
  const speak = () => {
    look.draw();
    for (const [button, words] of plain) {
      button.title = say(words);
      button.setAttribute("aria-label", say(words));
    }
    state.view?.name(say(VIEWER_WORDS.scene));
  };
  speak();
  return speak;
}

/** Blocks of the page as texts. */
async function viewerTexts(root: Element, names: string[]): Promise<string[]> {
  const reader = new TextDecoder();
  return Promise.all(names.map(async (name) => reader.decode(await unpackBlock(name, root))));
}

/** The scene in X_ITE. */
async function viewerXite(root: Element, place: Element, data: ViewerData, label: string): Promise<View> {
  const [text, module, style] = await viewerTexts(root, ["scene", "module", "style"]);
  const sources = await viewerTexts(
    root,
    data.parts.map((name) => `part-${name}`),
  );
  const fonts = await Promise.all(data.fonts.map((name) => unpackBlock(`font-${name}`, root)));
  const named = <T>(names: string[], values: T[]): Record<string, T> =>
    Object.fromEntries(names.map((name, n) => [name, values[n]]));
  const tangents = data.blocks.includes("tangents") ? await unpackBlock("tangents", root) : null;
  const X3D = await loadXite({
    module,
    style,
    parts: named(data.parts, sources),
    fonts: named(data.fonts, fonts),
    tangents,
  });
  const canvas = sceneCanvas(place, label);
  const browser = X3D.getBrowser(canvas);
  const near = nearPlane(browser);
  const show = async () => {
    const scene = await browser.createX3DFromString(text);
    // One without a viewpoint has none to move: it gets one, as X3D has it.
    if (data.fit) scene.rootNodes.push(scene.createNode("Viewpoint"));
    await browser.replaceWorld(scene);
    if (data.fit) await fitWhole(browser);
    near();
  };
  await show();
  // Eyes come nearer by the wheel and by a drag, and go elsewhere by the buttons.
  for (const each of ["wheel", "pointermove", "pointerup"]) canvas.addEventListener(each, near, { passive: true });
  return {
    turn(way) {
      if (way > 0) browser.nextViewpoint();
      else browser.previousViewpoint();
      requestAnimationFrame(near);
    },
    again: show,
    name: (words) => canvas.setAttribute("aria-label", words),
    field(node, name) {
      const fields = browser.currentScene.getNamedNode(node) as unknown as Record<
        string,
        Iterable<number> | SFRotation
      >;
      const value = fields[name];
      return "angle" in value ? [value.x, value.y, value.z, value.angle] : [...value];
    },
    browser,
    X3D,
  };
}

/** A part of the way from the eyes to what they look at: nothing nearer is shown. */
const NEAR = 0.01;
/** What X3D cuts off unless told otherwise [m]. */
const USUAL_NEAR = 0.125;

/** Moves the near plane along with the eyes, so that small scenes are seen too; what a scene says itself is left alone. */
function nearPlane(browser: XBrowser): () => void {
  const own = new WeakSet<XView>();
  return () => {
    const view = browser.activeViewpoint;
    const avatar = browser.activeNavigationInfo?.avatarSize[0] ?? 2 * USUAL_NEAR;
    if (!view || (view.nearDistance >= 0 && !own.has(view)) || avatar !== 2 * USUAL_NEAR) return;
    const node = view.getValue();
    const [from, to] = [node.getUserPosition(), node.getUserCenterOfRotation()];
    const near = Math.min(USUAL_NEAR, NEAR * Math.hypot(from.x - to.x, from.y - to.y, from.z - to.z));
    if (!(near > 0) || (near === USUAL_NEAR && !own.has(view))) return;
    own.add(view);
    view.nearDistance = near;
  };
}

/** Shows all of a scene that has no viewpoint: what scripts make comes some frames later. */
async function fitWhole(browser: XBrowser): Promise<void> {
  const place = () => {
    const at = browser.activeViewpoint?.getValue().getUserPosition();
    return at ? [at.x, at.y, at.z].join(" ") : "";
  };
  const before = place();
  for (let frame = 0; frame < 60 && place() === before; frame++) {
    await new Promise(requestAnimationFrame);
    browser.viewAll(null, 0);
  }
}

/** X3DOM, as much of it as is used. */
interface X3dom {
  nodeTypesLC: Record<string, unknown>;
  canvases: unknown[];
  reload(): void;
}

interface X3dElement extends HTMLElement {
  runtime?: {
    canvas?: unknown;
    ready?: unknown;
    nextView(): void;
    prevView(): void;
    getCurrentTransform(element: Element | undefined): { toGL(): number[] };
  };
}

/** The scene in X3DOM. */
async function viewerX3dom(root: Element, place: Element, _: ViewerData, label: string): Promise<View> {
  const [text, module, style] = await viewerTexts(root, ["scene", "module", "style"]);
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.prepend(sheet);
  await new Promise<unknown>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("X3DOM")));
    document.head.append(script);
  });
  const { x3dom } = globalThis as unknown as { x3dom: X3dom };
  const source = new DOMParser().parseFromString(text, "text/xml");
  const known = (tag: string) => VIEWER_STATEMENTS.has(tag) || tag in x3dom.nodeTypesLC;
  // A scene becomes elements of the page, so nothing may come in that a browser would run.
  const copy = (from: Element): HTMLElement => {
    const element = document.createElement(from.localName.toLowerCase());
    for (const { name, value } of from.attributes) {
      if (/^[a-z][\w-]*$/i.test(name) && !/^on/i.test(name)) element.setAttribute(name, value);
    }
    for (const child of from.children) if (known(child.localName.toLowerCase())) element.append(copy(child));
    return element;
  };
  let x3d: X3dElement = document.createElement("x3d");
  const show = async () => {
    if (x3d.runtime?.canvas) x3dom.canvases.splice(x3dom.canvases.indexOf(x3d.runtime.canvas), 1);
    x3d.remove();
    x3d = document.createElement("x3d");
    x3d.setAttribute("showLog", "false");
    x3d.setAttribute("showStat", "false");
    x3d.setAttribute("disableDoubleClick", "true");
    x3d.setAttribute("role", "img");
    x3d.setAttribute("aria-label", label);
    const scene = copy(found(source, "Scene"));
    if (!scene.querySelector("environment")) {
      // Colours as other viewers have them.
      const environment = document.createElement("environment");
      environment.setAttribute("gammaCorrectionDefault", "none");
      scene.prepend(environment);
    }
    x3d.append(scene);
    place.append(x3d);
    x3dom.reload();
    if (!x3d.runtime?.ready) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  await show();
  return {
    turn: (way) => (way > 0 ? x3d.runtime?.nextView() : x3d.runtime?.prevView()),
    again: show,
    name: (words) => x3d.setAttribute("aria-label", words),
    pose(node) {
      const element = [...x3d.querySelectorAll("[DEF]")].find((each) => each.getAttribute("DEF") === node);
      return [...(x3d.runtime?.getCurrentTransform(element).toGL() ?? [])];
    },
  };
}
