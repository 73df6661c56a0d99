// Keys of the office: j and k go through the rows of a list, Enter opens one, x chooses one, letters do what a page offers, ? says which.
const rows = [...document.querySelectorAll("main :is(tbody tr, .rows li)")].filter((row) => row.querySelector("a"));
const keys = {
  ...(rows.length && { j: "next row", k: "previous row", Enter: "open the row" }),
  ...(rows.some((row) => row.querySelector("[type=checkbox]")) && { x: "choose the row" }),
};
const offered = [...document.querySelectorAll("[data-key]")];
let at = -1;

function here() {
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  return focused < 0 ? at : focused;
}

function go(by) {
  if (!rows.length) return;
  at = Math.max(0, Math.min(rows.length - 1, here() + by));
  rows[at].querySelector("a").focus();
}

function help() {
  let dialog = document.querySelector("dialog.keys");
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "keys card";
    dialog.append(Object.assign(document.createElement("h2"), { textContent: "Keys" }));
    const list = dialog.appendChild(document.createElement("dl"));
    const said = { ...keys, ...Object.fromEntries(offered.map((one) => [one.dataset.key, (one.querySelector("summary") ?? one).textContent.trim()])), "?": "this help" };
    for (const [key, words] of Object.entries(said)) {
      const line = list.appendChild(document.createElement("div"));
      line.append(Object.assign(document.createElement("dt"), { textContent: key }), Object.assign(document.createElement("dd"), { textContent: words }));
    }
    list.className = "figures";
    const close = dialog.appendChild(Object.assign(document.createElement("button"), { textContent: "Close" }));
    close.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
  }
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog[open]")) return;
  const target = offered.find((one) => one.dataset.key === event.key);
  if (event.key === "j") go(1);
  else if (event.key === "k") go(-1);
  else if (event.key === "x" && here() >= 0) rows[here()].querySelector("input[type=checkbox]")?.click();
  else if (event.key === "?") help();
  else if (target && target.matches("details")) { target.open = true; target.querySelector("input:not([type=hidden]), textarea, button")?.focus(); }
  else if (target) target.click();
  else return;
  event.preventDefault();
});
