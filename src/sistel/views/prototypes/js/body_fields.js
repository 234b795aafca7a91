// The names of fields and nodes stand between dollar signs: every language has its own.

const FIELD = { code: "$code$" };
const PART = { body: () => $holder$, primitives: () => $shapes$.children };
function initialize() { show($code$); }
function set_$code$(value) { show(value); }
