// Moving GIFs: one palette for all pictures, and of every picture only what has changed (GIF89a, Compuserve 1990).

/** What makes a film of pictures. */
export interface GifKit {
  /** Colours that pictures are told by, three bytes each. */
  palette(pictures: Uint8ClampedArray[]): Uint8Array;
  /** Begins a film of some size. */
  film(width: number, height: number, colours: Uint8Array): GifFilm;
}

export interface GifFilm {
  /** Adds a picture, four bytes a pixel, that stays for some hundredths of a second. */
  add(pixels: Uint8ClampedArray, hundredths: number): void;
  /** The file. */
  bytes(): Uint8Array<ArrayBuffer>;
}

/**
 * The functions of a film. A worker runs the text of this one, so it knows nothing of what stands outside of it.
 */
export function gifKit(): GifKit {
  /** Colours of the palette; one more index means that a pixel stays. */
  const MOST = 255,
    STAYS = 255;
  /** Cells of colours of 5 bits a channel. */
  const CELLS = 1 << 15;

  const cellOf = (r: number, g: number, b: number) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);

  /** Median cut (Heckbert 1982) of the cells that occur; every colour is the mean of its box. */
  function palette(pictures: Uint8ClampedArray[]): Uint8Array {
    const count = new Float64Array(CELLS),
      sums = [new Float64Array(CELLS), new Float64Array(CELLS), new Float64Array(CELLS)];
    for (const pixels of pictures) {
      for (let i = 0; i < pixels.length; i += 4) {
        const cell = cellOf(pixels[i], pixels[i + 1], pixels[i + 2]);
        count[cell]++;
        for (let c = 0; c < 3; c++) sums[c][cell] += pixels[i + c];
      }
    }
    const mean = (cell: number, c: number) => sums[c][cell] / count[cell];
    interface Box {
      cells: number[];
      channel: number;
      spread: number;
    }
    const boxOf = (cells: number[]): Box => {
      let channel = 0,
        spread = -1,
        whole = 0;
      for (const cell of cells) whole += count[cell];
      for (let c = 0; c < 3; c++) {
        const values = cells.map((cell) => mean(cell, c));
        const range = Math.max(...values) - Math.min(...values);
        if (range > spread) [spread, channel] = [range, c];
      }
      // What is rare counts less, but thin lines still have their colours.
      return { cells, channel, spread: cells.length > 1 ? spread * whole ** 0.25 : -1 };
    };
    const cells = [...count.keys()].filter((cell) => count[cell] > 0);
    const boxes = [boxOf(cells)];
    while (boxes.length < MOST) {
      const widest = boxes.reduce((best, box, i) => (box.spread > boxes[best].spread ? i : best), 0);
      const { cells: own, channel, spread } = boxes[widest];
      if (spread <= 0) break;
      const sorted = own.slice().sort((a, b) => mean(a, channel) - mean(b, channel));
      const low = mean(sorted[0], channel),
        high = mean(sorted[sorted.length - 1], channel);
      const half = Math.max(
        1,
        sorted.findIndex((cell) => mean(cell, channel) > (low + high) / 2),
      );
      boxes.splice(widest, 1, boxOf(sorted.slice(0, half)), boxOf(sorted.slice(half)));
    }
    const colours = new Uint8Array(3 * boxes.length);
    boxes.forEach(({ cells: own }, i) => {
      const whole = own.reduce((sum, cell) => sum + count[cell], 0);
      for (let c = 0; c < 3; c++)
        colours[3 * i + c] = Math.round(own.reduce((sum, cell) => sum + sums[c][cell], 0) / whole);
    });
    return colours;
  }

  function film(width: number, height: number, colours: Uint8Array): GifFilm {
    const parts: Uint8Array[] = [];
    const word = (n: number) => [n & 255, n >> 8];
    const table = new Uint8Array(3 * 256);
    table.set(colours);
    const head = [71, 73, 70, 56, 57, 97, ...word(width), ...word(height), 0xf7, 0, 0];
    const again = [0x21, 0xff, 11, ...Array.from("NETSCAPE2.0", (letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0];
    parts.push(Uint8Array.from(head), table, Uint8Array.from(again));
    const nearest = new Int16Array(CELLS).fill(-1);
    const indexOf = (r: number, g: number, b: number): number => {
      const cell = cellOf(r, g, b);
      if (nearest[cell] >= 0) return nearest[cell];
      let best = 0,
        least = Infinity;
      for (let i = 0; i < colours.length / 3; i++) {
        const away =
          3 * (r - colours[3 * i]) ** 2 + 4 * (g - colours[3 * i + 1]) ** 2 + 2 * (b - colours[3 * i + 2]) ** 2;
        if (away < least) [best, least] = [i, away];
      }
      return (nearest[cell] = best);
    };
    let before: Uint8Array | null = null;

    function add(pixels: Uint8ClampedArray, hundredths: number): void {
      const now = new Uint8Array(width * height);
      for (let i = 0; i < now.length; i++) now[i] = indexOf(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
      let left = 0,
        top = 0,
        right = width - 1,
        bottom = height - 1;
      if (before !== null) {
        [left, top, right, bottom] = [width, height, -1, -1];
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            if (now[y * width + x] === before[y * width + x]) continue;
            if (x < left) left = x;
            if (x > right) right = x;
            if (y < top) top = y;
            bottom = y;
          }
        }
        if (right < 0) [left, top, right, bottom] = [0, 0, 0, 0];
      }
      const wide = right - left + 1,
        high = bottom - top + 1,
        changed = new Uint8Array(wide * high);
      for (let y = 0; y < high; y++) {
        for (let x = 0; x < wide; x++) {
          const at = (y + top) * width + x + left;
          changed[y * wide + x] = before !== null && before[at] === now[at] ? STAYS : now[at];
        }
      }
      before = now;
      // What is drawn stays, and one index is the one that shows it through.
      const control = [0x21, 0xf9, 4, 0x05, ...word(hundredths), STAYS, 0];
      const place = [0x2c, ...word(left), ...word(top), ...word(wide), ...word(high), 0];
      parts.push(Uint8Array.from([...control, ...place]), packed(changed));
    }

    function bytes(): Uint8Array<ArrayBuffer> {
      const all = [...parts, Uint8Array.of(0x3b)];
      const made = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of all) {
        made.set(part, at);
        at += part.length;
      }
      return made;
    }

    return { add, bytes };
  }

  /** Indices by LZW with codes of 9 to 12 bits, in blocks of 255 bytes. */
  function packed(indices: Uint8Array): Uint8Array {
    const CLEAR = 256,
      END = 257;
    const out: number[] = [8],
      block: number[] = [];
    let bits = 0,
      held = 0,
      size = 9,
      next = END + 1;
    const byte = (value: number) => {
      block.push(value);
      if (block.length === 255) flush();
    };
    const flush = () => {
      if (!block.length) return;
      out.push(block.length);
      for (const each of block) out.push(each);
      block.length = 0;
    };
    const write = (code: number) => {
      held |= code << bits;
      for (bits += size; bits >= 8; bits -= 8) {
        byte(held & 255);
        held >>>= 8;
      }
    };
    const codes = new Map<number, number>();
    write(CLEAR);
    let prefix = indices[0];
    for (let i = 1; i < indices.length; i++) {
      const key = (prefix << 8) | indices[i],
        known = codes.get(key);
      if (known !== undefined) {
        prefix = known;
        continue;
      }
      write(prefix);
      prefix = indices[i];
      if (next === 4096) {
        write(CLEAR);
        codes.clear();
        next = END + 1;
        size = 9;
        continue;
      }
      if (next === 1 << size) size++;
      codes.set(key, next++);
    }
    write(prefix);
    if (next === 1 << size && size < 12) size++;
    write(END);
    if (bits > 0) byte(held & 255);
    flush();
    out.push(0);
    return Uint8Array.from(out);
  }

  return { palette, film };
}

/** What a worker is asked. */
export type GifOrder =
  | { what: "colours"; pictures: Uint8ClampedArray[]; width: number; height: number }
  | { what: "add"; pixels: Uint8ClampedArray; hundredths: number }
  | { what: "end" };

/** The script of a worker that makes a film; every order is answered, the last one with the file. */
export function gifScript(): string {
  return `const kit = (${gifKit.toString()})();
let film = null;
onmessage = ({ data }) => {
  if (data.what === "colours") film = kit.film(data.width, data.height, kit.palette(data.pictures));
  else if (data.what === "add") film.add(data.pixels, data.hundredths);
  postMessage(data.what === "end" ? film.bytes() : null);
};`;
}
