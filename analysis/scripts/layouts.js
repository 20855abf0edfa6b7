// Pasted layouts of CuTe, Triton and Gluon, and matrices over F2: what lanemap/layout/pasted reads.
"use strict";

lanemap.layouts = (() => {
  const { Wrong } = lanemap.words;
  const { isTriton } = lanemap.triton;
  const { valuesOf } = lanemap.cute;

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

  /**
   * Read a layout.
   * @param shape Rows and columns of a tensor whose Triton layout does not say them, or null.
   * @returns Its `kind`, its map, and of CuTe `values` with `sizes`.
   */
  function read(text, shape = null) {
    if (isMatrix(text)) return { kind: "f2", map: readMatrix(text) };
    if (isTriton(text)) return { kind: "triton", map: lanemap.triton.read(text, shape) };
    const cute = lanemap.cute.read(text);
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
