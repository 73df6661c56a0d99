// Beside a report that is typed: offers members while a name is typed, and keeps whoever types signed in.
"use strict";
const EVERY = 5 * 60 * 1000;
let asked = Date.now();
for (const form of document.querySelectorAll("form.typed")) {
  form.addEventListener("input", () => {
    if (Date.now() - asked < EVERY) return;
    asked = Date.now();
    fetch("/director");
  });
}
for (const input of document.querySelectorAll("input[data-players]")) {
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    const typed = input.value.trim();
    if (typed.length < 3 || typed.includes(";")) return;
    waiting = setTimeout(async () => {
      const answer = await fetch(`${input.dataset.players}?limit=8&q=${encodeURIComponent(typed)}`);
      if (!answer.ok || input.value.trim() !== typed) return;
      const found = (await answer.json()).items;
      input.list.replaceChildren(...found.map((one) => {
        const option = document.createElement("option");
        option.value = one.id;
        option.textContent = [one.name, one.state].filter(Boolean).join(", ");
        return option;
      }));
    }, 200);
  });
}
