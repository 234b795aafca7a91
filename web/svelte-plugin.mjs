// Components of Svelte for esbuild: each becomes a module that brings its style along, so that parts which are
// fetched later have theirs.
import { transform } from "esbuild";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, compileModule } from "svelte/compiler";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Names of classes come from a component's place in this folder, so that builds elsewhere are the same to the byte. */
const scoped = ({ hash, filename }) => `s${hash(relative(here, filename))}`;

export function svelte() {
  const warned = (found) =>
    found.map(({ message, filename, start }) => ({
      text: message,
      location: start && { file: filename, line: start.line, column: start.column },
    }));
  return {
    name: "svelte",
    setup(build) {
      build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
        const { js, warnings } = compile(await readFile(path, "utf8"), {
          filename: path,
          generate: "client",
          css: "injected",
          cssHash: scoped,
          dev: false,
        });
        return { contents: js.code, loader: "js", warnings: path.includes("node_modules") ? [] : warned(warnings) };
      });
      build.onLoad({ filter: /\.svelte\.(ts|js)$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const plain = path.endsWith(".ts")
          ? (await transform(source, { loader: "ts", target: "es2022" })).code
          : source;
        return {
          contents: compileModule(plain, { filename: path, generate: "client", dev: false }).js.code,
          loader: "js",
        };
      });
    },
  };
}
