/** Singular values below this part of the greatest count as none. */
const LIVE_RANK = 1e-10;

/**
 * The shortest x that brings J x nearest to b.
 *
 * By one-sided Jacobi rotations of the rows (Golub and Van Loan, "Matrix Computations", section 8.6): matrices here are
 * small, and constraints may depend on each other.
 *
 * @param J m rows of n numbers; it is overwritten
 * @param m how many rows
 * @param n how many columns
 * @param b m numbers; it is overwritten
 * @param rank singular values below this part of the greatest count as none
 * @returns n numbers
 */
export function leastNorm(J: Float64Array, m: number, n: number, b: Float64Array, rank = LIVE_RANK): Float64Array {
  // Rows are turned until they are at right angles to each other, and the right sides with them.
  for (let sweep = 0; sweep < 60; sweep++) {
    let turned = false;
    for (let i = 0; i < m - 1; i++) {
      for (let j = i + 1; j < m; j++) {
        let a = 0,
          c = 0,
          d = 0;
        for (let k = 0; k < n; k++) {
          const x = J[i * n + k],
            y = J[j * n + k];
          a += x * x;
          c += x * y;
          d += y * y;
        }
        if (c === 0 || Math.abs(c) <= 1e-15 * Math.sqrt(a * d)) continue;
        turned = true;
        const zeta = (d - a) / (2 * c);
        const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const cos = 1 / Math.sqrt(1 + t * t),
          sin = cos * t;
        for (let k = 0; k < n; k++) {
          const x = J[i * n + k],
            y = J[j * n + k];
          J[i * n + k] = cos * x - sin * y;
          J[j * n + k] = sin * x + cos * y;
        }
        const x = b[i],
          y = b[j];
        b[i] = cos * x - sin * y;
        b[j] = sin * x + cos * y;
      }
    }
    if (!turned) break;
  }
  const squares = new Float64Array(m);
  let greatest = 0;
  for (let i = 0; i < m; i++) {
    for (let k = 0; k < n; k++) squares[i] += J[i * n + k] * J[i * n + k];
    greatest = Math.max(greatest, squares[i]);
  }
  const x = new Float64Array(n);
  for (let i = 0; i < m; i++) {
    if (!(squares[i] > rank * rank * greatest)) continue;
    const part = b[i] / squares[i];
    for (let k = 0; k < n; k++) x[k] += part * J[i * n + k];
  }
  return x;
}
