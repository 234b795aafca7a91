// In the Script of an arm: joints go to the Transforms, codes of targets become joints.

let travel = null; // {list, start, began}: postures with times since then [s]
let last = null; // what was shown last

const numbers = ({ x, y, z }) => [x, y, z];
const quaternionOf = ({ x, y, z, angle }) => Poses.fromAxis([x, y, z, angle]);
const posture = () => ({ joints: numbers(PART.joints()), wrist: quaternionOf(PART.wrist()) });

function arm() {
  return [PART.kind(), numbers(PART.sizes()), PART.reach()];
}

function begin(time) {
  attempt(FIELD.kind, () => {
    build();
    const { position, move, transitions } = PART.codes();
    if (Poses.says(position)) attempt(FIELD.position, () => takePosition(position));
    if (Poses.says(move)) attempt(FIELD.move, () => take(to(Poses.readMove(move))));
    if (Poses.says(transitions)) attempt(FIELD.transitions, () => takeTransitions(transitions, time));
  });
}

/** Links for the sizes, in the posture that the fields say. */
function build() {
  const [kind, sizes] = arm();
  const codes = Arms.looks(kind, sizes, PART.thickness());
  PART.links().forEach((node, k) => {
    node.children[0][FIELD.code] = new MFFloat(...codes[k]);
  });
  show(posture());
}

function show(state) {
  const [kind, sizes, reach] = arm();
  const wrist = { place: [0, 0, 0], quaternion: state.wrist };
  const poses = Arms.chain(kind, sizes, state.joints);
  poses[3] = Poses.compose(poses[3], wrist);
  PART.joined().forEach((node, k) => {
    node.translation = new SFVec3f(...poses[k].place);
    node.rotation = new SFRotation(...Poses.toAxis(poses[k].quaternion));
  });
  PART.tool().translation = new SFVec3f(reach, 0, 0);
  last = state;
  PART.report(state, Arms.handAt(kind, sizes, reach, state).place);
}

/** At once. */
function take(state) {
  stop();
  show(state);
}

/** The posture for a place; the hand keeps its orientation. */
function to(place) {
  const [kind, sizes, reach] = arm();
  const { quaternion } = Arms.handAt(kind, sizes, reach, last ?? posture());
  return Arms.reachFor(kind, sizes, reach, { place, quaternion });
}

function takePosition(code) {
  take(Arms.reachFor(...arm(), Poses.readPosition(code)[0]));
}

function takeTransitions(code, time) {
  go(Poses.readTransitions(code).map((pose) => ({ time: pose.time, ...Arms.reachFor(...arm(), pose) })), time);
}

/** Where somebody else has set the joints, the way ends. */
function disturbed() {
  const found = posture();
  const same = last && [...found.joints, ...found.wrist].every((each, k) => each === [...last.joints, ...last.wrist][k]);
  if (!same) attempt(FIELD.joints, () => take(found));
}

function go(list, time) {
  stop();
  if (!list.length) return;
  travel = { list, start: last ?? posture(), began: time };
  PART.clock().enabled = true;
}

function stop() {
  travel = null;
  PART.clock().enabled = false;
}

function tick(time) {
  if (!travel) return;
  const { list, start, began } = travel;
  show(Arms.postureAt(list, start, time - began, TABLES.order));
  if (time - began >= list[list.length - 1].time) stop();
}
