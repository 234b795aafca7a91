// In the Script of a gripper: on its way by the clock, from rest to rest by a polynomial.

let travel = null; // {list, start, began}: poses with times since then [s]

/** Through timed poses from here. */
function go(list, time) {
  const start = now();
  stop();
  if (!list.length) return;
  goal = list[list.length - 1];
  travel = { list, start, began: time };
  put(Poses.poseAt(list, start, 0, TABLES.order));
  PART.clock().enabled = true;
}

function stop() {
  travel = null;
  PART.clock().enabled = false;
}

function tick(time) {
  if (!travel) return;
  const { list, start, began } = travel;
  put(Poses.poseAt(list, start, time - began, TABLES.order));
  if (time - began >= list[list.length - 1].time) stop();
}
