// Runs of this browser as files: a page with the run inside, and a table.
import { boxed } from "../../page/box";
import type { Whole } from "./store";

/** The page that computed a run, with the run inside: it opens anywhere. */
export function savedPage({ html, kept }: Whole): string {
  const block = `<script type="application/json" data-kept>${boxed(kept)}</script>`;
  const place = html.lastIndexOf("</body>");
  return html.slice(0, place) + block + html.slice(place);
}

const cell = (text: string) => {
  const safe = /^[=+\-@]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
};

/** The states of a run as a table [SI]. */
export function savedTable({ kept }: Whole): string {
  const { t, q, v, structure, structures, names } = kept;
  const [nq, nv] = [q.length / t.length, v.length / t.length];
  const lines = [["t", ...names.q, ...names.v.map((name) => `${name}'`), "structure"].map(cell).join(",")];
  for (let i = 0; i < t.length; i++) {
    const row = [t[i], ...q.subarray(nq * i, nq * i + nq), ...v.subarray(nv * i, nv * i + nv)].map(String);
    lines.push([...row, cell(structures[structure[i] ?? 0]?.name ?? "")].join(","));
  }
  return lines.map((line) => `${line}\r\n`).join("");
}
