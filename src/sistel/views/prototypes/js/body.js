// The look of a body: a record of its code for every primitive, sizes through the scale of a Transform.

const Bodies = (() => {
  /** Primitives of a code: kind from 1, sizes [m], pose, colour, transparency. */
  function readBody(code) {
    const reader = new Poses.Reader(code);
    const made = [];
    while (!reader.ended) {
      const kind = share(reader, (number) => number === 0 || TABLES.primitives.includes(number), "is no kind of primitive", "— не вид примитива");
      if (kind === 0) break;
      const sizes = several(reader, 3, (number) => number > 0, "is no size", "— не размер");
      const place = reader.where(reader.coordinates(), false);
      const quaternion = reader.orientation(reader.turns(), false);
      const paint = several(reader, 4, (number) => number >= 0 && number <= 1, "is no share of colour", "— не доля цвета");
      made.push({ kind, sizes, place, quaternion, colour: paint.slice(0, 3), transparency: paint[3] });
    }
    return made;
  }

  function several(reader, count, right, en, ru) {
    if (reader.numbers.length - reader.place < count) reader.short();
    return Array.from({ length: count }, () => share(reader, right, en, ru));
  }

  function share(reader, right, en, ru) {
    const place = reader.place;
    const number = reader.one();
    if (!right(number)) reader.wrong(place, en, ru);
    return number;
  }

  return { readBody };
})();
