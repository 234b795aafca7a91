// The names of fields and nodes stand between dollar signs: every language has its own.

const FIELD = { position: "$position$", move: "$move$", turn: "$turn$", transitions: "$transitions$" };
const PART = {
  hand: () => $hand$, upper: () => $upper$, lower: () => $lower$, clock: () => $clock$, touch: () => $touch$,
  spread: () => $spread$,
  setSpread: (gap) => { $spread$ = gap; spread(gap); },
  codes: () => ({ position: $position$, move: $move$, turn: $turn$, transitions: $transitions$ }),
};
function initialize(time) { begin(time); }
function set_$place$() { disturbed(); }
function set_$orientation$() { disturbed(); }
function set_$position$(value) { attempt(FIELD.position, () => takePosition(value)); }
function set_$spread$(value) { spread(value); }
function set_$move$(value, time) { attempt(FIELD.move, () => takeMove(value, time)); }
function set_$turn$(value, time) { attempt(FIELD.turn, () => takeTurn(value, time)); }
function set_$transitions$(value, time) { attempt(FIELD.transitions, () => go(Poses.readTransitions(value), time)); }
function $tick$(value) { tick(value); }
function $click$(value, time) { click(time); }
function $letter$(value, time) { typed(value, time); }
function $action$(value, time) { acted(value, time); }
function $shift$(value) { shift = value; }
