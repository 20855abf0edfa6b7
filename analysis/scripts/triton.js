// Pasted layouts of Triton and Gluon: what lanemap/layout/pasted/triton.py reads.
"use strict";

lanemap.triton = (() => {
  const { Words, Wrong, CLOSING } = lanemap.words;
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

  /** Whether a text is one of theirs. */
  const isTriton = (text) => {
    const start = text.trimStart();
    const name = /^#?[\w.]*/.exec(start)[0].split(".").at(-1);
    return PRINTED.test(text) || /^(#ttg|#blocked|#linear|#shared|\{|#triton_gpu)/.test(start) || name in NAMED || start.slice(0, 40).includes("LinearLayout");
  };

  return { read: readTriton, isTriton };
})();
