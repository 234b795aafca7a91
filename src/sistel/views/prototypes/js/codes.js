// Poses as rows of numbers: the same reading as in Python, from tables that Python wrote.
// `TABLES` stands before this text: kinds of coordinates and of orientation, axial codes, the language of messages.

const Poses = (() => {
  const DEGREE = Math.PI / 180;
  const FLAT = 1e-6; // how far typed points and matrices may be from those of a rigid body

  class CodeError extends Error {}

  /** Says what is wrong, in the language of the prototypes. */
  function refuse(en, ru) {
    throw new CodeError(TABLES.lang === "ru" ? ru : en);
  }

  // --- quaternions w, x, y, z ------------------------------------------------------------------------------------

  /** The turn a, then b about the axes that a has turned. */
  function times(a, b) {
    return [
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
  }

  const opposite = (q) => [q[0], -q[1], -q[2], -q[3]];

  /** Of length 1; of the two that are one rotation, that whose first component other than 0 is positive. */
  function unit(q) {
    const size = Math.max(...q.map(Math.abs));
    if (!(size > 0)) refuse("a quaternion of length 0 is no rotation", "кватернион нулевой длины — не поворот");
    const scaled = q.map((part) => part / size);
    const length = Math.hypot(...scaled) * ((scaled.find((part) => part !== 0) ?? 1) < 0 ? -1 : 1);
    return scaled.map((part) => part / length + 0);
  }

  function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  }

  /** A vector after the turn. */
  function turned(q, v) {
    const axis = q.slice(1);
    const once = cross(axis, v).map((part) => 2 * part);
    const twice = cross(axis, once);
    return v.map((part, k) => part + q[0] * once[k] + twice[k]);
  }

  function about(axis, angle) {
    const made = [Math.cos(angle / 2), 0, 0, 0];
    made[1 + "xyz".indexOf(axis)] = Math.sin(angle / 2);
    return made;
  }

  /** Nine entries, row by row. */
  function toMatrix([w, x, y, z]) {
    return [
      ...[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      ...[2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      ...[2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
  }

  function fromMatrix(R) {
    const [a, b, c, d, e, f, g, h, i] = R;
    const sizes = [a + e + i, a - e - i, e - a - i, i - a - e];
    const best = sizes.indexOf(Math.max(...sizes));
    return unit(
      [
        [1 + sizes[0], h - f, c - g, d - b],
        [h - f, 1 + sizes[1], b + d, c + g],
        [c - g, b + d, 1 + sizes[2], f + h],
        [d - b, c + g, f + h, 1 + sizes[3]],
      ][best],
    );
  }

  /** Unit axis and angle from 0 to π [rad]; no turn at all is about x. */
  function toAxis(q) {
    const [w, x, y, z] = q[0] < 0 ? q.map((part) => -part) : q;
    const sine = Math.hypot(x, y, z);
    return sine > 0 ? [x / sine, y / sine, z / sine, 2 * Math.atan2(sine, w)] : [1, 0, 0, 0];
  }

  function fromAxis([x, y, z, angle]) {
    const length = Math.hypot(x, y, z);
    const sine = Math.sin(angle / 2);
    if (length === 0 && sine !== 0) refuse("a turn needs an axis that is not zero", "для поворота нужна ненулевая ось");
    const share = length > 0 ? sine / length : 0;
    return unit([Math.cos(angle / 2), share * x, share * y, share * z]);
  }

  /** The angle between two orientations, 0 to π [rad]. */
  function angleBetween(a, b) {
    const step = times(opposite(a), b);
    return 2 * Math.atan2(Math.hypot(step[1], step[2], step[3]), Math.abs(step[0]));
  }

  function axial(code) {
    const found = TABLES.axial[code];
    if (!found) refuse(`${code} is no code of an orientation`, `${code} — не код ориентации`);
    return unit(found);
  }

  /** The axial code that is nearest, and how far it is [rad]. */
  function nearest(q) {
    const all = Object.keys(TABLES.axial).map((code) => [angleBetween(axial(code), q), Number(code)]);
    const least = Math.min(...all.map(([angle]) => angle));
    // Rounding must not decide between equally near ones.
    const [angle, code] = all.find(([each]) => each <= least + 1e-7);
    return { code, angle };
  }

  function fromPoints(v) {
    const [a, b] = [v.slice(0, 3), v.slice(3)];
    const gaps = [Math.hypot(...a) - 1, Math.hypot(...b) - 1, Math.hypot(...b.map((part, k) => part - a[k])) - Math.SQRT2];
    if (!gaps.every((gap) => Math.abs(gap) <= FLAT * Math.SQRT2)) {
      refuse(
        "two points of a body keep their distances from the pole and from each other; these do not",
        "две точки тела сохраняют расстояния до полюса и между собой; эти — нет",
      );
    }
    const scaled = (w) => w.map((part) => part / Math.hypot(...w));
    const x = scaled(a);
    const z = scaled(cross(x, b));
    const y = cross(z, x);
    return fromMatrix([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]);
  }

  function fromNine(v) {
    const column = (k) => [v[k], v[k + 3], v[k + 6]];
    const dot = (a, b) => a.reduce((sum, part, k) => sum + part * b[k], 0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        if (!(Math.abs(dot(column(i), column(j)) - (i === j ? 1 : 0)) <= FLAT)) {
          refuse(
            "the columns of this matrix are not of length 1 and at right angles",
            "столбцы этой матрицы не единичные или не под прямыми углами",
          );
        }
      }
    }
    if (dot(cross(column(0), column(1)), column(2)) < 0) {
      refuse("this matrix mirrors: its axes are left-handed", "эта матрица отражает: её оси левые");
    }
    return fromMatrix(v);
  }

  function fromVector(v) {
    const half = Math.hypot(...v) / 2;
    const part = half > 1e-8 ? Math.sin(half) / half : 1;
    return unit([Math.cos(half), ...v.map((each) => 0.5 * part * each)]);
  }

  /** From the numbers of a set, angles in radians, to a quaternion. */
  const ROTATIONS = {
    "euler-parameters": fromAxis,
    angles: (v, order) => unit(times(times(about(order[0], v[0]), about(order[1], v[1])), about(order[2], v[2]))),
    quaternion: unit,
    "two-points": fromPoints,
    axial: ([code]) => axial(code),
    "cayley-klein": (v) => unit([v[0], v[3], v[2], v[1]]),
    "rotation-vector": fromVector,
    rodrigues: (v) => unit([1, ...v]),
    "modified-rodrigues": (v) => unit([1 - v[0] * v[0] - v[1] * v[1] - v[2] * v[2], 2 * v[0], 2 * v[1], 2 * v[2]]),
    matrix: fromNine,
  };

  const round = (rho, phi, z) => [rho * Math.cos(phi), rho * Math.sin(phi), z];

  /** From the numbers of a set, in metres and radians, to x, y, z. */
  const POSITIONS = {
    cartesian: (v) => v,
    polar: ([rho, phi]) => round(rho, phi, 0),
    cylindrical: ([rho, phi, z]) => round(rho, phi, z),
    spherical: ([r, theta, phi]) => round(r * Math.sin(theta), phi, r * Math.cos(theta)),
    angular: ([column, shoulder, elbow], arm) =>
      round(
        arm.upper * Math.cos(shoulder) + arm.fore * Math.cos(shoulder + elbow),
        column,
        arm.column + arm.upper * Math.sin(shoulder) + arm.fore * Math.sin(shoulder + elbow),
      ),
    generalised: ([turn, lift, reach], arm) => round(reach + arm.reach, turn, arm.height + lift),
  };

  const OWN = typeof OWN_SETS === "undefined" ? {} : OWN_SETS;

  /** What a set reads: a unit quaternion, or a place. */
  function convert(set, values, rotation) {
    const read = OWN[set.name] ?? (rotation ? ROTATIONS : POSITIONS)[set.reader];
    const made = Array.from(read(values, set.with));
    if (made.length !== (rotation ? 4 : 3) || !made.every(Number.isFinite)) {
      refuse(`"${set.name}" gives no pose for these numbers`, `«${set.name}» не даёт положения по этим числам`);
    }
    return rotation ? unit(made) : made;
  }

  /** The numbers of a set as codes have them, angles in degrees. */
  function fromSet(set, numbers, rotation) {
    return convert(
      set,
      numbers.map((value, k) => (set.angles.includes(k) ? value * DEGREE : value)),
      rotation,
    );
  }

  // --- codes -----------------------------------------------------------------------------------------------------

  class Reader {
    constructor(numbers) {
      this.numbers = Array.from(numbers, Number);
      this.place = 0;
      this.numbers.forEach((number, place) => {
        if (!Number.isFinite(number)) this.wrong(place, "is no finite number", "— не конечное число");
      });
    }

    get ended() {
      return this.place >= this.numbers.length;
    }

    one() {
      return this.numbers[this.place++] ?? 0;
    }

    kind(sets, en, ru) {
      const place = this.place;
      const number = this.one();
      const found = sets.find((set) => set.code === number);
      if (!found) this.wrong(place, `is no kind of ${en}`, `— не вид ${ru}`);
      return found;
    }

    values(set, whole, rotation) {
      const first = this.place;
      if (whole && this.numbers.length - first < set.size) this.short();
      const given = Array.from({ length: set.size }, () => this.one());
      try {
        return fromSet(set, given, rotation);
      } catch (problem) {
        const last = Math.min(this.place, this.numbers.length);
        const said = problem.message;
        return refuse(`numbers ${first + 1} to ${last}: ${said}`, `числа с ${first + 1} по ${last}: ${said}`);
      }
    }

    where(set, last) {
      return this.ended && last ? [0, 0, 0] : this.values(set, !last, false);
    }

    orientation(set, last) {
      return this.ended && last ? [1, 0, 0, 0] : this.values(set, true, true);
    }

    coordinates() {
      return this.kind(TABLES.positions, "coordinates", "координат");
    }

    turns() {
      return this.kind(TABLES.rotations, "orientation", "ориентации");
    }

    /** A place and an orientation; the last pose of a code may be cut short. */
    pose(last) {
      const place = this.coordinates();
      const rotation = this.turns();
      return { place: this.where(place, last), quaternion: this.orientation(rotation, last) };
    }

    finished() {
      if (!this.ended) this.wrong(this.place, "is one too many", "— лишнее");
    }

    short() {
      const count = this.numbers.length;
      refuse(`the code ends too early, after ${count} numbers`, `код кончается слишком рано, после ${count} чисел`);
    }

    wrong(place, en, ru) {
      const number = this.numbers[place] ?? "?";
      refuse(`number ${place + 1}, ${number}, ${en}`, `число ${place + 1}, ${number}, ${ru}`);
    }
  }

  /** The poses of a code of positions, one or several. */
  function readPosition(code) {
    const reader = new Reader(code);
    const poses = [reader.pose(true)];
    while (!reader.ended) poses.push(reader.pose(false));
    return poses;
  }

  function readMove(code) {
    const reader = new Reader(code);
    const place = reader.where(reader.coordinates(), true);
    reader.finished();
    return place;
  }

  function readTurn(code) {
    const reader = new Reader(code);
    const quaternion = reader.orientation(reader.turns(), true);
    reader.finished();
    return quaternion;
  }

  /** Whether a code says nothing: no numbers, or zeros that stand for the default. */
  const says = (code) => Array.from(code).some((number) => number !== 0);

  /** A time that comes after the one before. */
  function nextTime(reader, before) {
    const place = reader.place;
    const time = reader.one();
    if (!(time >= 0 && (before === null || time > before))) {
      reader.wrong(place, "is no time after the one before", "— не время после предыдущего");
    }
    return time;
  }

  /** Timed poses: a time [s], then a pose as in a position, and so on; a single 0 means none. */
  function readTransitions(code) {
    const reader = new Reader(code);
    const made = [];
    if (reader.numbers.length <= 1 && !says(reader.numbers)) return made;
    while (!reader.ended) {
      const time = nextTime(reader, made.length ? made[made.length - 1].time : null);
      made.push({ time, ...reader.pose(false) });
    }
    return made;
  }

  // --- motion ----------------------------------------------------------------------------------------------------

  /**
   * A share of the way for a share of the time: from rest to rest.
   * Order 3 has speeds 0 at both ends; 4 has no jerk into motion besides, 5 none out of it either.
   */
  function smooth(share, order) {
    const t = Math.min(Math.max(share, 0), 1);
    if (order === 4) return t * t * t * (4 - 3 * t);
    if (order === 5) return t * t * t * (10 - t * (15 - 6 * t));
    return t * t * (3 - 2 * t);
  }

  /** Between two poses: straight, and by one turn the short way. */
  function between(a, b, share) {
    if (share <= 0) return a;
    if (share >= 1) return b;
    const step = times(opposite(a.quaternion), b.quaternion);
    const [x, y, z, angle] = toAxis(step);
    const part = fromAxis([x, y, z, angle * share]);
    return {
      place: a.place.map((part_, k) => part_ + share * (b.place[k] - part_)),
      quaternion: unit(times(a.quaternion, part)),
    };
  }

  /** The pose of a list at a time [s], from where it began; at the given times exactly the given poses. */
  function poseAt(list, start, time, order) {
    let from = { time: 0, ...start };
    for (const to of list) {
      if (time < to.time) return between(from, to, smooth((time - from.time) / (to.time - from.time), order));
      from = to;
    }
    return from;
  }

  /** A pose within another one. */
  function compose(a, b) {
    const moved = turned(a.quaternion, b.place);
    return { place: a.place.map((part, k) => part + moved[k]), quaternion: unit(times(a.quaternion, b.quaternion)) };
  }

  function inverse(a) {
    const back = opposite(a.quaternion);
    return { place: turned(back, a.place).map((part) => -part), quaternion: unit(back) };
  }

  return {
    ...{ CodeError, Reader, about, angleBetween, axial, between, compose, fromAxis, fromSet, inverse, nearest, nextTime },
    ...{ opposite, poseAt, readMove, readPosition, readTransitions, readTurn, refuse, says, smooth, times, toAxis },
    ...{ toMatrix, turned, unit },
  };
})();
