// The scripts of a page in pieces: what every page needs, and what is carried only where its system uses it.
import { build } from "esbuild";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";

/** What pages carry besides, by the modules that main.ts asks for when it needs them. */
const PARTS = {
  form: "page/form.ts",
  control: "page/control.ts",
  scene: "page/scene.ts",
  compared: "page/compared.ts",
};

/** The pieces that one leads to by its imports that are always made, itself last. */
function closure(outputs, path, seen = []) {
  for (const each of outputs[path].imports)
    if (each.kind === "import-statement" && !seen.includes(each.path)) closure(outputs, each.path, seen);
  if (!seen.includes(path)) seen.push(path);
  return seen;
}

/** Pieces one after the other, and before them a line with their names and lengths; boot.ts takes them apart. */
function joined(pieces) {
  return `//${JSON.stringify(pieces.map(({ name, text }) => [name, text.length]))}\n${pieces.map(({ text }) => text).join("")}`;
}

/** Writes page.js, and page.PART.js for every part. */
export async function writePieces(folder, how) {
  const { metafile, outputFiles } = await build({
    ...how,
    entryPoints: ["src/page/main.ts"],
    outdir: "pieces",
    chunkNames: "[name]-[hash]",
    format: "esm",
    splitting: true,
    metafile: true,
    write: false,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const named = (paths) => paths.map((path) => ({ name: basename(path), text: texts.get(basename(path)) }));
  const entryOf = (source) =>
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === `src/${source}`);
  const main = closure(metafile.outputs, entryOf("page/main.ts"));
  const all = new Map(
    Object.entries(PARTS).map(([part, source]) => [part, closure(metafile.outputs, entryOf(source))]),
  );
  // What two parts share is in every page.
  const shared = [...new Set([...all.values()].flat())].filter(
    (path) => !main.includes(path) && [...all.values()].filter((paths) => paths.includes(path)).length > 1,
  );
  const base = [...main.slice(0, -1), ...shared, main.at(-1)];
  await writeFile(`${folder}/page.js`, joined(named(base)));
  for (const [part, paths] of all)
    await writeFile(`${folder}/page.${part}.js`, joined(named(paths.filter((path) => !base.includes(path)))));
}
