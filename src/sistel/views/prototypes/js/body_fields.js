// The names of fields and nodes stand between dollar signs: every language has its own.

const FIELD = { code: "$code$" };
const PART = {
  body: () => $holder$, primitives: () => $shapes$.children,
  colour: () => [$colour$.r, $colour$.g, $colour$.b], paint: () => Math.min(Math.max($paint$, 0), 1),
};
function initialize() { show($code$); }
function set_$code$(value) { show(value); }
function set_$colour$() { repaint(); }
function set_$paint$() { repaint(); }
