// Layout maps as the site holds them: unpacking, labels, colors, and cells named in words.
"use strict";

lanemap.maps = (() => {
  const REGISTER_BITS = 32;

  /** Integers that lanemap/drawing/packed.py has packed. */
  async function numbers(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const found = new Int32Array(await new Response(stream).arrayBuffer());
    for (let i = 1; i < found.length; i += 1) found[i] += found[i - 1];
    return found;
  }

  const labelsOf = (labels) =>
    typeof labels === "number" ? Array.from({ length: labels }, (_, i) => String(i)) : labels;

  /** A side with all of its labels. Places are numbered along rows. */
  function side(packed) {
    const found = { ...packed, rows: labelsOf(packed.rows), columns: labelsOf(packed.columns) };
    found.size = found.rows.length * found.columns.length;
    return found;
  }

  /** The map of one operand: `to[i]` is the place there of place i here, `back` the reverse. */
  async function unpack(packed) {
    return join({
      name: packed.name,
      destination: packed.destination,
      here: side(packed.here),
      there: side(packed.there),
      to: await numbers(packed.cells),
    });
  }

  /** Complete a map that has both sides and `to`: the way back, and colors. */
  function join(map) {
    const back = new Map();
    map.to.forEach((there, here) => {
      if (there < 0) return;
      if (back.has(there)) back.get(there).push(here);
      else back.set(there, [here]);
    });
    return { ...map, back, ...coloring(map) };
  }

  /** The color of each place here, as lanemap/drawing/grid.py chooses it; -1 is nothing. */
  function coloring({ here, there, to }) {
    const memory = (each) => each.space === "shared" || each.space === "linear";
    const across = there.columns.length;
    const first = there.outer.length > 1 ? there.outer[0][1] : 0;
    const places = there.size / there.count;
    let color = (place) => Math.floor(place / there.count);
    let colors = places;
    if (memory(here) && memory(there)) {
      color = (place) => place % there.count;
      colors = there.count;
    } else if (!["register", "chunk"].includes(there.space) && first) {
      color = (place) => Math.floor(Math.floor(place / there.count) / (places / first));
      colors = first;
    }
    return { color: Int32Array.from(to, (place) => (place < 0 ? -1 : color(place))), colors, across };
  }

  /** A color for each of `count` things; see lanemap/drawing/palette.py. */
  function palette(count) {
    const { hues, palest } = lanemap.palette;
    let run = 1;
    while (run * hues.length < count) run *= 2;
    const parts = hues.map((hue) => [1, 3, 5].map((at) => parseInt(hue.slice(at, at + 2), 16)));
    return Array.from({ length: count }, (_, i) => {
      const share = run > 1 ? ((i % run) / (run - 1)) * palest : 0;
      const mixed = parts[Math.floor(i / run)].map((part) => Math.round((1 - share) * part + share * 255));
      return `rgb(${mixed.join(" ")})`;
    });
  }

  /** The label of a place of a side, such as "12.1" or "3,5"; "" for none. */
  function label(of, place) {
    if (place < 0) return "";
    const row = Math.floor(place / of.columns.length);
    const column = place % of.columns.length;
    if (!of.join) return of.rows[row];
    return of.rows[row] + of.join + (of.unit_labels ? column : of.columns[column]);
  }

  /** A place in words: "thread 12, register 1, bits 0 to 15" or "row 3, k 5". */
  function words(of, place) {
    const row = Math.floor(place / of.columns.length);
    const column = place % of.columns.length;
    const names = of.row.split(",");
    const values = of.rows[row].split(",");
    const found = names.map((name, at) => `${name} ${values[at]}`);
    if (of.space === "register" && of.axes.at(-1)[0] === "bit") {
      const first = column * of.unit;
      const register = Math.floor(first / REGISTER_BITS);
      if (of.unit > REGISTER_BITS) {
        return `${found[0]}, registers ${register} to ${register + of.unit / REGISTER_BITS - 1}`;
      }
      found.push(`register ${register}`);
      const bit = first % REGISTER_BITS;
      if (of.unit < REGISTER_BITS) {
        found.push(of.unit === 1 ? `bit ${bit}` : `bits ${bit} to ${bit + of.unit - 1}`);
      }
    } else if (of.join) {
      found.push(`${of.column} ${of.unit_labels ? column : of.columns[column]}`);
    }
    return found.join(", ");
  }

  /**
   * The place of a side that words name: "row 3 k 5", "thread 12 register 1 bit 16", "3,5".
   * Returns -1 where they name none of this side.
   */
  function find(of, text) {
    const given = new Map();
    for (const match of text.toLowerCase().matchAll(/([a-z_]+)\s*[=:]?\s*(\d+(?:\.\d+)?)/g)) {
      given.set(match[1], match[2]);
    }
    const names = of.row.split(",");
    if (!given.size) {
      const plain = text.trim().replaceAll(" ", "");
      for (let place = 0; place < of.size; place += 1) if (label(of, place) === plain) return place;
      return -1;
    }
    const wanted = names.map((name) => given.get(name) ?? (name === "thread" ? given.get("lane") : undefined));
    if (wanted.includes(undefined)) return -1;
    const row = of.rows.indexOf(wanted.join(","));
    const column = columnOf(of, given);
    return row < 0 || column < 0 ? -1 : row * of.columns.length + column;
  }

  function columnOf(of, given) {
    if (of.columns.length === 1 && !given.has(of.column)) return 0;
    if (of.space === "register" && (given.has("register") || given.has("registers"))) {
      const within = Number(given.get("bit") ?? given.get("bits") ?? 0);
      const bit = Number(given.get("register") ?? given.get("registers")) * REGISTER_BITS + within;
      const column = Math.floor(bit / of.unit);
      return column < of.columns.length ? column : -1;
    }
    const name = of.column.split(".")[0];
    const second = name === "column" ? "col" : name;
    const value = given.get(of.column) ?? given.get(name) ?? given.get(second);
    if (value === undefined) return -1;
    return of.unit_labels ? Number(value) : of.columns.indexOf(value);
  }

  return { numbers, unpack, side, join, palette, label, words, find };
})();
