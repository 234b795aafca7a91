// Axial orientations in words, as Python reads them; `PHRASES` stands before this text.

const Phrases = (() => {
  const WORDS = new Map(PHRASES.words);
  const IDLE = new Set(PHRASES.idle);
  const LETTERS = /[\p{L}\p{N}_]+/gu;
  const isWay = (each) => typeof each === "number";

  /** How alike two words are, 0 to 1: twice the letters of the matching pieces, over all letters. */
  function likeness(a, b) {
    return a.length + b.length ? (2 * matching(a, b)) / (a.length + b.length) : 1;
  }

  /** Letters in the longest common piece, and in those left and right of it. */
  function matching(a, b) {
    let [best, from, at] = [0, 0, 0];
    for (let i = 0; i < a.length; i++) {
      for (let j = 0; j < b.length; j++) {
        let size = 0;
        while (i + size < a.length && j + size < b.length && a[i + size] === b[j + size]) size++;
        if (size > best) [best, from, at] = [size, i, j];
      }
    }
    if (!best) return 0;
    return best + matching(a.slice(0, from), b.slice(0, at)) + matching(a.slice(from + best), b.slice(at + best));
  }

  /** What a mistyped word, or it and those behind it, may stand for, and how many words that takes. */
  function guess(words) {
    const tries = [...WORDS].map(([known, meaning]) => [known, meaning, 1]);
    for (let count = 1; count <= words.length; count++) {
      for (const [known, way] of PHRASES.mistyped) tries.push([known, way, count]);
    }
    const weighed = tries.map(([known, meaning, count]) => [likeness(known, words.slice(0, count).join(" ")), known, meaning, count]);
    const best = weighed.reduce((a, b) => (b[0] > a[0] ? b : a));
    // Two that are equally like it and mean different things: better ask than guess.
    const doubtful = weighed.some((each) => each[0] > best[0] - 0.01 && each[2] !== best[2]);
    return doubtful || best[0] < (best[1].includes(" ") ? 0.8 : 0.7) ? null : { known: best[1], meaning: best[2], count: best[3] };
  }

  /** The code of a phrase in Russian or English, and what was guessed; `problem` where it cannot be understood. */
  function read(text) {
    const guesses = [];
    let plain = text.slice(0, PHRASES.longest).toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ");
    plain = plain.replace(new RegExp(PHRASES.away, "gu"), " вглубь ").replace(new RegExp(PHRASES.towards, "gu"), " наружу ");
    const clauses = plain
      .split(/[,;.]/)
      .map((clause) => readClause(clause, guesses))
      .filter((clause) => clause.length);
    return { ...code(clauses), guesses };
  }

  function readClause(clause, guesses) {
    const words = clause.match(LETTERS) ?? [];
    const found = [];
    for (let place = 0; place < words.length; place++) {
      const word = words[place];
      // "большой палец" is one finger, "пальцы" are the others.
      if (["палец", "пальцем", "finger"].includes(word) && ["большой", "большим", "big"].includes(words[place - 1])) continue;
      let taken = WORDS.get(word);
      if (taken === undefined && !IDLE.has(word)) {
        const near = guess(words.slice(place, place + 3));
        if (near) {
          guesses.push([words.slice(place, place + near.count).join(" "), near.known]);
          taken = near.meaning;
          place += near.count - 1;
        }
      }
      // "away from us" may come as two directions where one of the words is mistyped.
      if (taken !== undefined && !(isWay(taken) && found[found.length - 1] === taken)) found.push(taken);
    }
    return found;
  }

  function code(clauses) {
    const found = clauses.flat();
    const ways = found.filter(isWay);
    const parts = found.filter((each) => !isWay(each));
    if (ways.length !== 2) {
      return {
        problem: { en: `two directions are needed, not ${ways.length}`, ru: `нужны два направления, а не ${ways.length}` },
      };
    }
    if (parts.length !== new Set(parts).size) {
      return { problem: { en: "one part is named twice", ru: "одна часть названа дважды" } };
    }
    // Without parts the fingers come first.
    if (parts.length && (parts[0] === "thumb") === (owner(clauses, found, ways) === 0)) ways.reverse();
    const made = 10 * ways[0] + ways[1];
    if (PHRASES.said.en[made] === undefined) {
      return { problem: { en: "fingers and thumb would lie along one line", ru: "пальцы и большой оказались бы на одной прямой" } };
    }
    return { code: made };
  }

  /** Which of the two directions, 0 or 1, belongs to the part that is named first. */
  function owner(clauses, found, ways) {
    const before = found.slice(0, found.findIndex((each) => !isWay(each))).length;
    if (clauses.length === 2 && clauses.every((clause) => clause.filter(isWay).length === 1)) {
      return clauses[0].some((each) => !isWay(each)) ? 0 : 1;
    }
    // The one behind it, unless the phrase puts directions first.
    return before < ways.length && !before ? 0 : before - 1;
  }

  return { read, say: (made, lang) => PHRASES.said[lang][made] };
})();
