// The page of an instruction: each operand as a picture of both sides, which light up together.
"use strict";

lanemap.Pair = class {
  /**
   * Both sides of a map in a section of a page. The section has elements of the classes `here`,
   * `there`, `cell` (a form with one input) and `answer`.
   */
  constructor(section, map, told = () => {}) {
    const { label, palette } = lanemap.maps;
    this.map = map;
    this.told = told;
    this.answer = section.querySelector(".answer");
    const shades = palette(map.colors);
    const paint = (place) => (map.color[place] < 0 ? null : shades[map.color[place]]);
    const from = (place) => map.back.get(place) ?? [];
    this.here = new lanemap.Picture(section.querySelector(".here"), map.here, {
      title: `${map.name} by ${map.here.row} and ${map.here.column}`,
      label: (place) => label(map.there, map.to[place]),
      color: paint,
      chosen: (place, press) => this.choose("here", place, press),
    });
    this.there = new lanemap.Picture(section.querySelector(".there"), map.there, {
      title: `${map.name} by ${map.there.row} and ${map.there.column}`,
      label: (place) => (from(place).length ? label(map.here, from(place)[0]) : ""),
      color: (place) => (from(place).length ? paint(from(place)[0]) : null),
      chosen: (place, press) => this.choose("there", place, press),
    });
    section.querySelector(".cell")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(event.target.querySelector("input").value);
    });
    this.here.draw();
    this.there.draw();
  }

  /** Choose a place of one side; the places that it stands for light up on the other. */
  choose(side, place, press = true) {
    const { map } = this;
    const { words } = lanemap.maps;
    const others = side === "here" ? [map.to[place]].filter((each) => each >= 0) : map.back.get(place) ?? [];
    const [one, two] = side === "here" ? [this.here, this.there] : [this.there, this.here];
    one.mark([place], false);
    if (press) one.choose(place);
    two.cursor = -1;
    two.mark(others);
    const named = others.map((each) => words(side === "here" ? map.there : map.here, each));
    const own = words(side === "here" ? map.here : map.there, place);
    this.answer.textContent = `${own}: ${named.join("; ") || "nothing"}`;
    if (press) this.told(own);
  }

  /** Choose the place that words name, on whichever side has it. */
  ask(text) {
    for (const side of ["here", "there"]) {
      const place = lanemap.maps.find(this.map[side], text);
      if (place >= 0) {
        this.choose(side, place);
        return true;
      }
    }
    const example = lanemap.maps.words(this.map.there, 0);
    this.answer.textContent = `${text} names no cell here; write one as ${example}`;
    return false;
  }
};

/** Data of an instruction's maps, which `v/<slug>.js` calls. */
lanemap.instructions = new Map();
lanemap.instruction = (slug, data) => lanemap.instructions.set(slug, data);

/** The state of a page in its address, after "#", as in "#A:thread=3,register=1". */
lanemap.state = {
  read() {
    const [operand, cell] = decodeURIComponent(location.hash.slice(1)).split(/:(?=[^:]*$)/);
    return { operand, cell: (cell ?? "").replaceAll("=", " ").replaceAll(",", ", ") };
  },
  write(operand, cell) {
    history.replaceState(null, "", `#${operand}:${cell.replaceAll(", ", ",").replaceAll(" ", "=")}`);
  },
};

addEventListener("DOMContentLoaded", async () => {
  const page = document.querySelector("[data-instruction]");
  if (!page) return;
  const data = lanemap.instructions.get(page.dataset.instruction);
  const pairs = new Map();
  for (const section of page.querySelectorAll("section[data-operand]")) {
    const { operand } = section.dataset;
    const map = await lanemap.maps.unpack(data[operand]);
    pairs.set(section.id, new lanemap.Pair(section, map, (cell) => lanemap.state.write(section.id, cell)));
  }
  const show = () => {
    const { operand, cell } = lanemap.state.read();
    if (!pairs.has(operand) || !cell) return;
    document.getElementById(operand).scrollIntoView({ block: "nearest" });
    pairs.get(operand).ask(cell);
  };
  addEventListener("hashchange", show);
  show();
  page.dataset.ready = "yes";
});
