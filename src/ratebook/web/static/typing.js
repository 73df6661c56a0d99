// Beside a report that is typed: keeps each field when it is left, moves with arrows and Enter, and offers members.
"use strict";
const WAIT = 5000;
for (const form of document.querySelectorAll("form.typed")) {
  const state = form.querySelector(".state");
  const fields = () => [...form.elements].filter((field) => field.name && field.type !== "hidden" && field.name !== "do" && field.name !== "who");
  const seen = () => new URLSearchParams(form.elements.seen.value);
  const held = (field) => (field.type === "checkbox" ? (field.checked ? field.value : "") : field.value);
  const changed = () => { const before = seen(); return fields().filter((field) => held(field) !== (before.get(field.name) ?? "")); };
  const note = (names) => { const all = seen(); for (const [name, text] of names) all.set(name, text); form.elements.seen.value = all; };
  const say = (text) => { state.textContent = text; };
  const row = (name) => name.split("-")[0];
  let saving = false, leaving = false, later = 0;

  async function keep() {
    if (saving || leaving) return;
    const sent = changed().map((field) => [field.name, held(field)]);
    if (!sent.length) return;
    saving = true;
    const rows = new Set(sent.map(([name]) => row(name)));
    const before = [...seen()].filter(([name]) => rows.has(row(name)) || name.endsWith("-seat"));
    const body = new URLSearchParams([...sent, ["csrf", form.elements.csrf.value], ["owner", form.elements.owner.value], ["seen", new URLSearchParams(before)], ["do", "keep"]]);
    let again = false;
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" }, keepalive: String(body).length < 6e4 });
      if (answer.status === 401) { leaving = true; form.submit(); return; }
      if (!answer.ok) throw new Error(answer.status);
      take(sent, await answer.json());
      again = changed().some((field) => field !== document.activeElement);
    } catch {
      say("Not saved yet; it is tried again.");
      clearTimeout(later);
      later = setTimeout(keep, WAIT);
    } finally { saving = false; }
    if (again) keep();
  }

  function take(sent, reply) {
    const before = seen();
    note(sent);
    for (const [name, text] of Object.entries(reply.fields)) {
      const field = form.elements[name];
      const typed = sent.find(([own]) => own === name);
      if (field && held(field) === (typed ? typed[1] : before.get(name) ?? "")) field.value = text;
      if (field) showName(field);
      field?.closest(".beside")?.toggleAttribute("hidden", /^\D?[1-9]\d*[wb]?$/i.test(field.value));
    }
    note(Object.entries(reply.fields));
    const problems = document.getElementById("problems");
    if (problems) {
      problems.innerHTML = reply.said;
      form.querySelector(".count").textContent = problems.querySelector(".counted")?.textContent.replace(":", "") ?? "";
      for (const field of fields()) {
        const wrong = document.getElementById(`${field.id}-wrong`);
        field.toggleAttribute("aria-invalid", Boolean(wrong));
        if (wrong) { field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", wrong.id); }
      }
    }
    if (reply.address) { form.action = reply.address; history.replaceState(null, "", reply.address); }
    say("Saved.");
  }

  function showName(field) {
    if (!("names" in field.dataset)) return;
    const option = [...field.list.options].find((one) => one.value === field.value.trim());
    field.parentElement.querySelector(".who").textContent = option ? option.textContent : "";
  }

  form.addEventListener("change", (event) => { showName(event.target); keep(); });
  form.addEventListener("submit", () => { leaving = true; });
  addEventListener("pageshow", () => { leaving = false; });
  addEventListener("beforeunload", (event) => { if (!leaving && changed().length && !saving) event.preventDefault(); });

  const STEPS = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };
  form.addEventListener("keydown", (event) => {
    const field = event.target, cell = field.closest?.(".entry td");
    if (!cell || field.tagName !== "INPUT" || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = cell.cellIndex, rows = [...cell.closest("tbody").rows], here = rows.indexOf(cell.parentElement);
    let to;
    if (event.key in STEPS) to = rows[here + (event.shiftKey ? -1 : STEPS[event.key])]?.cells[at] ?? (event.key === "Enter" && rows[0].cells[at + 1]);
    else if (event.key === "ArrowLeft" && field.selectionEnd === 0) to = cell.previousElementSibling;
    else if (event.key === "ArrowRight" && field.selectionStart === field.value.length) to = cell.nextElementSibling;
    else return;
    const next = to && to.querySelector("input");
    if (event.key === "Enter" || next) event.preventDefault();
    if (next) { next.focus(); next.select(); } else if (event.key === "Enter") { field.blur(); field.focus(); }
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
