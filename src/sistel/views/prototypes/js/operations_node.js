// In the Script of operations: the state at a time goes to the flange, the grippers and the loads.

const TICK = 0;
const CLICK = 1;

let records = [];
let states = [];
let start = null; // how everything stood at first
let run = null; // {began, from, until}: the clock shows times between the last two [s]

function poseOf(place, turn) {
  return { place: [place.x, place.y, place.z], quaternion: Poses.fromAxis([turn.x, turn.y, turn.z, turn.angle]) };
}

function begin(time) {
  start = {
    loads: PART.loads().map((node) => poseOf(node.translation, node.rotation)),
    grippers: PART.grippers().map((node) => poseOf(node[FIELD.place], node[FIELD.orientation])),
    fitted: PART.fitted(),
    spread: PART.grippers()[PART.fitted() - 1]?.[FIELD.spread] ?? 0,
  };
  read(PART.list(), time);
}

function read(code, time) {
  halt();
  try {
    const found = Operations.readOperations(code);
    states = Operations.plan(found, start);
    records = found;
  } catch (problem) {
    if (!(problem instanceof Poses.CodeError)) throw problem;
    Browser.println(`${FIELD.list}: ${problem.message}`);
    return;
  }
  if (!records.length) return;
  if (PART.mode() === TICK) play(0, records[records.length - 1].time, time);
  else show(PART.mode() === CLICK ? 0 : PART.time());
}

/** The clock goes from one time of the list to another. */
function play(from, until, time) {
  run = { began: time, from, until };
  show(from);
  PART.clock().enabled = true;
}

function halt() {
  run = null;
  PART.clock().enabled = false;
}

function tick(time) {
  if (!run) return;
  const shown = Math.min(run.from + time - run.began, run.until);
  if (shown >= run.until) halt();
  show(shown);
}

/** To the end of the next operation; from the end back to the start. */
function click(time) {
  if (PART.mode() !== CLICK || !records.length) return;
  const from = run ? run.until : PART.time();
  const next = records.find((record) => record.time > from + 1e-6);
  if (next) play(from, next.time, time);
  else show(0);
}

function show(time) {
  if (!records.length) return;
  const state = Operations.stateAt(records, states, time, PART.order());
  const placed = (pose) => [new SFVec3f(...pose.place), new SFRotation(...Poses.toAxis(pose.quaternion))];
  [PART.flange().translation, PART.flange().rotation] = placed(state.flange);
  PART.grippers().forEach((node, k) => {
    [node[FIELD.place], node[FIELD.orientation]] = placed(state.grippers[k]);
    if (k === state.fitted - 1) node[FIELD.spread] = state.spread;
  });
  PART.loads().forEach((node, k) => {
    [node.translation, node.rotation] = placed(state.loads[k]);
  });
  PART.report(state, time);
}
