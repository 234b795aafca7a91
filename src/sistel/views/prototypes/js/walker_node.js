// In the Script of a walker: the clock goes on, the trunk and the joints of the legs follow.

let began = null; // the time at which the clock showed 0 [s]

const three = ({ x, y, z }) => [x, y, z];
const four = ({ x, y, z, angle }) => Poses.fromAxis([x, y, z, angle]);

function allLegs() {
  return PART.legs().map((node) => ({
    node,
    pose: { place: three(node[FIELD.place]), quaternion: four(node[FIELD.orientation]) },
    sizes: three(node[FIELD.sizes]),
  }));
}

function show(time) {
  const start = { place: three(PART.place()), quaternion: four(PART.orientation()) };
  const all = allLegs();
  const said = PART.feet().map(three);
  const homes = all.map((leg, k) => said[k] ?? Walkers.homeOf(leg, start, PART.gait(), k, all.length));
  const { trunk, feet } = Walkers.stateAt(start, homes, PART.gait(), time);
  PART.trunk().translation = new SFVec3f(...trunk.place);
  PART.trunk().rotation = new SFRotation(...Poses.toAxis(trunk.quaternion));
  all.forEach((leg, k) => {
    try {
      leg.node[FIELD.joints] = new SFVec3d(...Walkers.jointsOf(leg, trunk, feet[k]));
    } catch (problem) {
      if (!(problem instanceof Poses.CodeError)) throw problem;
      Browser.println(`${FIELD.legs} ${k + 1}: ${problem.message}`);
    }
  });
}

function build() {
  const [x, y, z] = three(PART.sizes());
  const paint = [0.85, 0.65, 0.13, 0];
  const head = [1, 0.17 * x, 0.6 * y, 0.75 * z, 0, 0.54 * x, 0, 0.5 * z, 0, 1, 0, 0, 0, 0.4, 0.42, 0.45, 0];
  const code = [1, x, y, z, 0, 0, 0, 0.17 * z, 0, 1, 0, 0, 0, ...paint, ...head, 0];
  PART.trunk().children[0][FIELD.code] = new MFFloat(...code);
}

function begin() {
  build();
  show(PART.time());
  setOff();
}

/** The clock goes on from the time that the field shows. */
function setOff() {
  began = null;
  PART.clock().enabled = PART.walks();
}

function tick(time) {
  began ??= time - PART.time();
  PART.report(time - began);
  show(time - began);
}
