// Arms of three joints whose coordinates are those of their end: Cartesian, cylindrical, spherical, angular.
// In the frame of an arm z is up. Joints are in metres and degrees, as everywhere in codes.

const Arms = (() => {
  const DEGREE = Math.PI / 180;
  const [CARTESIAN, CYLINDRICAL, SPHERICAL, ANGULAR] = [0, 1, 2, 3];
  const SLACK = 1e-9; // of the length of an arm: what rounding may take from its reach
  const STILL = [1, 0, 0, 0];

  const KINDS = [CARTESIAN, CYLINDRICAL, SPHERICAL, ANGULAR];
  /** Which of the three joints turn. */
  const TURNS = [[], [0], [0, 1], [0, 1, 2]];

  function known(kind) {
    if (!KINDS.includes(kind)) Poses.refuse(`${kind} is no kind of arm: 0 to 3`, `${kind} — не вид руки: от 0 до 3`);
    return kind;
  }

  /** Poses of the three moving links and of the end, each in the frame of the one before. */
  function chain(kind, [a, b, c], joints) {
    const [p, q, r] = joints.map((value, k) => (TURNS[known(kind)].includes(k) ? value * DEGREE : value));
    const slide = (x, y, z) => ({ place: [x, y, z], quaternion: STILL });
    const hinge = (x, z, axis, angle) => ({ place: [x, 0, z], quaternion: Poses.about(axis, angle) });
    const end = slide(0, 0, 0);
    if (kind === CARTESIAN) return [slide(p, 0, c), slide(0, q, 0), slide(0, 0, r), end];
    if (kind === CYLINDRICAL) return [hinge(0, 0, "z", p), slide(0, 0, a + q), slide(b + r, 0, 0), end];
    // Up is about −y.
    if (kind === SPHERICAL) return [hinge(0, a, "z", p), hinge(0, 0, "y", -q), slide(b + r, 0, 0), end];
    return [hinge(0, a, "z", p), hinge(0, 0, "y", -q), hinge(b, 0, "y", -r), slide(c, 0, 0)];
  }

  /** The pose of the end in the frame of the arm. */
  const endOf = (kind, sizes, joints) => chain(kind, sizes, joints).reduce(Poses.compose);

  /** Joints at which the end is at a point; of an elbow, the upper one. */
  function solve(kind, [a, b, c], [x, y, z]) {
    if (known(kind) === CARTESIAN) return [x, y, z - c];
    const [around, ahead, up] = [Math.atan2(y, x) / DEGREE, Math.hypot(x, y), z - a];
    if (kind === CYLINDRICAL) return [around, up, ahead - b];
    if (kind === SPHERICAL) return [around, Math.atan2(up, ahead) / DEGREE, Math.hypot(ahead, up) - b];
    const [distance, far, near] = [Math.hypot(ahead, up), b + c, Math.abs(b - c)];
    if (distance > far * (1 + SLACK) || distance < near - SLACK * far) {
      const said = [distance, near, far].map((each) => Number(each.toPrecision(4)));
      Poses.refuse(
        `this point is ${said[0]} m from the shoulder; the arm reaches from ${said[1]} m to ${said[2]} m`,
        `до этой точки от плеча ${said[0]} м; рука достаёт от ${said[1]} м до ${said[2]} м`,
      );
    }
    const stretch = Math.max((far - distance) * (far + distance), 0);
    const fold = Math.max((distance - near) * (distance + near), 0);
    const elbow = -2 * Math.atan2(Math.sqrt(stretch), Math.sqrt(fold));
    const shoulder = Math.atan2(up, ahead) - Math.atan2(c * Math.sin(elbow), b + c * Math.cos(elbow));
    return [around, shoulder / DEGREE, elbow / DEGREE];
  }

  /** Joints, and the turn of the wrist from the last link, at which a hand has a pose. */
  function reachFor(kind, sizes, reach, pose) {
    const along = Poses.turned(pose.quaternion, [reach, 0, 0]);
    const joints = solve(kind, sizes, pose.place.map((part, k) => part - along[k]));
    const last = endOf(kind, sizes, joints);
    return { joints, wrist: Poses.unit(Poses.times(Poses.opposite(last.quaternion), pose.quaternion)) };
  }

  /** The pose of the hand in the frame of the arm. */
  function handAt(kind, sizes, reach, { joints, wrist }) {
    const turned = Poses.compose(endOf(kind, sizes, joints), { place: [0, 0, 0], quaternion: wrist });
    return Poses.compose(turned, { place: [reach, 0, 0], quaternion: STILL });
  }

  /** The posture of timed ones at a time [s]: from rest to rest, every joint by the same polynomial. */
  function postureAt(list, start, time, order) {
    let from = { time: 0, ...start };
    for (const to of list) {
      if (time < to.time) {
        const share = Poses.smooth((time - from.time) / (to.time - from.time), order);
        const turned = (pose) => ({ place: [0, 0, 0], quaternion: pose.wrist });
        return {
          joints: from.joints.map((value, k) => value + share * (to.joints[k] - value)),
          wrist: Poses.between(turned(from), turned(to), share).quaternion,
        };
      }
      from = to;
    }
    return { joints: from.joints, wrist: from.wrist };
  }

  // --- looks -----------------------------------------------------------------------------------------------------

  const [DARK, MIDDLE, PALE, SILVER] = [[0.35, 0.37, 0.4], [0.27, 0.5, 0.7], [0.69, 0.77, 0.87], [0.75, 0.75, 0.75]];
  const ALONG = { x: [0, 0, 1, 90], y: [1, 0, 0, 0], z: [1, 0, 0, 90] };

  function part(kind, sizes, at, along, colour) {
    return sizes.every((size) => size > 0) ? [kind, ...sizes, 0, ...at, 0, ...ALONG[along], ...colour, 0] : [];
  }

  const box = (sizes, at, colour) => part(1, sizes, at, "y", colour);
  const rod = (wide, long, at, along, colour) => part(2, [wide, long, wide], at, along, colour);

  /** Codes of the base and of the three links, whose thickness is w [m]. */
  function looks(kind, [a, b, c], w) {
    const foot = a > 2 * w ? rod(3.6 * w, 0.9 * w, [0, 0, 0.45 * w], "z", DARK) : [];
    const column = (height) => rod(1.8 * w, height, [0, 0, height / 2], "z", DARK);
    const pivot = (colour) => rod(1.7 * w, 1.9 * w, [0, 0, 0], "y", colour);
    const beam = (length, share, colour) => box([length, share * w, share * w], [length / 2, 0, 0], colour);
    const ram = (length) => box([length, 0.7 * w, 0.7 * w], [-length / 2, 0, 0], SILVER);
    const made = [
      () => {
        const posts = [-1, 1].flatMap((side) => box([0.7 * w, 0.7 * w, c], [(side * a) / 2, -b / 2, c / 2], DARK));
        const rail = box([a + 0.7 * w, 0.7 * w, 0.7 * w], [0, -b / 2, c], DARK);
        return [
          [...posts, ...rail],
          box([1.3 * w, b, 0.6 * w], [0, 0, 0.65 * w], MIDDLE),
          box([1.2 * w, 1.2 * w, 0.7 * w], [0, 0, 0], PALE),
          box([0.55 * w, 0.55 * w, 0.9 * c], [0, 0, 0.45 * c], SILVER),
        ];
      },
      () => [foot, column(c), box([2.4 * w, 2.2 * w, 1.4 * w], [0, 0, 0], MIDDLE), ram(Math.max(2.4 * b, 4 * w))],
      () => [foot, rod(1.5 * w, a - w, [0, 0, -(a + w) / 2], "z", DARK), pivot(MIDDLE), ram(c)],
      () => [
        [...foot, ...column(a - 2 * w)],
        rod(1.8 * w, 2 * w, [0, 0, -w], "z", DARK),
        [...pivot(MIDDLE), ...beam(b, 1, MIDDLE)],
        [...rod(1.35 * w, 1.55 * w, [0, 0, 0], "y", PALE), ...beam(c, 0.7, PALE)],
      ],
    ];
    return made[known(kind)]().map((code) => [...code, 0]);
  }

  return { chain, endOf, handAt, looks, postureAt, reachFor, solve };
})();
