// Scripts of pages, each bundled into one file: `node build.mjs FOLDER`, as tools/assets calls it.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { writePieces } from "./pieces.mjs";
import { svelte } from "./svelte-plugin.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = process.argv[2];

/** Modules with exports, and scripts that stand inside a page: those leave one name, or none, behind. */
const bundles = {
  lesson: { entry: "lesson/main.ts", format: "esm", footer: { js: "//# sourceURL=sistel.js" } },
  boot: { entry: "page/boot.ts", format: "iife" },
  widget: { entry: "widget/main.ts", format: "esm" },
  viewer: { entry: "viewer/main.ts", format: "iife" },
  gripper: { entry: "gripper/main.ts", format: "iife", globalName: "gripperPage" },
  sender: { entry: "sender/main.ts", format: "iife" },
  "studio/offline": { entry: "studio/alone/offline.ts", format: "iife" },
  "studio/python": { entry: "studio/alone/python.ts", format: "esm" },
  gallery: { entry: "gallery/gallery.ts", format: "iife" },
};

/** The studio comes in parts: what the first view needs, and what is fetched when it is opened. */
const studio = build({
  absWorkingDir: here,
  entryPoints: ["src/studio/studio.ts"],
  outdir: `${folder}/studio`,
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  format: "esm",
  conditions: ["svelte", "browser", "production"],
  mainFields: ["svelte", "browser", "module", "main"],
  legalComments: "none",
  logLevel: "warning",
  plugins: [svelte()],
});

/** What all scripts of pages share. */
const usual = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};

await Promise.all([
  studio,
  writePieces(folder, usual),
  ...Object.entries(bundles).map(([name, { entry, ...how }]) =>
    build({ ...usual, entryPoints: [`src/${entry}`], outfile: `${folder}/${name}.js`, ...how }),
  ),
]);
