// Links of strangers: what they hold is a model, or is refused in words.
import { expect, test } from "vitest";
import { MOST, packed, unpacked } from "../src/share";

function letters(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
async function deflated(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const way = new Blob([data]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#model=${letters(new Uint8Array(await new Response(way).arrayBuffer()))}`;
}
const json = (value: unknown) => deflated(new TextEncoder().encode(JSON.stringify(value)));
async function refusal(hash: string): Promise<string> {
  const found = await unpacked(hash);
  if (!found || "path" in found) throw new Error(`taken: ${JSON.stringify(found).slice(0, 80)}`);
  expect(found.ru).not.toBe(found.en);
  return found.en;
}

test("a model goes through a link to the letter, as large as a model may be", async () => {
  const small = { path: "рука.xml", text: "<system>\r\n\t<!-- ё 𝕏 --></system>" };
  expect(await unpacked(`#${await packed(small.path, small.text)}`)).toEqual(small);
  const text = Array.from({ length: 90_000 }, (_, i) => `<body name="b${i}" x="${i}"/>`).join("");
  const link = await packed("a.xml", text);
  expect(text.length).toBeGreaterThan(2.5e6);
  expect(await unpacked(link ?? "")).toEqual({ path: "a.xml", text });
  expect(await packed("a.xml", "x".repeat(MOST))).toBeNull();
});

test("bombs and huge addresses are refused as too large", async () => {
  const bomb = await deflated(new Uint8Array(40_000_000));
  expect(await refusal(bomb)).toMatch(/too large/);
  expect(await refusal(`#model=${"A".repeat(7_000_000)}`)).toMatch(/too large/);
  const nested = new TextEncoder().encode("[".repeat(3_900_000));
  expect(await refusal(await deflated(nested))).toMatch(/damaged/);
});

test("what is cut, changed or no file is refused as damaged", async () => {
  const good = `#${await packed("a.xml", "<system/>".repeat(50))}`;
  for (const wrong of [
    ...[good.slice(0, -9), `${good}*`, `${good}=`, "#model=", "#model=%3Csystem%3E", "#model=<system/>", "#model=AAAA"],
    ...[
      await json(null),
      await json([]),
      await json({ path: 1, text: "" }),
      await json({ path: "a.xml" }),
      await json(7),
    ],
    await deflated(Uint8Array.of(123, 255, 254)),
  ])
    expect(await refusal(wrong), wrong.slice(0, 60)).toMatch(/damaged/);
  expect(await unpacked("")).toBeNull();
  expect(await unpacked("#t=3")).toBeNull();
});

test("a link of a stranger chooses no folder", async () => {
  for (const [path, name] of [
    ["../../etc/a.xml", "a.xml"],
    ["c:\\b\\a.xml", "a.xml"],
    ["..", "model.xml"],
    ["x/", "model.xml"],
    ["\u202ea\u0000.xml", "a.xml"],
  ])
    expect(await unpacked(await json({ path, text: "t" }))).toEqual({ path: name, text: "t" });
});
