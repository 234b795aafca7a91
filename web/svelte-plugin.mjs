// Components of Svelte for esbuild: each becomes a module, and its style a sheet that the bundle gathers.
import { transform } from "esbuild";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, compileModule } from "svelte/compiler";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Names of classes come from a component's place in this folder, so that builds elsewhere are the same to the byte. */
const scoped = ({ hash, filename }) => `s${hash(relative(here, filename))}`;

export function svelte() {
  const sheets = new Map();
  const warned = (found) =>
    found.map(({ message, filename, start }) => ({
      text: message,
      location: start && { file: filename, line: start.line, column: start.column },
    }));
  return {
    name: "svelte",
    setup(build) {
      build.onLoad({ filter: /\.svelte$/, namespace: "file" }, async ({ path }) => {
        const { js, css, warnings } = compile(await readFile(path, "utf8"), {
          filename: path,
          generate: "client",
          css: "external",
          cssHash: scoped,
          dev: false,
        });
        let contents = js.code;
        if (css?.code) {
          sheets.set(path, css.code);
          contents += `\nimport ${JSON.stringify(`${path}.sheet`)};`;
        }
        return { contents, loader: "js", warnings: path.includes("node_modules") ? [] : warned(warnings) };
      });
      build.onLoad({ filter: /\.svelte\.(ts|js)$/, namespace: "file" }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const plain = path.endsWith(".ts")
          ? (await transform(source, { loader: "ts", target: "es2022" })).code
          : source;
        return {
          contents: compileModule(plain, { filename: path, generate: "client", dev: false }).js.code,
          loader: "js",
        };
      });
      build.onResolve({ filter: /\.svelte\.sheet$/ }, ({ path }) => ({
        path: path.slice(0, -".sheet".length),
        namespace: "sheet",
      }));
      build.onLoad({ filter: /.*/, namespace: "sheet" }, ({ path }) => ({
        contents: sheets.get(path) ?? "",
        loader: "css",
      }));
    },
  };
}
