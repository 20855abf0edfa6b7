// Pasted layouts of CuTe: what lanemap/layout/pasted/cute.py reads.
"use strict";

lanemap.cute = (() => {
  const { Words, Wrong } = lanemap.words;
  const MOST_CELLS = 1 << 20;

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

  return { read: readCute, valuesOf };
})();
