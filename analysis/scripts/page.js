// What every page has: dark or light, and buttons that copy a text.
"use strict";

const lanemap = {};

(() => {
  const KEY = "lanemap.theme";
  const root = document.documentElement;

  /** The stored choice; "" where the reader follows the system, or may store nothing. */
  function stored() {
    try {
      return localStorage.getItem(KEY) || "";
    } catch {
      return "";
    }
  }

  function isDark() {
    const system = matchMedia("(prefers-color-scheme: dark)").matches;
    return (root.dataset.theme || (system ? "dark" : "light")) === "dark";
  }

  function choose(theme) {
    root.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice then lasts as long as the page.
    }
    document.dispatchEvent(new CustomEvent("theme"));
  }

  /** Copy the text of the element that a button names, and say so on the button. */
  async function copy(button) {
    const text = document.getElementById(button.dataset.copy).textContent;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(document.getElementById(button.dataset.copy));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "selected: press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  // Before anything is drawn, so that a dark page does not flash.
  if (stored()) root.dataset.theme = stored();
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => choose(isDark() ? "light" : "dark"));
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-copy]");
      if (button) copy(button);
    });
    // "/" goes to the search, as on many sites of documentation.
    document.addEventListener("keydown", (event) => {
      const typing = /INPUT|TEXTAREA|SELECT/.test(event.target.tagName);
      const search = document.querySelector("input[type=search]");
      if (event.key === "/" && !typing && search) {
        event.preventDefault();
        search.focus();
      }
    });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    document.dispatchEvent(new CustomEvent("theme"));
  });

  lanemap.isDark = isDark;
})();
