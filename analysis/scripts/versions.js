// Switches between the faulty and the fixed version of an exhibit; the address keeps the choice.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const versions = document.querySelector(".versions");
  const buttons = [...document.querySelectorAll("button[data-version]")];
  if (!versions || !buttons.length) return;

  function show(version) {
    versions.className = `versions ${version}`;
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.version === version);
    for (const section of versions.children) section.hidden = version !== "both" && section.id !== version;
  }

  const asked = () => {
    const version = location.hash.slice(1);
    show(buttons.some((each) => each.dataset.version === version) ? version : "faulty");
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      history.replaceState(null, "", `#${button.dataset.version}`);
      show(button.dataset.version);
    });
  }
  addEventListener("hashchange", asked);
  asked();
});
