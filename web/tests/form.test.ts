import { describe, expect, it } from "vitest";
import type { FormField, FormSlot } from "../src/payload";
import { filledText, readField } from "../src/page/form";

const words = (text: string) => ({ en: text, ru: text });

function field(key: string, more: Partial<FormField>): FormField {
  const plain = {
    name: words(key),
    about: words(""),
    unit: words("cm"),
    scale: [1, 100] as [number, number],
    value: 0,
    min: null,
    max: null,
  };
  const rest = { formula: false, required: true, of: "" as const, parameter: "", drawn: false, index: -1, line: 1 };
  return { key, group: "start", written: "", place: [], slot: -1, ...plain, ...rest, ...more };
}

describe("fields", () => {
  const limited = field("f", { min: 10, max: 300 });

  it("take numbers as they are meant", () => {
    for (const [typed, text, value] of [
      ["12", "12", 0.12],
      [" 100,5 ", "100.5", 1.005],
      ["+1e2", "1e2", 1],
      ["20.e0", "20e0", 0.2],
      ["10.", "10", 0.1],
      [".5e+2", ".5e+2", 0.5],
    ] as const)
      expect(readField(limited, typed)).toEqual({ text, value });
    expect(readField(field("g", {}), "− 3")).toEqual({ text: "-3", value: -0.03 });
    expect(readField(field("g", { required: false }), " ")).toEqual({ text: "", value: null });
  });

  it("say what is wrong, in both languages", () => {
    const wrong = (typed: string) => {
      const read = readField(limited, typed);
      return "wrong" in read ? read.wrong : null;
    };
    expect(wrong("9.99")).toEqual({ en: "At least 10 cm.", ru: "Не меньше 10 cm." });
    expect(wrong("301")?.en).toBe("At most 300 cm.");
    expect(wrong("")?.ru).toBe("Нужно число.");
    for (const typed of ["abc", "1e999", "0x10", "1 2", "NaN", "1.2.3", "--1", '1"/>'])
      expect(wrong(typed)?.en).toBe(`“${typed}” is no number.`);
  });
});

describe("the text of a file", () => {
  const text = '<?xml encoding="koi8-r"?>😀<s a="1 m"><!-- a="1" --></s>';
  const at = text.indexOf("1 m"),
    end = text.indexOf("</s>");
  const slot = (more: Partial<FormSlot>): FormSlot => ({
    first: end,
    last: end,
    parent: -1,
    before: "",
    after: "",
    ...more,
  });
  const form = {
    encoding: [text.indexOf("koi8"), text.indexOf("koi8") + 6],
    fields: [
      field("f1", { written: "1", place: [at, at + 1] }),
      field("f2", { slot: 1, required: false }),
      field("f3", { slot: 3, required: false }),
      field("f4", { slot: 4, required: false }),
    ],
    slots: [
      slot({ before: "<start", after: "/>" }),
      slot({ parent: 0, before: ' a="', after: '"' }),
      slot({ parent: 0, before: "<c", after: ">" }),
      slot({ parent: 2, before: ' v="', after: '"' }),
      slot({ parent: 2, before: ' r="', after: '"' }),
    ],
  };

  it("changes where numbers stand, and gains what was left out, in its order", () => {
    const utf8 = text.replace("koi8-r", "UTF-8");
    expect(filledText(text, form, new Map())).toBe(utf8);
    expect(filledText(text, form, new Map([["f1", "2.50"]]))).toBe(utf8.replace('a="1 m"', 'a="2.50 m"'));
    const all = new Map([
      ["f2", "7"],
      ["f4", "9"],
      ["f3", "8"],
    ]);
    expect(filledText(text, form, all)).toBe(utf8.replace("</s>", '<start a="7"<c v="8" r="9">/></s>'));
    expect(filledText(text, form, new Map([["f4", "9"]]))).toBe(utf8.replace("</s>", '<start<c r="9">/></s>'));
  });
});
