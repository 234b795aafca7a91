// Which contacts push, stick and slide: one complementarity problem for all of them at once, as simulations pose it.
import { leastNorm } from "./linear";

/** What a contact does along its tangent: no force, held, slip in the positive direction, in the negative one. */
export const LIVE_FREE = 0,
  LIVE_STICK = 1,
  LIVE_PLUS = 2,
  LIVE_MINUS = 3;
/** What is added to that where it pushes. */
export const LIVE_CLOSED = 4;
/** Part of the terms of a sum that counts as none. */
export const LIVE_ROUNDING = 1e-10;
/** Combinations of statuses up to which all are tried. */
const LIVE_COMBINATIONS = 5000;
/** Times that bounds of friction are found anew from the loads that follow from them. */
const LIVE_SHARING = 6;
/** Part of the largest pivot below which rows follow from others. */
const LIVE_RANKED = 1e-11;

/**
 * Contacts that may push: k of them. With x their forces (or impulses), those along normals first, w = G x + b are the
 * accelerations (or velocities) that follow.
 */
export interface Problem {
  k: number;
  /** Shape (2k, 2k). */
  G: Float64Array;
  b: Float64Array;
  /** Coefficients; null where a contact cannot slide while it pushes. Those of slips backwards. */
  friction: (number | null)[];
  back: number[];
  /** Known direction of the slip of every contact, 0 where it is not slipping. */
  ways: number[];
  /** Normal force that every contact has beside x. */
  pressed: number[];
  /** Whether there is no normal, but friction that `pressed` alone bounds. */
  bare: boolean[];
}

/** What the contacts do: a status each, forces, accelerations. */
export interface Decided {
  statuses: number[];
  x: Float64Array;
  w: Float64Array;
}

/** The way of a slip: 1, -1, or 0 of what does not slip. */
export function wayOf(status: number): number {
  const grip = status % LIVE_CLOSED;
  return grip === LIVE_PLUS ? 1 : grip === LIVE_MINUS ? -1 : 0;
}

function liveSmooth(problem: Problem, i: number): boolean {
  return problem.friction[i] === 0 && problem.back[i] === 0;
}

/** The coefficient of a slip. */
function livePull({ friction, back }: Problem, i: number, way: number): number {
  return way < 0 ? back[i] : (friction[i] ?? 0);
}

/** A solution; null where there is none. Statuses that are preferred are tried first. */
export function solveContacts(problem: Problem, prefer: number[] = []): Decided | null {
  const options = problem.friction.map((_, i) => liveOptions(problem, i));
  if (options.reduce((product, each) => product * each.length, 1) > LIVE_COMBINATIONS) return liveByPivots(problem);
  prefer.forEach((first, i) => {
    const at = options[i].indexOf(first);
    if (at > 0) options[i].unshift(...options[i].splice(at, 1));
  });
  const { k } = problem,
    place = new Array<number>(k).fill(0);
  for (;;) {
    const found = tryStatuses(
      problem,
      place.map((at, i) => options[i][at]),
    );
    if (found) return found;
    let i = k - 1;
    for (; i >= 0; i--) {
      if (++place[i] < options[i].length) break;
      place[i] = 0;
    }
    if (i < 0) return null;
  }
}

function liveOptions(problem: Problem, i: number): number[] {
  const way = problem.ways[i];
  let grips = [LIVE_STICK, LIVE_PLUS, LIVE_MINUS];
  if (liveSmooth(problem, i)) grips = [LIVE_FREE];
  else if (problem.friction[i] === null) grips = [LIVE_STICK];
  else if (way) grips = [way > 0 ? LIVE_PLUS : LIVE_MINUS];
  if (problem.bare[i]) return grips;
  // Without any normal force there is no friction.
  return [...grips.map((grip) => LIVE_CLOSED + grip), ...(problem.pressed[i] ? grips : [LIVE_FREE])];
}

/** The solution in which the contacts have given statuses, if there is one; of several, the least in parts of weights. */
export function tryStatuses(problem: Problem, statuses: number[], weights?: Float64Array): Decided | null {
  const { k, G, b } = problem,
    n = 2 * k;
  const x = liveSolve(...liveEquations(problem, statuses), weights);
  if (x === null) return null;
  const w = new Float64Array(n),
    slack = new Float64Array(n);
  let most = 0;
  for (let i = 0; i < n; i++) {
    let sum = b[i],
      size = Math.abs(b[i]);
    for (let j = 0; j < n; j++) {
      const term = G[i * n + j] * x[j];
      sum += term;
      size += Math.abs(term);
    }
    w[i] = sum;
    slack[i] = LIVE_ROUNDING * size;
    most = Math.max(most, Math.abs(x[i]));
  }
  const least = LIVE_ROUNDING * most;
  for (let i = 0; i < k; i++) {
    const closed = statuses[i] >= LIVE_CLOSED,
      j = k + i,
      way = wayOf(statuses[i]);
    if (closed ? x[i] < -least : w[i] < -slack[i]) return null;
    if (statuses[i] % LIVE_CLOSED === LIVE_STICK && problem.friction[i] !== null) {
      // What pulls forwards keeps from slipping backwards.
      const bound = livePull(problem, i, x[j] > 0 ? -1 : 1) * (x[i] + problem.pressed[i]);
      if (Math.abs(x[j]) > bound + least) return null;
    } else if (way && !problem.ways[i] && way * w[j] < -slack[j]) return null;
  }
  return { statuses, x, w };
}

/** Linear equations for the forces: matrix and right-hand side. */
function liveEquations(problem: Problem, statuses: number[]): [Float64Array, Float64Array] {
  const { k, G, b } = problem,
    n = 2 * k;
  const A = new Float64Array(n * n),
    right = new Float64Array(n);
  const hold = (row: number) => {
    A.set(G.subarray(row * n, row * n + n), row * n);
    right[row] = -b[row];
  };
  for (let i = 0; i < k; i++) {
    if (statuses[i] >= LIVE_CLOSED) hold(i);
    else A[i * n + i] = 1;
    const j = k + i,
      way = wayOf(statuses[i]);
    if (statuses[i] % LIVE_CLOSED === LIVE_STICK) hold(j);
    else {
      A[j * n + j] = 1;
      if (way) {
        const pull = way * livePull(problem, i, way);
        A[j * n + i] = pull;
        right[j] = -pull * problem.pressed[i];
      }
    }
  }
  return [A, right];
}

/** Solution of linear equations, of several the shortest; null where there is none. */
function liveSolve(A: Float64Array, right: Float64Array, weights?: Float64Array): Float64Array | null {
  const n = right.length,
    exact = eliminated(A, right);
  if (exact !== null) return exact;
  const scaled = A.map((entry, at) => entry * (weights?.[at % n] ?? 1));
  const x = leastNorm(scaled, n, n, right.slice(), LIVE_RANKED);
  if (weights) for (let i = 0; i < n; i++) x[i] *= weights[i];
  const lack = new Float64Array(n),
    terms = new Float64Array(n);
  let whole = 0;
  for (let i = 0; i < n; i++) {
    lack[i] = -right[i];
    terms[i] = Math.abs(right[i]);
    for (let j = 0; j < n; j++) {
      lack[i] += A[i * n + j] * x[j];
      terms[i] += Math.abs(A[i * n + j] * x[j]);
    }
    whole = Math.max(whole, terms[i]);
  }
  // Equations that say no more than others do so but for the rounding of what they were made of.
  const good = lack.every((each, i) => Math.abs(each) <= 1e-9 * terms[i] + 1e-12 * whole + 1e-15);
  return good ? x : null;
}

/** The solution by elimination; null where rows follow from others. */
export function eliminated(A: Float64Array, right: Float64Array): Float64Array | null {
  const n = right.length,
    M = A.slice(),
    x = right.slice();
  const sizes = new Float64Array(n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sizes[i] = Math.max(sizes[i], Math.abs(M[i * n + j]));
  for (let c = 0; c < n; c++) {
    let best = -1,
      most = 0;
    for (let i = c; i < n; i++) {
      const part = sizes[i] > 0 ? Math.abs(M[i * n + c]) / sizes[i] : 0;
      if (part > most) [best, most] = [i, part];
    }
    if (best < 0 || most <= LIVE_RANKED) return null;
    if (best !== c) {
      for (let j = 0; j < n; j++) [M[c * n + j], M[best * n + j]] = [M[best * n + j], M[c * n + j]];
      [x[c], x[best]] = [x[best], x[c]];
      [sizes[c], sizes[best]] = [sizes[best], sizes[c]];
    }
    for (let i = c + 1; i < n; i++) {
      const part = M[i * n + c] / M[c * n + c];
      if (part === 0) continue;
      for (let j = c; j < n; j++) M[i * n + j] -= part * M[c * n + j];
      x[i] -= part * x[c];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= M[i * n + j] * x[j];
    x[i] /= M[i * n + i];
  }
  return x;
}

/** The statuses with all that rests on its surface without pushing counted as closed; null where nothing does. */
export function resting(problem: Problem, { statuses, x, w }: Decided): number[] | null {
  const { k } = problem,
    made = statuses.slice();
  let found = false;
  for (let i = 0; i < k; i++) {
    if (statuses[i] !== LIVE_FREE || problem.bare[i] || Math.abs(w[i]) > liveSlow(problem, x, i)) continue;
    found = true;
    const moves = problem.ways[i] && problem.friction[i] !== null && !liveSmooth(problem, i);
    const grip = liveSmooth(problem, i) ? LIVE_FREE : LIVE_STICK;
    made[i] = LIVE_CLOSED + (moves ? (problem.ways[i] > 0 ? LIVE_PLUS : LIVE_MINUS) : grip);
  }
  return found ? made : null;
}

function liveSlow({ k, G, b }: Problem, x: Float64Array, row: number): number {
  let size = Math.abs(b[row]);
  for (let j = 0; j < 2 * k; j++) size += Math.abs(G[row * 2 * k + j] * x[j]);
  return LIVE_ROUNDING * size;
}

/** Where some contacts rest without pushing, a solution in which all that does not move holds; null for none. */
export function heldTogether(problem: Problem, found: Decided): Decided | null {
  const { k, friction, bare, pressed } = problem,
    { x, w } = found;
  const still = (row: number) => Math.abs(w[row]) <= liveSlow(problem, x, row);
  const statuses = found.statuses.map((status, i) => {
    if (problem.ways[i] || !still(k + i) || !(bare[i] || still(i))) return status;
    return (bare[i] ? 0 : LIVE_CLOSED) + (liveSmooth(problem, i) ? LIVE_FREE : LIVE_STICK);
  });
  if (statuses.every((status, i) => status === found.statuses[i])) return null;
  let weights = new Float64Array(2 * k).fill(1);
  for (let turn = 0; turn < LIVE_SHARING; turn++) {
    const shared = tryStatuses(problem, statuses, weights);
    if (shared) return shared;
    const all = liveSolve(...liveEquations(problem, statuses), weights);
    if (all === null) return null;
    const least = 1e-3 * Math.max(...all.map(Math.abs), 1e-300);
    for (let i = 0; i < k; i++) {
      const load = Math.max(all[i] + pressed[i], least);
      weights[i] = load;
      weights[k + i] = (friction[i] ?? 1) * load;
    }
    const low = 1e-6 * Math.max(...weights);
    weights = weights.map((each) => Math.max(each, low));
  }
  return null;
}

/** As one linear complementarity problem: normals, friction above its lower bound, slips backwards. */
function liveByPivots(problem: Problem): Decided | null {
  const { k, G, b, friction, back, ways, pressed, bare } = problem,
    n = 2 * k;
  if (friction.some((each) => each === null)) return null;
  const mu = friction.map((each) => each ?? 0);
  const open = [...mu.keys()].filter((i) => (mu[i] || back[i]) && !ways[i]);
  const m = open.length,
    size = k + 2 * m;
  // x = T z + c: a tangent's force is the known friction, or what lies above −mu · normal.
  const T = new Float64Array(n * size),
    c = new Float64Array(n);
  for (let i = 0; i < k; i++) {
    T[i * size + i] = 1;
    const pull = ways[i] < 0 ? back[i] : -mu[i];
    T[(k + i) * size + i] = pull;
    c[k + i] = pull * pressed[i];
  }
  open.forEach((i, place) => (T[(k + i) * size + k + place] = 1));
  const M = new Float64Array(size * size),
    q = new Float64Array(size);
  const respond = (row: number, at: number) => {
    q[at] = b[row];
    for (let j = 0; j < n; j++) {
      const g = G[row * n + j];
      q[at] += g * c[j];
      for (let z = 0; z < size; z++) M[at * size + z] += g * T[j * size + z];
    }
  };
  for (let i = 0; i < k; i++) {
    if (bare[i]) q[i] = 1;
    else respond(i, i);
  }
  open.forEach((i, place) => {
    respond(k + i, k + place);
    M[(k + place) * size + k + m + place] = 1;
    M[(k + m + place) * size + i] = mu[i] + back[i];
    M[(k + m + place) * size + k + place] = -1;
    q[k + m + place] = (mu[i] + back[i]) * pressed[i];
  });
  const z = liveLemke(M, q);
  if (z === null) return null;
  const x = c.slice(),
    w = b.slice();
  for (let i = 0; i < n; i++) for (let j = 0; j < size; j++) x[i] += T[i * size + j] * z[j];
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) w[i] += G[i * n + j] * x[j];
  const statuses = mu.map((_, i) => {
    const closed = z[i] > 0 ? LIVE_CLOSED : 0;
    if ((mu[i] === 0 && back[i] === 0) || !(z[i] > 0 || pressed[i])) return closed + LIVE_FREE;
    if (ways[i]) return closed + (ways[i] > 0 ? LIVE_PLUS : LIVE_MINUS);
    const above = z[k + open.indexOf(i)],
      below = (mu[i] + back[i]) * (z[i] + pressed[i]) - above,
      edge = LIVE_ROUNDING * (above + below);
    return closed + (above <= edge ? LIVE_PLUS : below <= edge ? LIVE_MINUS : LIVE_STICK);
  });
  return { statuses, x, w };
}

/** The z ≥ 0 with w = M z + q ≥ 0 and w · z = 0, by Lemke's pivots; null where they end on a ray. */
function liveLemke(M: Float64Array, q: Float64Array): Float64Array | null {
  const n = q.length,
    width = 2 * n + 2,
    last = width - 1;
  if (q.every((each) => each >= 0)) return new Float64Array(n);
  // Columns: w, z, the artificial variable, the right-hand side; the identity at the left breaks ties in order.
  const rows = Array.from({ length: n }, (_, i) => {
    const row = new Float64Array(width);
    row[i] = 1;
    for (let j = 0; j < n; j++) row[n + j] = -M[i * n + j];
    row[2 * n] = -1;
    row[last] = q[i];
    return row;
  });
  const basis = [...rows.keys()];
  let entering = 2 * n,
    row = q.indexOf(Math.min(...q));
  for (let turn = 0; turn < 50 * n + 100; turn++) {
    const own = rows[row],
      by = own[entering];
    for (let j = 0; j < width; j++) own[j] /= by;
    rows.forEach((other, i) => {
      const part = other[entering];
      if (i === row || part === 0) return;
      for (let j = 0; j < width; j++) other[j] -= part * own[j];
    });
    const leaving = basis[row];
    basis[row] = entering;
    if (leaving === 2 * n) {
      const z = new Float64Array(n);
      basis.forEach((variable, i) => {
        if (n <= variable && variable < 2 * n) z[variable - n] = Math.max(0, rows[i][last]);
      });
      return z;
    }
    entering = leaving < n ? leaving + n : leaving - n;
    const column = rows.map((each) => each[entering]);
    const small = 1e-12 * Math.max(1, ...column.map(Math.abs));
    const fit = [...column.keys()].filter((i) => column[i] > small);
    if (!fit.length) return null;
    const best = Math.min(...fit.map((i) => rows[i][last] / column[i]));
    const tied = fit.filter((i) => rows[i][last] / column[i] <= best + 1e-13 * (1 + Math.abs(best)));
    // The artificial variable leaves where it may; else the lexicographically smallest ratio: pivots cannot cycle.
    row = tied.find((i) => basis[i] === 2 * n) ?? -1;
    if (row < 0) {
      row = tied.reduce((a, i) => {
        for (let j = 0; j < n; j++) {
          const less = rows[i][j] / column[i] - rows[a][j] / column[a];
          if (less !== 0) return less < 0 ? i : a;
        }
        return a;
      });
    }
  }
  return null;
}

/** Laws of an impact: restitutions by Newton's rule and by Poisson's, 0 for contacts that have another one. */
export interface Rebounds {
  newton: number[];
  poisson: number[];
}

/** Impulses of contacts that strike at once, from the velocities before; null where there are none. */
export function impactImpulses(problem: Problem, { newton, poisson }: Rebounds): Float64Array | null {
  const { k, G, b: u } = problem,
    n = 2 * k;
  if (k === 1 && liveSmooth(problem, 0)) {
    // One smooth contact, by either rule.
    return Float64Array.of(Math.max(0, (-(1 + newton[0] + poisson[0]) * u[0]) / G[0]), 0);
  }
  const none = new Array<number>(k).fill(0);
  const phase = (b: Float64Array, pressed: number[]) =>
    solveContacts({ ...problem, b, ways: none, pressed })?.x ?? null;
  const raised = (b: Float64Array) => b.map((each, i) => (i < k ? each + newton[i] * u[i] : each));
  if (!poisson.some(Boolean)) return phase(raised(u), none);
  const given = phase(u, none);
  if (given === null) return null;
  const pressed = poisson.map((part, i) => part * given[i]);
  for (let i = 0; i < k; i++) given[i] += pressed[i];
  const after = u.slice();
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) after[i] += G[i * n + j] * given[j];
  const more = phase(raised(after), pressed);
  return more && given.map((each, i) => each + more[i]);
}
