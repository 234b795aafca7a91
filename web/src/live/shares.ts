// Rows that follow from others, and what every row carries then.
import type { LiveElements } from "../payload";
import { eliminated } from "./complementarity";
import { leastNorm } from "./linear";

/** Part of a row that others leave of it, below which it follows from them. */
const LIVE_DEPENDENT = 1e-10;
/** Part of the largest load that is none. */
const LIVE_LITTLE = 1e-9;

/** Responses of all normals and tangents to each other, and of velocities to them; where rows are among these. */
export interface Responses {
  G: Float64Array;
  P: Float64Array;
  rows: number;
  nv: number;
  placed: Int32Array;
}

/**
 * Rows that do not follow from others, and what every row carries for a unit multiplier of each of them.
 *
 * Where normals follow from others, loads are shared with the least norm; what the problem gave to rows beyond that they
 * carry in proportion to what normals carry: first among those of one rigid body, then among all.
 */
export function liveShares(
  table: LiveElements,
  active: number[],
  responses: Responses,
  wanted: Float64Array,
): { kept: number[]; share: Float64Array } {
  const sharing = { table, responses, share: liveUnitMatrix(table.rows), wanted };
  const kept: number[] = [];
  for (const group of table.groups) {
    const own = group
      .flatMap((i) => [table.elements[i].normal, table.elements[i].tangent])
      .filter((row) => active.includes(row));
    kept.push(...liveReduced(sharing, own));
  }
  return { kept: liveReduced(sharing, kept), share: sharing.share };
}

interface Sharing {
  table: LiveElements;
  responses: Responses;
  share: Float64Array;
  wanted: Float64Array;
}

function liveUnitMatrix(n: number): Float64Array {
  const made = new Float64Array(n * n);
  for (let i = 0; i < n; i++) made[i * n + i] = 1;
  return made;
}

/** Of rows, those that the others follow from; what all carry goes to these. */
function liveReduced(sharing: Sharing, rows: number[]): number[] {
  const { table, wanted } = sharing,
    every = table.rows;
  const kept = liveIndependent(sharing.responses, rows);
  if (kept.length === rows.length) return rows;
  const normals = new Set(table.elements.map(({ normal }) => normal));
  const gone = rows.filter((row) => !kept.includes(row));
  const target = new Float64Array(sharing.responses.nv);
  for (const row of rows) livePushed(sharing.responses, row).forEach((each, j) => (target[j] += each * wanted[row]));
  const reduced = liveCarried(sharing.responses, kept, target);
  const lack = new Float64Array(every);
  for (const row of rows) lack[row] = wanted[row];
  const change = liveUnitMatrix(every);
  const even = table.reads || gone.some((row) => normals.has(row)) ? liveEven(sharing, rows, kept) : null;
  for (const row of even ? rows : gone) change.fill(0, row * every, (row + 1) * every);
  if (even === null) kept.forEach((row, at) => (lack[row] -= reduced[at]));
  else {
    const shared = rows.map((_, i) => kept.reduce((sum, __, j) => sum + even[i * kept.length + j] * reduced[j], 0));
    const little = LIVE_LITTLE * Math.max(...rows.map((row) => Math.abs(wanted[row])), 0);
    // Normals that friction does not hold may have these shares themselves.
    const plain = rows.every((row) => normals.has(row)) && shared.every((each) => each >= -little);
    rows.forEach((row, i) => {
      lack[row] -= shared[i];
      kept.forEach((other, j) => (change[row * every + other] = even[i * kept.length + j]));
    });
    for (let i = 0; i < every; i++) if (plain || Math.abs(lack[i]) <= little) lack[i] = 0;
  }
  const pushing = kept.some((row, at) => normals.has(row) && reduced[at] !== 0);
  const among = kept.map((row, at) => (!pushing || normals.has(row) ? reduced[at] : 0));
  const square = among.reduce((sum, each) => sum + each * each, 0);
  if (square > 0) {
    for (let i = 0; i < every; i++)
      kept.forEach((row, at) => (change[i * every + row] += (lack[i] * among[at]) / square));
  }
  sharing.share = liveProduct(sharing.share, change, every);
  const carried = wanted.slice();
  for (const row of rows) carried[row] = 0;
  kept.forEach((row, at) => (carried[row] = reduced[at]));
  sharing.wanted = carried;
  return kept;
}

/** How the velocities answer to a row. */
function livePushed({ P, nv, placed }: Responses, row: number): Float64Array {
  return P.subarray(placed[row] * nv, (placed[row] + 1) * nv);
}

/** What some rows carry where they alone move the velocities as much as is wanted. */
function liveCarried(responses: Responses, rows: number[], target: Float64Array): Float64Array {
  const { nv } = responses,
    n = rows.length,
    A = new Float64Array(nv * n);
  rows.forEach((row, j) => {
    livePushed(responses, row).forEach((each, i) => (A[i * n + j] = each));
  });
  return leastNorm(A, nv, n, target.slice(), 1e-11);
}

/** What all rows carry for unit multipliers of the kept ones where loads have the least norm; null for none. */
function liveEven({ table, responses, wanted }: Sharing, rows: number[], kept: number[]): Float64Array | null {
  const largest = Math.max(...rows.map((row) => Math.abs(wanted[row])), 0);
  const idle = new Set<number>();
  for (const { normal, tangent } of table.elements) {
    // Contacts that the problem gives nothing to push carry nothing.
    if (rows.includes(normal) && wanted[normal] <= LIVE_LITTLE * largest) idle.add(normal).add(tangent);
  }
  const n = kept.length,
    C = rows.map((row) =>
      kept.includes(row)
        ? Float64Array.from(kept, (other) => Number(other === row))
        : liveCarried(responses, kept, livePushed(responses, row)),
    );
  const square = new Float64Array(n * n);
  C.forEach((each, i) => {
    if (!idle.has(rows[i]))
      for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) square[a * n + b] += each[a] * each[b];
  });
  const made = new Float64Array(rows.length * n);
  for (let i = 0; i < rows.length; i++) {
    const column = idle.has(rows[i]) ? new Float64Array(n) : eliminated(square, C[i]);
    if (column === null) return null;
    made.set(column, i * n);
  }
  return made;
}

function liveProduct(A: Float64Array, B: Float64Array, n: number): Float64Array {
  const made = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const a = A[i * n + j];
      if (a !== 0) for (let m = 0; m < n; m++) made[i * n + m] += a * B[j * n + m];
    }
  }
  return made;
}

/** Of rows, those that do not follow from the ones before them. */
function liveIndependent({ G, rows: size, placed }: Responses, rows: number[]): number[] {
  const kept: number[] = [],
    made: number[][] = [];
  for (const row of rows) {
    const at = placed[row],
      part: number[] = [];
    let left = G[at * size + at];
    kept.forEach((other, n) => {
      let sum = G[at * size + placed[other]];
      for (let j = 0; j < n; j++) sum -= made[n][j] * part[j];
      part.push(sum / made[n][n]);
      left -= part[n] ** 2;
    });
    if (left > LIVE_DEPENDENT * G[at * size + at]) {
      made.push([...part, Math.sqrt(left)]);
      kept.push(row);
    }
  }
  return kept;
}
