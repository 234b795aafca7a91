// A walker: where its feet stand while its trunk goes on, and the joints of its legs, which are angular arms.

const Walkers = (() => {
  const ANGULAR = 3;
  /** By the number of legs, left and right by turns from the front: when in a cycle each is lifted, and for how long. */
  const GAITS = {
    2: { phases: [0.5, 0], swing: 0.4 },
    4: { phases: [0.5, 0, 0.75, 0.25], swing: 0.25 },
    6: { phases: [0.5, 0, 0, 0.5, 0.5, 0], swing: 0.5 },
  };

  function gaitOf(count) {
    const each = 1 / Math.max(count, 2);
    return GAITS[count] ?? { phases: Array.from({ length: count }, (_, k) => k * each), swing: each };
  }

  /** Where a foot stands by itself: under the middle of its leg in the middle of its stance, on the ground. */
  function homeOf({ pose, sizes }, trunk, { stride }, k, count) {
    const { phases, swing } = gaitOf(count);
    const out = Poses.compose(pose, { place: [0.4 * (sizes[1] + sizes[2]), 0, 0], quaternion: [1, 0, 0, 0] });
    const ahead = [stride * ((1 - swing) / 2 - phases[k]), 0, 0];
    const [x, y] = Poses.compose(trunk, { ...out, place: out.place.map((part, n) => part + ahead[n]) }).place;
    return [x, y, 0];
  }

  /** The trunk and the feet after a time [s]; at 0 they are where they are said to be. */
  function stateAt(trunk, feet, { stride, lift, cycle }, time) {
    const { phases, swing } = gaitOf(feet.length);
    const ahead = Poses.turned(trunk.quaternion, [1, 0, 0]);
    const cycles = cycle > 0 ? time / cycle : 0;
    const moved = (place, way, up) => place.map((part, k) => part + way * ahead[k] + (k === 2 ? up : 0));
    const stepped = feet.map((foot, k) => {
      if (!(stride !== 0 && cycle > 0)) return foot;
      const whole = Math.floor(cycles + phases[k]);
      const share = (cycles + phases[k] - whole - (1 - swing)) / swing;
      const part = share > 0 ? Poses.smooth(share, 5) : 0;
      return moved(foot, stride * (whole + part), 4 * lift * part * (1 - part));
    });
    return { trunk: { ...trunk, place: moved(trunk.place, stride * cycles, 0) }, feet: stepped };
  }

  /** The joints of a leg for a foot. */
  function jointsOf({ pose, sizes }, trunk, foot) {
    const back = Poses.inverse(Poses.compose(trunk, pose));
    const { place } = Poses.compose(back, { place: foot, quaternion: [1, 0, 0, 0] });
    return Arms.solve(ANGULAR, sizes, place);
  }

  return { gaitOf, homeOf, jointsOf, stateAt };
})();
