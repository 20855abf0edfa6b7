// The words that pasted layouts are cut into, and values nested in parentheses or fields.
// Nothing is evaluated: a text is cut into words, which small grammars read.
"use strict";

lanemap.words = (() => {
  const TOKEN = /\s+|\/\/[^\n]*|([A-Za-z_#][\w.:]*)|(-?\d+)|(->|[\s\S])/g;
  const CLOSING = { "(": ")", "[": "]", "{": "}", "<": ">" };

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

  return { Words, Wrong, CLOSING };
})();
