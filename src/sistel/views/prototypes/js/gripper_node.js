// In the Script of a gripper: what its fields, keys and clicks do to it. How it goes on its way is in another file.

let goal = null; // where it is on its way to, or stands
let poses = []; // of the field of positions, for clicks
let step = 0;
let first = ""; // the first digit of a code that is being typed
let shift = false;
let last = null; // what was put last

const near = (a, b) => a.every((part, k) => Math.abs(part - b[k]) < 1e-6);

function now() {
  const { x, y, z } = PART.hand().translation;
  const turn = PART.hand().rotation;
  return { place: [x, y, z], quaternion: Poses.fromAxis([turn.x, turn.y, turn.z, turn.angle]) };
}

function put(pose) {
  last = pose;
  PART.hand().translation = new SFVec3f(...pose.place);
  PART.hand().rotation = new SFRotation(...Poses.toAxis(pose.quaternion));
}

/** At once. */
function jump(pose) {
  stop();
  goal = pose;
  put(pose);
}

function begin(time) {
  spread(PART.spread());
  const { position, move, turn, transitions } = PART.codes();
  goal = now();
  if (Poses.says(position)) attempt(FIELD.position, () => takePosition(position));
  if (Poses.says(move)) attempt(FIELD.move, () => jump({ ...goal, place: Poses.readMove(move) }));
  if (Poses.says(turn)) attempt(FIELD.turn, () => jump({ ...goal, quaternion: Poses.readTurn(turn) }));
  if (Poses.says(transitions)) attempt(FIELD.transitions, () => go(Poses.readTransitions(transitions), time));
}

function takePosition(code) {
  poses = Poses.readPosition(code);
  step = 0;
  // Where a click does nothing here, those around may want it.
  PART.touch().enabled = poses.length > 1;
  jump(poses[0]);
}

function takeMove(code, time) {
  const place = Poses.readMove(code);
  go([{ time: TABLES.seconds.travel, quaternion: goal.quaternion, place }], time);
}

function takeTurn(code, time) {
  const quaternion = Poses.readTurn(code);
  go([{ time: TABLES.seconds.travel, place: goal.place, quaternion }], time);
}

/** Where somebody else has put it, the way ends. */
function disturbed() {
  const found = now();
  const own = last && near(found.place, last.place) && Poses.angleBetween(found.quaternion, last.quaternion) < 1e-5;
  if (own) return;
  stop();
  goal = last = found;
}

function click(time) {
  if (poses.length < 2) return;
  step = (step + 1) % poses.length;
  go([{ time: TABLES.seconds.travel, ...poses[step] }], time);
}

/** The gap between the pads of the fingers [m]. */
function spread(gap) {
  const half = Math.min(Math.max(Number.isFinite(gap) ? gap : 0, 0), TABLES.widest) / 2;
  PART.upper().translation = new SFVec3f(0, half, 0);
  PART.lower().translation = new SFVec3f(0, -half, 0);
}

function typed(letter, time) {
  const key = letter.toLowerCase();
  const quarter = TABLES.quarters[key];
  if (quarter) turnBy(quarter, letter !== key || shift, time);
  else if ("+=".includes(key)) PART.setSpread(Math.min(PART.spread() + TABLES.steps.spread, TABLES.widest));
  else if ("-_−".includes(key)) PART.setSpread(Math.max(PART.spread() - TABLES.steps.spread, 0));
  else if (key === " ") click(time);
  else digit(key, time);
}

/** Two digits are a code. */
function digit(key, time) {
  if (!/^[1-6]$/.test(key)) {
    first = "";
  } else if (TABLES.axial[first + key]) {
    go([{ time: TABLES.seconds.key, place: goal.place, quaternion: Poses.axial(first + key) }], time);
    first = "";
  } else {
    first = key;
  }
}

/** A quarter of a turn about an axis of its own. */
function turnBy(axis, back, time) {
  const quarter = Poses.about(axis, back ? -Math.PI / 2 : Math.PI / 2);
  const quaternion = tidy(Poses.unit(Poses.times(goal.quaternion, quarter)));
  go([{ time: TABLES.seconds.key, place: goal.place, quaternion }], time);
}

/** After many turns an axial orientation is still one. */
function tidy(quaternion) {
  const { code, angle } = Poses.nearest(quaternion);
  return angle < 1e-6 ? Poses.axial(code) : quaternion;
}

function acted(key, time) {
  const way = TABLES.ways[key];
  if (key === TABLES.home) go([{ time: TABLES.seconds.key, place: [0, 0, 0], quaternion: [1, 0, 0, 0] }], time);
  if (!way) return;
  const place = goal.place.map((part, k) => part + TABLES.steps.place * way[k]);
  go([{ time: TABLES.seconds.key, place, quaternion: goal.quaternion }], time);
}
