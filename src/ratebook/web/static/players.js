// While a player's name is typed, offers the members who may be meant; without it, the form finds them when it is sent.
"use strict";
for (const input of document.querySelectorAll("input[data-players]")) {
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    const typed = input.value.trim();
    if (typed.length < 3 || typed.includes(";")) return;
    waiting = setTimeout(async () => {
      const answer = await fetch(`${input.dataset.players}?limit=8&q=${encodeURIComponent(typed)}`);
      if (!answer.ok || !input.value.includes(typed)) return;
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
