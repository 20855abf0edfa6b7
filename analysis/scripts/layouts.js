// Pasted layouts of CuTe, Triton and Gluon, and matrices over F2: what lanemap/layout/pasted reads.
// Nothing is evaluated: a text is cut into words, which the small grammars below read.
"use strict";

lanemap.layouts = (() => {
  const TOKEN = /\s+|\/\/[^\n]*|([A-Za-z_#][\w.:]*)|(-?\d+)|(->|[\s\S])/g;
  const CLOSING = { "(": ")", "[": "]", "{": "}", "<": ">" };
  const MOST_CELLS = 1 << 20;
  const INPUTS = {
    register: "register", reg_bases: "register", lane: "lane", lane_bases: "lane", warp: "warp",
    warp_bases: "warp", block: "block", block_bases: "block", offset: "offset", offset_bases: "offset",
  };
  const ORDER = ["block", "warp", "lane", "register"];
  const PARTS = ["bit", "nibble", "byte", "half", "word"];
  const NAMED = {
    linear: "linear", DistributedLinearLayout: "linear", LinearLayout: "linear",
    "LinearLayout.from_bases": "from_bases", from_bases: "from_bases", shared_linear: "linear",
    SharedLinearLayout: "linear", blocked: "blocked", BlockedLayout: "blocked",
    swizzled_shared: "swizzled", SwizzledSharedLayout: "swizzled", shared: "swizzled",
  };
  const PRINTED = /^\s*-\s*\w+\s*(=\s*1\s*->|is a size 1 dimension)/m;

  /** An error that the reader can mend, as a sentence. */
  class Wrong extends Error {}

  class Words {
    constructor(text) {
      this.tokens = [...text.matchAll(TOKEN)].map((m) => m[1] ?? m[2] ?? m[3]).filter((t) => t !== undefined);
      this.at = 0;
    }
    get next() { return this.tokens[this.at] ?? ""; }
    take() { this.at += 1; return this.tokens[this.at - 1] ?? ""; }
    skip(token) {
      if (this.next !== token) return false;
      this.at += 1;
      return true;
    }
    expect(token) { if (!this.skip(token)) throw this.wrong(`'${token}' was expected`); }
    wrong(why) { return new Wrong(`${why} ${this.next ? `at '${this.next}'` : "at its end"}`); }
    end() { if (this.next) throw this.wrong("nothing may follow, but something does,"); }
    integer() {
      const token = this.take();
      const fixed = /^_(\d+)$/.exec(token);
      if (fixed) return Number(fixed[1]);
      if (["Int", "C"].includes(token.split("::").at(-1))) {
        this.expect("<");
        const value = this.integer();
        this.expect(">");
        return value;
      }
      if (!/^-?\d+$/.test(token)) {
        this.at -= 1;
        throw this.wrong("an integer was expected");
      }
      return Number(token);
    }
    nested() {
      if (!["(", "["].includes(this.next)) return this.integer();
      return this.items(CLOSING[this.take()], () => this.nested());
    }
    items(closing, item) {
      const found = [];
      while (!this.skip(closing)) {
        found.push(item());
        if (!this.skip(",")) {
          this.expect(closing);
          break;
        }
      }
      return found;
    }
    fields() {
      let found = {};
      while (![")", "]", "}", ">", ""].includes(this.next)) {
        if (this.skip("{")) {
          found = { ...found, ...this.fields() };
          this.expect("}");
        } else {
          const name = this.take();
          this.expect("=");
          found[name] = this.#value();
        }
        if (!this.skip(",")) break;
      }
      return found;
    }
    #value() {
      if (["(", "["].includes(this.next) || /^-?\d+$/.test(this.next)) {
        const value = this.nested();
        if (this.skip(":")) this.take(); // MLIR: 16 : i32
        return value;
      }
      if (this.next !== "<") this.take();
      if (!this.skip("<")) return null;
      const held = this.fields();
      this.expect(">");
      return held;
    }
  }

  // CuTe: swizzle(offset + layout(coordinates)).

  function readCute(text) {
    const words = new Words(text);
    const isType = (name) => words.next.split("::").at(-1) === name;
    const found = { swizzle: null, bits: 0, offset: 0, modes: null };
    if (isType("ComposedLayout")) {
      words.take();
      words.expect("<");
      found.swizzle = swizzleOf(words);
      words.expect(",");
      if (isType("smem_ptr_flag_bits")) {
        words.take();
        words.expect("<");
        found.bits = element(words.integer());
        words.expect(">");
      } else if (isType("smem_ptr_flag")) words.take();
      else found.offset = words.integer();
      words.expect(",");
      found.modes = layoutOf(words);
      words.expect(">");
    } else {
      if (["Sw", "Swizzle", "cute::Swizzle"].includes(words.next)) {
        found.swizzle = swizzleOf(words);
        words.expect("o");
        while (words.next !== "(" && !isType("Layout")) {
          if (words.next === "smem_ptr") found.bits = pointer(words);
          else found.offset = words.integer();
          words.expect("o");
        }
      }
      found.modes = layoutOf(words);
    }
    words.end();
    found.sizes = found.modes.map((mode) => mode.reduce((size, [extent]) => size * extent, 1));
    if (found.sizes.reduce((a, b) => a * b, 1) > MOST_CELLS) throw new Wrong("the layout has too many cells to be shown");
    return found;
  }

  function swizzleOf(words) {
    words.take();
    words.expect("<");
    const parts = words.items(">", () => words.integer());
    if (parts.length !== 3 || parts[0] < 0 || parts[1] < 0 || Math.abs(parts[2]) < parts[0]) {
      throw new Wrong(`Swizzle<${parts.join(",")}> is none: it has bits, base and shift, and shifts by at least as many bits as it has`);
    }
    return parts;
  }

  function pointer(words) {
    words.take();
    words.expect("[");
    const bits = words.integer();
    if (!words.skip("b")) throw words.wrong("'b' was expected");
    words.expect("]");
    if (words.skip("(")) while (words.next && !words.skip(")")) words.take();
    return element(bits);
  }

  function element(bits) {
    if (bits < 1 || bits & (bits - 1)) throw new Wrong(`elements of ${bits} bits are none; they have a power of two`);
    return bits;
  }

  function layoutOf(words) {
    const name = words.next.split("::").at(-1);
    let shape;
    let stride = null;
    if (name === "Layout") {
      words.take();
      words.expect("<");
      shape = typed(words, "Shape");
      if (words.skip(",")) stride = typed(words, "Stride");
      words.expect(">");
    } else if (["make_layout", "cute.make_layout"].includes(name)) {
      words.take();
      words.expect("(");
      shape = words.nested();
      if (words.skip(",")) {
        if (words.skip("stride")) words.expect("=");
        stride = words.nested();
      }
      words.expect(")");
    } else {
      shape = words.nested();
      if (words.skip(":")) stride = words.nested();
    }
    return modesOf(shape, stride);
  }

  function typed(words, name) {
    if (words.next.split("::").at(-1) !== name) return words.integer();
    words.take();
    words.expect("<");
    return words.items(">", () => typed(words, name));
  }

  const flat = (value) => (typeof value === "number" ? [value] : value.flatMap(flat));
  const form = (value) => (typeof value === "number" ? "." : `(${value.map(form).join("")})`);

  function modesOf(shape, stride) {
    const extents = flat(shape);
    if (!extents.length || Math.min(...extents) < 1) throw new Wrong("each extent of a shape must be positive");
    let strides;
    if (stride === null) {
      strides = extents.map((_, at) => extents.slice(0, at).reduce((a, b) => a * b, 1));
    } else {
      if (form(shape) !== form(stride)) {
        throw new Wrong("shape and stride are not nested alike: each extent needs a stride in its place");
      }
      strides = flat(stride);
    }
    let at = 0;
    return (typeof shape === "number" ? [shape] : shape).map((top) =>
      flat(top).map((extent) => [extent, strides[at++]]));
  }

  /** The value at every coordinate, the last mode the fastest. */
  function valuesOf(cute) {
    const lines = cute.modes.map((mode) => {
      let line = [0];
      for (const [extent, stride] of mode) {
        line = Array.from({ length: extent }, (_, i) => line.map((value) => value + i * stride)).flat();
      }
      return line;
    });
    let values = [cute.offset];
    for (const line of lines) values = values.flatMap((value) => line.map((step) => value + step));
    return cute.swizzle ? values.map((value) => swizzled(value, cute)) : values;
  }

  function swizzled(value, { swizzle, bits }) {
    let [count, base, shift] = swizzle;
    if (bits) {
      base += 3 - Math.log2(bits);
      if (base < 0) throw new Wrong(`Swizzle<${swizzle.join(",")}> of byte addresses moves parts of an element of ${bits} bits`);
    }
    const from = (BigInt(1) << BigInt(count)) - BigInt(1) << BigInt(base + Math.max(0, shift));
    const taken = BigInt(value) & from;
    const moved = shift >= 0 ? taken >> BigInt(shift) : (BigInt(value) & ((BigInt(1) << BigInt(count)) - BigInt(1)) << BigInt(base)) << BigInt(-shift);
    return Number(BigInt(value) ^ moved);
  }

  // Triton and Gluon: bases, the images of single bits.

  function readTriton(text, shape) {
    if (PRINTED.test(text)) return linear(...printed(text));
    const words = new Words(text);
    let kind = words.next === "{" ? "linear" : NAMED[words.take().split(".").at(-1).replace(/^#/, "")];
    if (kind === "linear" && words.skip(".from_bases")) kind = "from_bases";
    if (!kind) throw new Wrong(`${text.split(/[<(]/)[0]} is no layout that can be read: of Triton and Gluon these are ${Object.keys(NAMED).join(", ")}`);
    if (kind === "from_bases") return fromBases(words);
    const opened = ["<", "("].includes(words.next) ? words.take() : "";
    const fields = words.fields();
    if (opened) words.expect(CLOSING[opened]);
    words.end();
    if (kind === "blocked") return blocked(fields, shape);
    if (kind === "swizzled") return sharedTile(fields, shape);
    const bases = {};
    for (const [name, value] of Object.entries(fields)) if (name in INPUTS) bases[INPUTS[name]] = value;
    if (!Object.keys(bases).length) throw new Wrong("it names no bases of register, lane, warp or offset");
    return linear(bases, fields.shape ?? []);
  }

  function printed(text) {
    const bases = {};
    let sizes = [];
    text.split("\n").forEach((line, at) => {
      const step = /^[\s-]*(\w+)\s*=\s*(\d+)\s*->\s*\(([-\d,\s]*)\)\s*$/.exec(line);
      const alone = /^[\s-]*(\w+) is a size 1 dimension\s*$/.exec(line);
      const outputs = /^\s*where out dims are:\s*\[(.*)\]\s*$/.exec(line);
      if (step) (bases[step[1]] ??= []).push(step[3].split(",").map(Number));
      else if (alone) bases[alone[1]] ??= [];
      else if (outputs) sizes = [...outputs[1].matchAll(/size (\d+)/g)].map((m) => Number(m[1]));
      else if (line.trim()) throw new Wrong(`line ${at + 1} of the layout is not understood: '${line.trim()}'`);
    });
    return [Object.fromEntries(Object.entries(bases).filter(([name]) => name in INPUTS)), sizes];
  }

  function fromBases(words) {
    const quoted = () => {
      const mark = words.take();
      if (mark !== '"' && mark !== "'") throw words.wrong("a name in quotes was expected");
      const name = words.take();
      words.expect(mark);
      return name;
    };
    words.expect("(");
    words.expect("[");
    const bases = Object.fromEntries(words.items("]", () => {
      words.expect("(");
      const name = quoted();
      words.expect(",");
      const value = words.nested();
      words.expect(")");
      return [name, value];
    }));
    let sizes = [];
    while (words.skip(",")) {
      if (words.skip("[")) {
        if (words.next === '"' || words.next === "'") words.items("]", quoted);
        else sizes = words.items("]", () => words.integer());
      } else if (words.next === ")") break;
      else words.take();
    }
    words.expect(")");
    words.end();
    const parts = PARTS.flatMap((name) => {
      const own = bases[name] ?? [];
      delete bases[name];
      return own;
    });
    bases.register = [...parts, ...(bases.register ?? [])];
    const unknown = Object.keys(bases).find((name) => !(name in INPUTS));
    if (unknown) throw new Wrong(`the layout's input '${unknown}' is not one of ${ORDER.join(", ")}`);
    return linear(bases, sizes);
  }

  function linear(given, shape) {
    let bases = given;
    let sizes = shape;
    if (sizes.length > 2) {
      const kept = sizes.map((_, at) => at).filter((at) => sizes[at] > 1);
      bases = Object.fromEntries(Object.entries(bases).map(([name, own]) => [name, own.map((image) => kept.map((at) => image[at]))]));
      sizes = kept.map((at) => sizes[at]);
    }
    const images = Object.values(bases).flat();
    const rank = images.length ? images[0].length : sizes.length || 1;
    if (images.some((image) => image.length !== rank)) throw new Wrong(`each basis must have ${rank} coordinates, as the first one has`);
    if (rank !== 1 && rank !== 2) throw new Wrong(`a layout of ${rank} dimensions cannot be drawn; one or two can`);
    if (images.length > 20) throw new Wrong(`a layout of ${images.length} bases has too many cells to be shown`);
    const largest = Array.from({ length: rank }, (_, at) => Math.max(0, ...images.map((image) => image[at])));
    let wanted = largest.map((each) => 2 ** each.toString(2).length * (each ? 1 : 0.5));
    if (sizes.length) {
      if (sizes.length !== rank || sizes.some((s, at) => s < wanted[at])) {
        throw new Wrong(`the shape [${sizes.join(", ")}] is too small for bases up to [${largest.join(", ")}]`);
      }
      wanted = [...sizes];
    }
    const inputs = bases.offset ? ["offset"] : ORDER.filter((name) => ["lane", "register"].includes(name) || (bases[name] ?? []).length);
    const axes = inputs.map((name) => [name, 2 ** (bases[name] ?? []).length]);
    const source = { name: "matrix", axes: ["row", "column"].slice(0, rank).map((name, at) => [name, wanted[at]]) };
    const bits = inputs.toReversed().flatMap((name) => bases[name] ?? []);
    const table = Int32Array.from({ length: 2 ** bits.length }, (_, cell) => {
      const place = Array(rank).fill(0);
      bits.forEach((image, bit) => { if (cell >> bit & 1) image.forEach((part, at) => { place[at] ^= part; }); });
      return rank === 2 ? place[0] * wanted[1] + place[1] : place[0];
    });
    return { destination: { name: bases.offset ? "offset" : "register", axes }, source, table };
  }

  const field = (fields, name) => fields[name] ?? fields[name.replace(/CTA|[A-Z]/g, (m) => `_${m.toLowerCase()}`)];
  const isPower = (value) => Number.isInteger(value) && value >= 1 && (value & (value - 1)) === 0;

  function blocked(fields, shape) {
    const names = ["sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"];
    const lists = names.map((name) => {
      const value = field(fields, name);
      if (!Array.isArray(value) || !value.length) throw new Wrong(`it has no ${name} (a list)`);
      return value;
    });
    const [each, threads, warps, order] = lists;
    const rank = order.length;
    if (lists.some((list) => list.length !== rank) || rank > 2) throw new Wrong(`${names.join(", ")} must have one or two numbers each, all the same`);
    const bad = [...each, ...threads, ...warps].find((value) => !isPower(value));
    if (bad !== undefined) throw new Wrong(`a size is ${bad}, but Triton's sizes are powers of two`);
    if (order.toSorted().join() !== order.map((_, at) => at).join()) throw new Wrong(`order [${order.join(", ")}] is no order of ${rank} dimensions`);
    const wanted = shape ?? each.map((value, at) => value * threads[at] * warps[at]);
    const bases = { register: [], lane: [], warp: [] };
    const reached = Array(rank).fill(1);
    const image = (at, value) => Array.from({ length: rank }, (_, i) => (i === at ? value : 0));
    for (const [name, sizes] of [["register", each], ["lane", threads], ["warp", warps]]) {
      for (const at of order) {
        for (let size = sizes[at]; size > 1; size /= 2) {
          bases[name].push(image(at, reached[at] < wanted[at] ? reached[at] : 0));
          reached[at] *= 2;
        }
      }
    }
    for (const at of order) {
      for (; reached[at] < wanted[at]; reached[at] *= 2) bases.register.push(image(at, reached[at]));
    }
    return linear(bases, wanted);
  }

  function sharedTile(fields, shape) {
    const [vec, perPhase, maxPhase] = ["vec", "perPhase", "maxPhase"].map((name) => {
      const value = field(fields, name);
      if (!isPower(value)) throw new Wrong(`it has no ${name} that is a power of two`);
      return value;
    });
    const order = fields.order ?? [1, 0];
    const along = order[0] === 1;
    const [rows, columns] = shape ?? (along ? [perPhase * maxPhase, vec * maxPhase] : [vec * maxPhase, perPhase * maxPhase]);
    const [slow, fast] = along ? [rows, columns] : [columns, rows];
    const table = Int32Array.from({ length: rows * columns }, (_, offset) => {
      const line = Math.floor(offset / fast);
      const place = offset % fast;
      const held = (Math.floor(place / vec) ^ Math.floor(line / perPhase) % maxPhase) * vec + place % vec;
      if (held >= fast) throw new Wrong(`lines of ${fast} elements are too short for maxPhase ${maxPhase} of vec ${vec}`);
      return along ? line * columns + held : held * columns + line;
    });
    return {
      destination: { name: "offset", axes: [["line", slow], ["element", fast]] },
      source: { name: "matrix", axes: [["row", rows], ["column", columns]] },
      table,
    };
  }

  // A matrix over F2: rows of zeros and ones, the lowest bit of the value first.

  const isMatrix = (text) => /^\s*(?:[fF]2\s*)?[[(]*\s*[01][\s01,;[\]()]*$/.test(text) && /[;\n]|\]\s*,|^\s*[fF]2/.test(text);

  function readMatrix(text) {
    const rows = text.replace(/^\s*[fF]2/, "").split(/[;\n]|\]\s*,|\)\s*,/).map((line) => line.replace(/[^01]/g, "")).filter(Boolean);
    const width = rows[0].length;
    if (rows.some((row) => row.length !== width)) throw new Wrong("the rows of a matrix over F2 must have one length");
    if (width > 18 || rows.length > 30) throw new Wrong(`a matrix over F2 of ${rows.length} x ${width} has too many cells to be shown`);
    const columns = Array.from({ length: width }, (_, at) => rows.reduce((value, row, bit) => value | Number(row[at]) << bit, 0));
    const low = Math.ceil(width / 2);
    const table = Int32Array.from({ length: 2 ** width }, (_, cell) => columns.reduce((value, column, bit) => (cell >> bit & 1 ? value ^ column : value), 0));
    return {
      destination: { name: "coordinate", axes: [["high bits", 2 ** (width - low)], ["low bits", 2 ** low]] },
      source: { name: "value", axes: [["value", 2 ** rows.length]] },
      table,
    };
  }

  const isTriton = (text) => {
    const start = text.trimStart();
    const name = /^#?[\w.]*/.exec(start)[0].split(".").at(-1);
    return PRINTED.test(text) || /^(#ttg|#blocked|#linear|#shared|\{|#triton_gpu)/.test(start) || name in NAMED || start.slice(0, 40).includes("LinearLayout");
  };

  /**
   * Read a layout.
   * @param shape Rows and columns of a tensor whose Triton layout does not say them, or null.
   * @returns Its `kind`, its map, and of CuTe `values` with `sizes`.
   */
  function read(text, shape = null) {
    if (isMatrix(text)) return { kind: "f2", map: readMatrix(text) };
    if (isTriton(text)) return { kind: "triton", map: readTriton(text, shape) };
    const cute = readCute(text);
    return { kind: "cute", cute, values: valuesOf(cute), sizes: cute.sizes, map: drawnCute(cute) };
  }

  /** What a CuTe layout is drawn as: the first mode down, the others across, the first of them fastest. */
  function drawnCute(cute) {
    const values = valuesOf(cute);
    if (values.some((value) => value < 0)) throw new Wrong(`the layout has the negative value ${Math.min(...values)}`);
    const [first] = cute.sizes;
    const across = values.length / first;
    const table = Int32Array.from(byColumns(values, cute.sizes));
    const most = values.reduce((a, b) => Math.max(a, b), 0) + 1;
    return {
      destination: { name: "coordinate", axes: cute.sizes.length > 1 ? [["mode 0", first], ["mode 1", across]] : [["mode 0", first]] },
      source: { name: "value", axes: [["value", most]] },
      table,
    };
  }

  /** Values of (first, others..) with the first of the others the fastest. */
  function byColumns(values, [first, ...others]) {
    const across = values.length / first;
    const order = Array.from({ length: across }, (_, column) => {
      let rest = column;
      let index = 0;
      let stride = across;
      for (const size of others) {
        stride /= size;
        index += (rest % size) * stride;
        rest = Math.floor(rest / size);
      }
      return index;
    });
    return values.map((_, at) => values[at - (at % across) + order[at % across]]);
  }

  return { read, byColumns, Wrong };
})();
