// A list of operations: where a flange goes, and what it takes, leaves and carries meanwhile.

const Operations = (() => {
  const MOVE = 0;
  const TAKE = 1;
  const RELEASE = 2;
  const LEAVE = 3;
  const FIT = 4;
  const QUARTER = Math.PI / 2;
  const CLOSE = { place: 1e-4, angle: 1e-3 }; // how exactly a flange has to meet a gripper [m], [rad]

  /** Records: a time [s], what is done, with what number, the gap of the fingers then [m], the pose then. */
  function readOperations(code) {
    const reader = new Poses.Reader(code);
    const made = [];
    if (reader.numbers.length <= 1 && !Poses.says(reader.numbers)) return made;
    while (!reader.ended) {
      const time = Poses.nextTime(reader, made.length ? made[made.length - 1].time : null);
      const [action, number, spread] = [0, 1, 2].map((k) => part(reader, k));
      made.push({ time, action, number, spread, pose: reader.pose(false) });
    }
    return made;
  }

  function part(reader, which) {
    const place = reader.place;
    const number = reader.one();
    const whole = Number.isInteger(number) && number >= 0;
    if (which === 0 && !(whole && number <= FIT)) reader.wrong(place, "is no action", "— не действие");
    if (which === 1 && !whole) reader.wrong(place, "is no number of a thing", "— не номер предмета");
    if (which === 2 && !(number >= 0)) reader.wrong(place, "is no gap", "— не развод");
    return number;
  }

  /** A gripper in a flange whose lug is turned out by an angle. */
  const twisted = (flange, angle) => Poses.compose(flange, { place: [0, 0, 0], quaternion: Poses.about("x", angle) });

  const same = (a, b) =>
    a.place.every((each, k) => Math.abs(each - b.place[k]) <= CLOSE.place) &&
    Poses.angleBetween(a.quaternion, b.quaternion) <= CLOSE.angle;

  /**
   * What stands where after every record.
   * @param {Object[]} records of `readOperations`
   * @param {{loads: Object[], grippers: Object[], fitted: number, spread: number}} start poses, and what is fitted
   */
  function plan(records, start) {
    const flange = start.fitted ? start.grippers[start.fitted - 1] : (records[0]?.pose ?? start.grippers[0]);
    let state = { ...start, time: 0, flange, held: 0, offset: null };
    const states = [state];
    records.forEach((record, row) => {
      state = { ...after(state, record, row + 1), time: record.time, flange: record.pose, spread: record.spread };
      states.push(state);
    });
    return states;
  }

  function after(state, { action, number, pose }, row) {
    const fail = (en, ru) => Poses.refuse(`operation ${row}: ${en}`, `операция ${row}: ${ru}`);
    const carried = carry(state, pose);
    if (action === MOVE) return { ...state, ...carried };
    if (action === TAKE) {
      if (!state.fitted) fail("no gripper is fitted", "схват не надет");
      if (state.held) fail(`load ${state.held} is held already`, `груз ${state.held} уже в схвате`);
      if (!carried.loads[number - 1]) fail(`there is no load ${number}`, `нет груза ${number}`);
      return { ...state, ...carried, held: number, offset: Poses.compose(Poses.inverse(pose), carried.loads[number - 1]) };
    }
    if (action === RELEASE) {
      if (!state.held || state.held !== number) fail(`load ${number} is not held`, `груза ${number} нет в схвате`);
      return { ...state, ...carried, held: 0, offset: null };
    }
    if (!same(state.flange, pose)) fail("the flange moves while the lug turns", "фланец движется, пока выступ поворачивается");
    if (action === LEAVE) {
      if (!state.fitted || state.fitted !== number) fail(`gripper ${number} is not fitted`, `схват ${number} не надет`);
      if (state.held) fail(`load ${state.held} is held`, `в схвате груз ${state.held}`);
      return { ...state, fitted: 0, grippers: replaced(state.grippers, number, twisted(pose, QUARTER)) };
    }
    if (state.fitted) fail(`gripper ${state.fitted} is fitted already`, `схват ${state.fitted} уже надет`);
    if (!state.grippers[number - 1]) fail(`there is no gripper ${number}`, `нет схвата ${number}`);
    if (!same(state.grippers[number - 1], twisted(pose, QUARTER))) {
      fail(`gripper ${number} is not at the flange`, `схват ${number} не у фланца`);
    }
    return { ...state, fitted: number, grippers: replaced(state.grippers, number, pose) };
  }

  const replaced = (list, number, pose) => list.map((each, k) => (k === number - 1 ? pose : each));

  /** What goes along with the flange. */
  function carry({ grippers, loads, fitted, held, offset }, flange) {
    return {
      grippers: fitted ? replaced(grippers, fitted, flange) : grippers,
      loads: held ? replaced(loads, held, Poses.compose(flange, offset)) : loads,
    };
  }

  /** Everything at a time [s]. */
  function stateAt(records, states, time, order) {
    const row = records.findIndex((record) => time < record.time);
    if (row < 0) return states[states.length - 1];
    const [from, to] = [states[row], records[row]];
    const share = Poses.smooth((time - from.time) / (to.time - from.time), order);
    const flange = Poses.between(from.flange, to.pose, share);
    const state = { ...from, ...carry(from, flange), time, flange };
    const { action, number } = to;
    if (action === LEAVE || action === FIT) {
      const angle = QUARTER * (action === LEAVE ? share : 1 - share);
      state.grippers = replaced(state.grippers, number, twisted(flange, angle));
    }
    state.spread = from.spread + share * (to.spread - from.spread);
    return state;
  }

  return { plan, readOperations, stateAt };
})();
