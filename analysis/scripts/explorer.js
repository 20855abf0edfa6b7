// The explorer: search, two maps composed, and pasted layouts. Its whole state is in the address.
"use strict";

/** Everything that can be looked for: [kind, title, words, page, operands of an instruction]. */
lanemap.index = [];
/** The planner's answers, by "FROM|TO". */
lanemap.plans = new Map();

lanemap.explorer = (() => {
  const MOST = 60;
  /** What readers mostly look for comes first; rows of evidence come last. */
  const WEIGHTS = { instruction: 3, hazard: 3, row: -3 };
  const FIELDS = ["q", "a", "b", "layout", "against", "shape"];
  const root = () => document.body.dataset.root;

  /** Entries that have every word, those with all of them in the title first. */
  function search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const scored = [];
    for (const entry of lanemap.index) {
      const title = entry[1].toLowerCase();
      const all = `${entry[0]} ${title} ${entry[2].toLowerCase()}`;
      if (!words.every((word) => all.includes(word))) continue;
      const inTitle = words.filter((word) => title.includes(word)).length;
      const starts = title.startsWith(words[0]) ? 1 : 0;
      const weight = (WEIGHTS[entry[0]] ?? 1) + inTitle * 4 + starts * 2 - title.length / 200;
      scored.push([weight, entry]);
    }
    return scored.toSorted((a, b) => b[0] - a[0]).map(([, entry]) => entry);
  }

  /** The slug and operand that a name means, or the sentence that says why none. */
  function operandOf(name) {
    const text = name.trim();
    const known = lanemap.index.filter(([kind]) => kind === "instruction");
    for (const [, title, , page, operands] of known) {
      for (const operand of operands) {
        const whole = operand ? `${title}:${operand}` : title;
        if (text === whole || (text === title && operands.length === 1)) {
          return { slug: /([^/]+)\.html$/.exec(page)[1], operand, name: whole };
        }
      }
    }
    const own = known.find(([, title]) => title === text);
    if (own) throw new lanemap.layouts.Wrong(`${text} has several operands: ${own[4].map((each) => `${text}:${each}`).join(", ")}`);
    throw new lanemap.layouts.Wrong(`there is no instruction ${text}; choose one that the list offers`);
  }

  const loading = new Map();

  /** Load a script of the site once. Pages that are opened as files may fetch nothing else. */
  function load(place) {
    if (!loading.has(place)) {
      loading.set(place, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = root() + place;
        script.onload = resolve;
        script.onerror = () => reject(new lanemap.layouts.Wrong(`${place} cannot be read`));
        document.head.append(script);
      }));
    }
    return loading.get(place);
  }

  /** The map of an operand, and the plans that its page shows. */
  async function mapOf(name) {
    const found = operandOf(name);
    await load(`v/${found.slug}.js`);
    const data = lanemap.instructions.get(found.slug)[found.operand];
    const map = await lanemap.maps.unpack(data);
    return { map, plans: data.plans, page: `v/${found.slug}.html` };
  }

  const byId = (id) => document.getElementById(id);

  /** Show both sides of a map below a heading of its own. */
  function show(box, map, before = []) {
    const section = byId("pair").content.cloneNode(true).firstElementChild;
    box.replaceChildren(...before.map(paragraph), section);
    return new lanemap.Pair(section, map);
  }

  function paragraph(text) {
    const found = document.createElement("p");
    found.textContent = text;
    return found;
  }

  function say(box, text, wrong = false) {
    const found = paragraph(text);
    found.className = wrong ? "note wrong" : "note";
    box.replaceChildren(found);
  }

  function showSearch({ q }) {
    const box = byId("found");
    const found = search(q);
    byId("count").textContent = q ? `${found.length} found${found.length > MOST ? `, the first ${MOST} shown` : ""}` : "";
    box.replaceChildren(...found.slice(0, MOST).map(([kind, title, words, page]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = root() + page;
      link.textContent = title;
      const tag = document.createElement("span");
      tag.className = "tag";
      tag.textContent = kind;
      const rest = document.createElement("span");
      rest.className = "quiet";
      rest.textContent = ` ${words}`;
      item.append(tag, " ", link, rest);
      return item;
    }));
  }

  async function showComposed({ a, b }) {
    const box = byId("composed");
    if (!a) return box.replaceChildren();
    const one = await mapOf(a);
    if (!b) return show(box, one.map);
    const two = await mapOf(b);
    const { middle, ...through } = lanemap.compare.composed(one.map, two.map);
    const map = lanemap.compare.drawn(`${one.map.name} with ${two.map.name}`, through);
    return show(box, map, [`Through ${middle}, as far as both reach.`, ...planned(one, two)]);
  }

  /** What the planner says of two places, in sentences. */
  function planned(one, two) {
    const said = [];
    for (const [from, to] of [[one, two], [two, one]]) {
      for (const plan of from.plans ?? []) {
        if (!plan.variants.includes(to.map.name)) continue;
        const count = `${plan.issues} ${plan.verb}${plan.issues === 1 ? "" : "s"} of a warp`;
        said.push(`Planner: ${from.map.name} fits ${to.map.name} in ${count} of shape ${plan.shape}, ${plan.registers} registers of a thread.`);
      }
      const lines = lanemap.plans.get(`${from.map.name}|${to.map.name}`);
      if (lines) said.push(`Planner, from ${from.map.name} to ${to.map.name}: ${lines.join("; ")}`);
    }
    return said;
  }

  async function showPasted({ layout, against, shape }) {
    const box = byId("pasted");
    const answer = byId("verdict");
    answer.replaceChildren();
    if (!layout) return box.replaceChildren();
    const sizes = /^(\d+)x(\d+)$/.exec(shape ?? "");
    const pasted = lanemap.layouts.read(layout, sizes ? [Number(sizes[1]), Number(sizes[2])] : null);
    if (!against) return show(box, lanemap.compare.drawn("your layout", pasted.map));
    const { map, page } = await mapOf(against);
    const found = lanemap.compare.hold(map, pasted);
    answer.replaceChildren(...found.sentences.map(paragraph));
    answer.className = found.agrees ? "note agrees" : "note wrong";
    answer.append(link(page, `the page of ${map.name}`));
    return show(box, lanemap.compare.drawn("your layout", pasted.map));
  }

  function link(page, text) {
    const found = document.createElement("a");
    found.href = root() + page;
    found.textContent = text;
    return found;
  }

  function stateOf() {
    const given = new URLSearchParams(location.search);
    return Object.fromEntries(FIELDS.map((name) => [name, given.get(name) ?? ""]));
  }

  /** Show a state, part by part; a sentence stands where a part cannot be shown. */
  async function update(state) {
    showSearch(state);
    for (const [id, part] of [["composed", showComposed], ["pasted", showPasted]]) {
      try {
        await part(state);
      } catch (error) {
        if (!(error instanceof lanemap.layouts.Wrong)) throw error;
        say(byId(id), error.message, true);
      }
    }
    document.body.dataset.ready = JSON.stringify(state);
  }

  /** Take the fields' values into the address, and show them. */
  function changed() {
    const state = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value.trim()]));
    const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
    history.replaceState(null, "", `?${query}${location.hash}`);
    return update(state);
  }

  function begin() {
    const state = stateOf();
    for (const name of FIELDS) byId(name).value = state[name];
    const names = lanemap.index.filter(([kind]) => kind === "instruction").flatMap(([, title, , , operands]) =>
      operands.map((operand) => (operand ? `${title}:${operand}` : title)));
    byId("names").replaceChildren(...names.map((name) => new Option(name)));
    byId("q").addEventListener("input", changed);
    for (const form of document.querySelectorAll("main form")) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        changed();
      });
    }
    for (const example of document.querySelectorAll("button[data-state]")) {
      example.addEventListener("click", () => {
        for (const [name, value] of new URLSearchParams(example.dataset.state)) byId(name).value = value;
        changed();
      });
    }
    return update(state);
  }

  addEventListener("DOMContentLoaded", () => { if (byId("explorer")) begin(); });
  return { search, mapOf };
})();
