// In the Script of a gripper: on its way by a PositionDamper and an OrientationDamper, which the clock gives their targets.

let travel = null; // {list, next, began}: poses with times since then [s], and which of them it is led to

const DAMPERS = { slide: () => $slide$, swing: () => $swing$ };

/** Through timed poses from here; after the last one the dampers go on until they are there. */
function go(list, time) {
  const start = now();
  stop();
  if (!list.length) return;
  goal = list[list.length - 1];
  travel = { list, next: 0, began: time };
  rest(start);
  lead();
  PART.clock().enabled = true;
}

function stop() {
  travel = null;
  PART.clock().enabled = false;
}

/** Both dampers stand at a pose. */
function rest(pose) {
  last = pose;
  DAMPERS.slide().set_value = new SFVec3f(...pose.place);
  DAMPERS.swing().set_value = new SFRotation(...Poses.toAxis(pose.quaternion));
}

/** To the next pose, with a constant that brings it there in its time but for a small part of the way. */
function lead() {
  const { list, next } = travel;
  const duration = list[next].time - (next ? list[next - 1].time : 0);
  if (duration <= 0) {
    put(list[next]);
    rest(list[next]);
  }
  DAMPERS.slide().tau = DAMPERS.swing().tau = duration / TABLES.constants;
  DAMPERS.slide().set_destination = new SFVec3f(...list[next].place);
  DAMPERS.swing().set_destination = new SFRotation(...Poses.toAxis(list[next].quaternion));
}

function tick(time) {
  if (!travel) return;
  const { list, began } = travel;
  while (travel.next < list.length && time - began >= list[travel.next].time) {
    travel.next++;
    if (travel.next < list.length) lead();
    else PART.clock().enabled = false;
  }
}

/** What the dampers say counts while they lead. */
function damped(part) {
  if (travel) put({ ...last, ...part });
}

function $slid$(value) { damped({ place: [value.x, value.y, value.z] }); }
function $swung$(value) { damped({ quaternion: Poses.fromAxis([value.x, value.y, value.z, value.angle]) }); }
