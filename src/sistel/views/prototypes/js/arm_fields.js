// The names of fields and nodes stand between dollar signs: every language has its own.

const FIELD = {
  kind: "$kind$", joints: "$joints$", position: "$position$", move: "$move$", transitions: "$transitions$",
  code: "$code$",
};
const PART = {
  kind: () => $kind$, sizes: () => $sizes$, reach: () => $reach$, thickness: () => $thickness$,
  joints: () => $joints$, wrist: () => $wrist$,
  links: () => [$root$, $first$, $second$, $third$],
  joined: () => [$first$, $second$, $third$, $last$],
  tool: () => $holding$, clock: () => $clock$,
  codes: () => ({ position: $position$, move: $move$, transitions: $transitions$ }),
  report: (state, end) => {
    $joints$ = new SFVec3d(...state.joints);
    $wrist$ = new SFRotation(...Poses.toAxis(state.wrist));
    last = posture();
    $end$ = new SFVec3d(...end);
  },
};
function initialize(time) { begin(time); }
function set_$kind$() { attempt(FIELD.kind, build); }
function set_$sizes$() { attempt(FIELD.kind, build); }
function set_$reach$() { attempt(FIELD.kind, build); }
function set_$thickness$() { attempt(FIELD.kind, build); }
function set_$joints$() { disturbed(); }
function set_$wrist$() { disturbed(); }
function set_$position$(value) { attempt(FIELD.position, () => takePosition(value)); }
function set_$move$(value, time) { attempt(FIELD.move, () => go([{ time: TABLES.seconds.travel, ...to(Poses.readMove(value)) }], time)); }
function set_$transitions$(value, time) { attempt(FIELD.transitions, () => takeTransitions(value, time)); }
function $tick$(value) { tick(value); }
