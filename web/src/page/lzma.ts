// LZMA as Python writes it with lc = 3, lp = 0 and pb = 0: a third shorter than gzip for what pages carry.
// The names are those of the specification by Igor Pavlov (2015), which is in the public domain.

const STATES = 12;
/** Where probabilities begin: of matches and repetitions by state, of lengths, of distances, of letters. */
const MATCH = 0;
const REP = MATCH + STATES;
const REP_0 = REP + STATES;
const REP_1 = REP_0 + STATES;
const REP_2 = REP_1 + STATES;
const REP_0_LONG = REP_2 + STATES;
const LENGTH = REP_0_LONG + STATES;
/** Two choices, 8 short lengths, 8 middle ones, 256 long ones. */
const LENGTHS = 2 + 8 + 8 + 256;
const REP_LENGTH = LENGTH + LENGTHS;
const SLOT = REP_LENGTH + LENGTHS;
const SPECIAL = SLOT + 4 * 64;
const ALIGN = SPECIAL + 128;
const LITERAL = ALIGN + 16;
const LETTERS = 0x300;

/**
 * What is packed, unpacked.
 * @param data the stream, without a header
 * @param size of what comes out [bytes]
 */
export function unpackLzma(data: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  const odds = new Uint16Array(LITERAL + LETTERS * 8).fill(1024);
  // Range and code: numbers of 32 bits without a sign, which plain variables would keep as fractions.
  const coder = new Uint32Array(2);
  let place = 5;
  coder[0] = 0xffffffff;
  coder[1] = new DataView(data.buffer, data.byteOffset).getUint32(1);

  const refill = () => {
    if (coder[0] >= 0x1000000) return;
    coder[0] <<= 8;
    coder[1] = (coder[1] << 8) | (data[place++] ?? 0);
  };
  const bit = (i: number): number => {
    const p = odds[i];
    const bound = (coder[0] >>> 11) * p;
    if (coder[1] < bound) {
      coder[0] = bound;
      odds[i] = p + ((2048 - p) >> 5);
      refill();
      return 0;
    }
    coder[0] -= bound;
    coder[1] -= bound;
    odds[i] = p - (p >> 5);
    refill();
    return 1;
  };
  const tree = (from: number, bits: number): number => {
    let m = 1;
    for (let k = 0; k < bits; k++) m = (m << 1) | bit(from + m);
    return m - (1 << bits);
  };
  const reverse = (from: number, bits: number): number => {
    let [m, value] = [1, 0];
    for (let k = 0; k < bits; k++) {
      const b = bit(from + m);
      m = (m << 1) | b;
      value |= b << k;
    }
    return value;
  };
  const length = (from: number): number => {
    if (!bit(from)) return tree(from + 2, 3);
    if (!bit(from + 1)) return 8 + tree(from + 10, 3);
    return 16 + tree(from + 18, 8);
  };
  const distance = (long: number): number => {
    const slot = tree(SLOT + 64 * Math.min(long, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + reverse(SPECIAL + high - slot, bits);
    let direct = 0;
    for (let k = 4; k < bits; k++) {
      coder[0] >>>= 1;
      const one = coder[1] >= coder[0] ? 1 : 0;
      if (one) coder[1] -= coder[0];
      direct = (direct << 1) | one;
      refill();
    }
    return high + (direct << 4) + reverse(ALIGN, 4);
  };

  let state = 0;
  let reps = [0, 0, 0, 0];
  let at = 0;
  while (at < size) {
    if (!bit(MATCH + state)) {
      const from = LITERAL + LETTERS * ((at ? out[at - 1] : 0) >> 5);
      let m = 1;
      if (state >= 7) {
        let like = out[at - reps[0] - 1];
        while (m < 0x100) {
          const wanted = (like >> 7) & 1;
          like <<= 1;
          const b = bit(from + ((1 + wanted) << 8) + m);
          m = (m << 1) | b;
          if (b !== wanted) break;
        }
      }
      while (m < 0x100) m = (m << 1) | bit(from + m);
      out[at++] = m;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let long: number;
    if (bit(REP + state)) {
      if (!bit(REP_0 + state)) {
        if (!bit(REP_0_LONG + state)) {
          state = state < 7 ? 9 : 11;
          out[at] = out[at - reps[0] - 1];
          at += 1;
          continue;
        }
      } else {
        const which = bit(REP_1 + state) ? 2 + bit(REP_2 + state) : 1;
        reps = [reps[which], ...reps.filter((_, k) => k !== which)];
      }
      long = length(REP_LENGTH);
      state = state < 7 ? 8 : 11;
    } else {
      long = length(LENGTH);
      state = state < 7 ? 7 : 10;
      reps = [distance(long), reps[0], reps[1], reps[2]];
    }
    // What is copied may reach into itself.
    const end = Math.min(at + long + 2, size);
    for (const back = reps[0] + 1; at < end; at++) out[at] = out[at - back];
  }
  return out;
}
