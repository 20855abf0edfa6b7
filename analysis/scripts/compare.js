// Layouts held against each other and composed, as lanemap compare --layout and lanemap draw do.
"use strict";

lanemap.compare = (() => {
  const { Wrong, byColumns } = lanemap.layouts;
  const REGISTER_BITS = 32;
  /** Spaces that are drawn as the grid rather than the other; see lanemap/drawing/grid.py. */
  const FIRST = ["matrix", "scales", "index", "tmem", "shared"];
  const INNER = {
    register: ["register", "value", "bit"], chunk: ["bit"], tmem: ["column", "bit"],
    shared: ["unit", "byte", "bit"], linear: ["unit", "byte", "bit"], matrix: ["bit"], scales: ["bit"], index: ["bit"],
  };

  const sizeOf = (axes) => axes.reduce((product, [, size]) => product * size, 1);

  /** A map as it was stored: destination, source, and the source's place of each place. */
  function directed(map) {
    const [destination, source] = map.destination === "there" ? [map.there, map.here] : [map.here, map.there];
    if (map.destination !== "there") return { destination, source, table: map.to };
    return { destination, source, table: turnedTable(map.to, destination.size) };
  }

  function turnedTable(to, size) {
    const table = new Int32Array(size).fill(-1);
    to.forEach((there, here) => {
      if (there < 0) return;
      if (table[there] >= 0) throw new Wrong("a cell is held in several places, so the way back is none");
      table[there] = here;
    });
    return table;
  }

  /** The coordinates of a cell along axes, in words. */
  function format(axes, cell) {
    if (cell < 0) return "undefined";
    let rest = cell;
    return axes.toReversed().map(([name, size]) => {
      const value = rest % size;
      rest = Math.floor(rest / size);
      return `${name} ${value}`;
    }).reverse().join(" ");
  }

  /**
   * Hold a pasted layout against an instruction's map; see lanemap/probing/compare/lowering.py.
   * @returns `agrees`, the `sentences` of the answer, and both maps on elements.
   */
  function hold(map, pasted) {
    const own = directed(map);
    const found = own.destination.space === "shared" && own.source.space === "matrix"
      ? [held(own, ...shared(map.name, own, pasted))]
      : [...readings(map.name, own, pasted)];
    const best = found.reduce((a, b) => (b.differing < a.differing ? b : a));
    return { ...best, agrees: best.first < 0, sentences: sentences(map.name, best) };
  }

  /** Bits of an element; of a matrix load as its name says, else what moves together. */
  function elementBits(name, source) {
    if (source.space === "tmem") return REGISTER_BITS;
    if (source.space === "chunk") return Number(/[._]b(\d+)$/.exec(name)?.[1] ?? source.unit);
    return source.axes.at(-1)[1];
  }

  function* readings(name, own, pasted) {
    const from = own.source.space;
    if (!["matrix", "scales", "tmem", "chunk"].includes(from)) {
      throw new Wrong(`${name} is from ${from} to ${own.destination.space}; a layout can be held against operands of matrix instructions, loads of tensor memory, matrix loads and tiles in shared memory`);
    }
    const bits = elementBits(name, own.source);
    const wide = own.destination.unit > bits && [own.destination, own.source].every((side) => side.unit % bits === 0);
    const { destination, source, table } = wide ? refined(own, bits) : own;
    if (source.unit !== bits) throw new Wrong(`${name} tears elements of ${bits} bits apart; no layout of elements can`);
    const names = destination.space === "register" ? ["thread", "value"] : ["lane", "column"];
    const threads = destination.size / destination.count;
    const values = destination.count;
    const inner = { tmem: "column", chunk: "element" }[source.space];
    const axes = inner ? [[source.outer.at(-1)[0], source.size / source.count], [inner, source.count]] : source.outer;
    const mine = { destination: [[names[0], threads], [names[1], values]], source: axes, table };
    const rows = sizeOf(axes.slice(0, -1));
    const columns = axes.at(-1)[1];
    if (pasted.kind === "cute") {
      yield* ofCute(name, mine, pasted, threads, values, rows, columns);
      return;
    }
    const theirs = pasted.map;
    if (pasted.kind !== "triton" || theirs.destination.name !== "register") {
      throw new Wrong(`${name} is about registers of threads, the layout is not`);
    }
    const each = theirs.destination.axes.at(-1)[1];
    const places = theirs.table.length / each;
    const shape = theirs.source.axes.length === 2 ? theirs.source.axes.map(([, size]) => size) : [1, sizeOf(theirs.source.axes)];
    if ([places, each, ...shape].join() !== [threads, values, rows, columns].join()) {
      throw new Wrong(`the layout has ${places} threads with ${each} values of a ${shape[0]} x ${shape[1]} tensor; ${name} has ${threads} with ${values} of ${rows} x ${columns}`);
    }
    yield verdict(mine, theirs.table, "Triton's (warp and lane, register) to (row, column)");
  }

  function* ofCute(name, mine, pasted, threads, values, rows, columns) {
    const [first] = pasted.sizes;
    const count = pasted.values.length / first;
    if (first !== threads || count !== values) {
      throw new Wrong(`the layout has ${first} threads with ${count} values, by its first mode and the others; ${name} has ${threads} with ${values}`);
    }
    const most = pasted.values.reduce((a, b) => Math.max(a, b), 0);
    if (pasted.values.some((value) => value < 0) || most >= rows * columns) {
      throw new Wrong(`the layout's value ${most} is outside the ${rows} x ${columns} elements of ${name}`);
    }
    const slow = mine.source[0][0];
    const fast = mine.source.at(-1)[0];
    const orders = [[byColumns(pasted.values, pasted.sizes), "the first mode of a thread's values the fastest"]];
    if (pasted.sizes.length > 2) orders.push([pasted.values, "the last mode of a thread's values the fastest"]);
    const words = (counted, fastest) => `(thread, value) to the index with ${counted} the fastest, ${fastest}`;
    for (const [index, fastest] of orders) {
      yield verdict(mine, index.map((value) => (value % rows) * columns + Math.floor(value / rows)), words(slow, fastest));
      yield verdict(mine, index, words(fast, fastest));
    }
  }

  /** Elements of a tile to their offset in shared memory: both maps, how it was read, and the part. */
  function shared(name, own, pasted) {
    const [rows, columns, bits] = own.source.axes.map(([, size]) => size);
    const place = turnedTable(own.table, rows * columns);
    let offsets;
    let sizes;
    let words;
    if (pasted.kind === "cute") {
      if (pasted.sizes.length !== 2) throw new Wrong(`${name} is a tile of two coordinates, the layout has ${pasted.sizes.length}`);
      [offsets, sizes, words] = [pasted.values, pasted.sizes, "(row, k) to the offset in elements"];
    } else {
      if (pasted.map.destination.name !== "offset") throw new Wrong(`${name} is about shared memory, the layout is not`);
      sizes = pasted.map.source.axes.map(([, size]) => size);
      offsets = turnedTable(pasted.map.table, sizeOf(pasted.map.source.axes));
      words = "Triton's offset to (row, column)";
    }
    const [tall, wide] = sizes;
    if (tall > rows || wide > columns) {
      throw new Wrong(`the layout is of ${tall} x ${wide} elements, ${name} of ${rows} x ${columns}; paste an atom or a tile of at most that size`);
    }
    const size = (own.destination.size * own.destination.unit) / bits;
    const most = offsets.reduce((a, b) => Math.max(a, b), 0);
    if (offsets.some((offset) => offset < 0) || most >= size) throw new Wrong(`the layout's offset ${most} is outside the tile of ${name}`);
    const theirs = new Int32Array(rows * columns).fill(-1);
    offsets.forEach((offset, at) => { theirs[Math.floor(at / wide) * columns + (at % wide)] = offset; });
    const mine = { destination: own.source.axes.slice(0, 2), source: [["element", size]], table: place };
    const partial = tall === rows && wide === columns ? "" : `the layout has ${tall} x ${wide} of ${rows} x ${columns} elements`;
    return [mine, theirs, words, partial];
  }

  const held = (own, mine, theirs, words, partial) => verdict(mine, theirs, words, partial);

  function verdict(mine, theirs, reading, partial = "") {
    let compared = 0;
    let differing = 0;
    let first = -1;
    mine.table.forEach((own, cell) => {
      if (partial ? theirs[cell] < 0 : own < 0 && theirs[cell] < 0) return;
      compared += 1;
      if (own === theirs[cell]) return;
      differing += 1;
      if (first < 0) first = cell;
    });
    return { mine, theirs, reading, partial, compared, differing, first };
  }

  function sentences(name, { mine, theirs, reading, partial, compared, differing, first }) {
    const part = partial ? `, in part: ${partial}` : "";
    const read = `read as ${reading}`;
    if (first < 0) return [`the same as ${name} on ${compared} elements${part}; ${read}`];
    const [here, there] = [mine.table[first], theirs[first]].map((cell) => format(mine.source, cell));
    return [
      `not ${name}: ${differing} of ${compared} elements differ${part}; ${read}`,
      `first at ${format(mine.destination, first)}: ${name} has ${here}, the layout has ${there}`,
    ];
  }

  // Two maps one after the other.

  /** A side in units of some cells; places are outer coordinates, then units. */
  const inCells = (side, unit) => ({
    ...side, unit, count: (side.count * side.unit) / unit, size: (side.size * side.unit) / unit,
  });
  const gcd = (a, b) => (b ? gcd(b, a % b) : a);
  const middleAxes = (side) => side.axes.map(([name]) => name).join();

  /** The same map in units of `unit` cells on both sides. */
  function refined({ destination, source, table }, unit) {
    const parts = destination.unit / unit;
    const held = source.unit / unit;
    const found = new Int32Array(table.length * parts).fill(-1);
    table.forEach((place, at) => {
      if (place < 0) return;
      for (let part = 0; part < held; part += 1) found[at * parts + part] = place * held + part;
    });
    return { destination: inCells(destination, unit), source: inCells(source, unit), table: found };
  }

  const reversed = ({ destination, source, table }) => ({
    destination: source, source: destination, table: turnedTable(table, sizeOf(source.axes) / source.unit),
  });

  /** Two maps one after the other, through the space that both have; see lanemap/drawing/grid.py. */
  function composed(one, two) {
    const outer = directed(one);
    const inner = directed(two);
    for (const firstTurned of [false, true]) {
      for (const secondTurned of [false, true]) {
        const middle = firstTurned ? outer.destination : outer.source;
        const other = secondTurned ? inner.source : inner.destination;
        if (middle.space !== other.space || middleAxes(middle) !== middleAxes(other)) continue;
        const units = [outer.destination.unit, outer.source.unit, inner.destination.unit, inner.source.unit];
        const unit = units.reduce(gcd);
        const [a, b] = [refined(outer, unit), refined(inner, unit)];
        return { ...through(firstTurned ? reversed(a) : a, secondTurned ? reversed(b) : b, unit), middle: middle.space };
      }
    }
    throw new Wrong(`nothing joins the two: one map is from ${outer.source.space} to ${outer.destination.space}, the other from ${inner.source.space} to ${inner.destination.space}`);
  }

  function through(outer, inner, unit) {
    const wanted = inner.destination.axes;
    const table = outer.table.map((cell) => {
      if (cell < 0) return -1;
      let rest = cell * unit;
      let index = 0;
      let stride = 1;
      for (let at = wanted.length - 1; at >= 0; at -= 1) {
        const size = outer.source.axes[at][1];
        const value = rest % size;
        rest = Math.floor(rest / size);
        if (value >= wanted[at][1]) return -1;
        index += value * stride;
        stride *= wanted[at][1];
      }
      return inner.table[index / unit];
    });
    if (!table.some((cell) => cell >= 0)) throw new Wrong("the two maps share no cell: nothing goes through both");
    return { destination: outer.destination, source: inner.source, table };
  }

  // Sides for pictures.

  const PART_NAMES = { 1: "bit", 4: "nibble", 8: "byte", 16: "half", 32: "word" };

  /** A side of a space with its labels; see lanemap/drawing/sides.py. */
  function sideOf(space, axes, unit) {
    const inner = INNER[space] ?? [];
    let cut = axes.length;
    while (cut > 0 && inner.includes(axes[cut - 1][0])) cut -= 1;
    const outer = axes.slice(0, cut);
    const count = sizeOf(axes.slice(cut)) / unit;
    const table = (["matrix", "scales", "index"].includes(space) || !(space in INNER)) && outer.length > 1;
    const hasBits = axes.some(([name]) => name === "bit");
    const part = PART_NAMES[unit * (hasBits ? 1 : 8)] ?? "part";
    const rows = labelsOf(table ? outer.slice(0, -1) : outer, space === "register");
    const across = table ? Array.from({ length: outer.at(-1)[1] }, (_, at) => String(at)) : [""];
    const perColumn = hasBits && unit < REGISTER_BITS ? REGISTER_BITS / unit : 1;
    const units = Array.from({ length: count }, (_, at) =>
      (space === "tmem" && perColumn > 1 ? `${Math.floor(at / perColumn)}.${at % perColumn}` : String(at)));
    const columns = table && count === 1 ? across : across.flatMap((at) => units.map((u) => (table ? `${at}.${u}` : u)));
    const always = ["register", "chunk", "tmem"].includes(space);
    const column = { register: hasBits ? (unit === REGISTER_BITS ? "register" : "element") : "value", tmem: "column", chunk: part };
    return {
      space, axes, unit, count, rows, columns, outer,
      row: space === "register" ? "thread" : (table ? outer.slice(0, -1) : outer).map(([name]) => name).join(","),
      column: table ? outer.at(-1)[0] : column[space] ?? part,
      join: count === 1 && !table && !always ? "" : table || space === "tmem" ? "," : ".",
      unit_labels: space === "shared" || space === "linear",
      size: rows.length * columns.length,
    };
  }

  function labelsOf(axes, counted) {
    const size = sizeOf(axes);
    if (counted) return Array.from({ length: size }, (_, at) => String(at));
    return Array.from({ length: size }, (_, at) => {
      let rest = at;
      return axes.toReversed().map(([, each]) => {
        const value = rest % each;
        rest = Math.floor(rest / each);
        return value;
      }).reverse().join(",");
    });
  }

  /** A map for pictures, out of two sides or spaces with their axes. */
  function drawn(name, { destination, source, table }) {
    const [here, there] = [destination, source].map((side) => sideOf(side.space ?? side.name, side.axes, side.unit ?? 1));
    const used = table.filter((place) => place >= 0);
    const single = new Set(used).size === used.length;
    const rank = (side) => (FIRST.includes(side.space) ? FIRST.indexOf(side.space) : FIRST.length);
    const read = ["tmem", "shared", "offset"].includes(here.space) && ["matrix", "scales"].includes(there.space);
    if (single && !read && rank(there) < rank(here)) {
      return lanemap.maps.join({ name, here: there, there: here, to: turnedTable(table, there.size), destination: "there" });
    }
    return lanemap.maps.join({ name, here, there, to: Int32Array.from(table), destination: "here" });
  }

  return { hold, composed, drawn, format };
})();
