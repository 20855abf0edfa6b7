// One side of a layout map as a grid of colored, labeled cells. Only what is in view is drawn.
"use strict";

lanemap.Picture = class {
  static LETTER = 6.2;
  static ROW = 19;
  static FONT = "11px 'DejaVu Sans', system-ui, sans-serif";

  /**
   * @param box The element to fill. It scrolls, and takes the keyboard.
   * @param of The side that is the grid.
   * @param show Its `label(place)` and `color(place)` (a CSS color, or null for nothing), its `title`,
   *     and `chosen(place)`, called when the reader points at a place or moves to it by keys.
   */
  constructor(box, of, show) {
    this.box = box;
    this.of = of;
    this.show = show;
    this.marked = new Set();
    this.cursor = -1;
    this.#measure();
    box.classList.add("picture");
    box.tabIndex = 0;
    box.setAttribute("role", "application");
    box.setAttribute("aria-roledescription", "grid of cells");
    box.setAttribute("aria-label", `${show.title}. Arrow keys move; what a cell holds is read out.`);
    this.canvas = document.createElement("canvas");
    const room = document.createElement("div");
    room.style.width = `${this.width}px`;
    room.style.height = `${this.height}px`;
    room.append(this.canvas);
    box.replaceChildren(room);
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("pointermove", (event) => this.#point(event, false));
    box.addEventListener("pointerdown", (event) => this.#point(event, true));
    box.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(box);
    document.addEventListener("theme", () => this.draw());
  }

  #measure() {
    const { LETTER, ROW } = lanemap.Picture;
    const { of, show } = this;
    let letters = 1;
    for (let place = 0; place < of.size; place += 1) {
      letters = Math.max(letters, ...show.label(place).split("\n").map((line) => line.length));
    }
    letters = Math.max(letters, ...of.columns.map((label) => label.length));
    const lines = show.tall ? 2 : 1;
    this.cell = Math.max(26, letters * LETTER + 8);
    this.row = ROW * lines;
    this.head = Math.max(of.row.length, ...of.rows.map((label) => label.length)) * LETTER + 14;
    this.top = 34;
    this.width = this.head + of.columns.length * this.cell + 2;
    this.height = this.top + of.rows.length * this.row + 2;
  }

  /** Mark places, and bring the first into view. */
  mark(places, reveal = true) {
    this.marked = new Set(places);
    if (reveal && places.length) this.#reveal(places[0]);
    this.draw();
  }

  /** Put the keyboard's cursor on a place. */
  choose(place) {
    this.cursor = place;
    this.#reveal(place);
    this.draw();
  }

  #reveal(place) {
    const x = this.head + (place % this.of.columns.length) * this.cell;
    const y = this.top + Math.floor(place / this.of.columns.length) * this.row;
    const { box } = this;
    if (x < box.scrollLeft + this.head) box.scrollLeft = x - this.head;
    else if (x + this.cell > box.scrollLeft + box.clientWidth) box.scrollLeft = x + this.cell - box.clientWidth;
    if (y < box.scrollTop + this.top) box.scrollTop = y - this.top;
    else if (y + this.row > box.scrollTop + box.clientHeight) box.scrollTop = y + this.row - box.clientHeight;
  }

  #point(event, press) {
    const bounds = this.box.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    if (x < this.head || y < this.top) return;
    const column = Math.floor((x + this.box.scrollLeft - this.head) / this.cell);
    const row = Math.floor((y + this.box.scrollTop - this.top) / this.row);
    if (column >= this.of.columns.length || row >= this.of.rows.length) return;
    const place = row * this.of.columns.length + column;
    if (place === this.cursor && !press) return;
    this.cursor = place;
    this.draw();
    this.show.chosen(place, press);
  }

  #key(event) {
    const across = this.of.columns.length;
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across,
      PageUp: -8 * across, PageDown: 8 * across,
    };
    let place = this.cursor;
    if (event.key in steps) place = place < 0 ? 0 : place + steps[event.key];
    else if (event.key === "Home") place = 0;
    else if (event.key === "End") place = this.of.size - 1;
    else return;
    event.preventDefault();
    if (place < 0 || place >= this.of.size) return;
    this.choose(place);
    this.show.chosen(place, true);
  }

  draw() {
    const { box, canvas, of } = this;
    const width = Math.min(box.clientWidth, this.width);
    const height = Math.min(box.clientHeight, this.height);
    const scale = devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    pen.scale(scale, scale);
    pen.font = lanemap.Picture.FONT;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const left = box.scrollLeft;
    const up = box.scrollTop;
    const first = Math.floor(up / this.row);
    const last = Math.min(of.rows.length, Math.ceil((up + height - this.top) / this.row));
    const from = Math.floor(left / this.cell);
    const to = Math.min(of.columns.length, Math.ceil((left + width - this.head) / this.cell));
    for (let row = first; row < last; row += 1) {
      for (let column = from; column < to; column += 1) {
        const place = row * of.columns.length + column;
        this.#cell(pen, place, this.head + column * this.cell - left, this.top + row * this.row - up, color);
      }
    }
    this.#heads(pen, { first, last, from, to, left, up, width, height }, color);
  }

  #cell(pen, place, x, y, color) {
    const { cell, row } = this;
    const fill = this.show.color(place);
    const marked = this.marked.has(place) || place === this.cursor;
    pen.fillStyle = fill ?? color("--line");
    pen.fillRect(x, y, cell - 1, row - 1);
    if (marked) {
      pen.strokeStyle = color("--ink");
      pen.lineWidth = 3;
      pen.strokeRect(x + 1, y + 1, cell - 3, row - 3);
      pen.strokeStyle = color("--paper");
      pen.lineWidth = 1;
      pen.strokeRect(x + 2.5, y + 2.5, cell - 6, row - 6);
    }
    pen.fillStyle = "#14181d";
    const lines = this.show.label(place).split("\n");
    const step = row / lines.length;
    lines.forEach((line, at) => pen.fillText(line, x + cell / 2, y + step * (at + 0.5)));
  }

  /** The labels of rows and columns, which stay in view. */
  #heads(pen, view, color) {
    const { of } = this;
    pen.fillStyle = color("--paper");
    pen.fillRect(0, 0, view.width, this.top);
    pen.fillRect(0, 0, this.head, view.height);
    pen.fillStyle = color("--quiet");
    for (let column = view.from; column < view.to; column += 1) {
      const x = this.head + (column + 0.5) * this.cell - view.left;
      if (x > this.head) pen.fillText(of.columns[column], x, 24);
    }
    pen.textAlign = "left";
    pen.fillText(of.column, this.head, 9);
    pen.fillStyle = color("--paper");
    pen.fillRect(0, 16, this.head, this.top - 16);
    pen.fillStyle = color("--quiet");
    pen.textAlign = "right";
    for (let row = view.first; row < view.last; row += 1) {
      const y = this.top + (row + 0.5) * this.row - view.up;
      if (y > this.top) pen.fillText(of.rows[row], this.head - 7, y);
    }
    pen.fillText(of.row, this.head - 7, 24);
  }
};
