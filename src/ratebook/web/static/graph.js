// A cursor in the graph of ratings, by pointer and by keys; Enter opens the section.
"use strict";
const svg = document.querySelector("svg[data-graph]");
const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const curves = [...svg.querySelectorAll("[data-points]")].map((path) => {
  const { points, title, system, why } = path.dataset;
  const at = path.getAttribute("d").slice(1).split("L");
  return points.split(";").map((said, index) => {
    const [rating, day, section] = said.split("|");
    const [x, y] = at[index].split(",").map((place) => place / 10);
    const link = section && `${why}${section}?system=${system}`;
    return { x, y, link, text: `${title} ${rating}, ${dates.format(new Date(day))}` };
  });
});
const set = (one, said) => Object.entries(said).forEach(([name, value]) => one.setAttribute(name, value));
const spoken = svg.parentNode.querySelector("[data-spoken]");
const cursor = svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
cursor.innerHTML = "<line y2='100%'/><circle r='6'/><text dy='-8'/>";
const [line, dot, label] = cursor.children;
let curve = 0, place = curves[0].length - 1;
const here = () => curves[curve][place];
const near = (of, x) =>
  curves[of].reduce((best, one, at, all) => (Math.abs(one.x - x) <= Math.abs(all[best].x - x) ? at : best), 0);
const hide = () => set(cursor, { display: "none" });
const show = () => {
  const { x, y, text } = here(), side = x < 33 ? 0 : x > 67 ? 2 : 1;
  set(cursor, { display: "inline" });
  set(line, { x1: `${x}%`, x2: `${x}%` });
  set(dot, { cx: `${x}%`, cy: `${y}%` });
  set(label, { x: `${x}%`, "text-anchor": ["start", "middle", "end"][side] });
  label.textContent = text;
};
const open = () => here().link && location.assign(here().link);
const along = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
const across = { ArrowUp: curves.length - 1, ArrowDown: 1 };
const go = (key) => {
  const { x } = here();
  curve = (curve + (across[key] || 0)) % curves.length;
  place = along[key] ? Math.max(0, Math.min(curves[curve].length - 1, place + along[key])) : near(curve, x);
};
const speak = () => (show(), (spoken.textContent = here().text));
const on = (name, does) => svg.addEventListener(name, does);
set(svg, { tabindex: 0, role: "application" });
set(cursor, { class: "cursor", "aria-hidden": true, "pointer-events": "none" });
hide();
on("focus", () => svg.matches(":focus-visible") && speak());
on("blur", hide);
on("pointerleave", hide);
on("keydown", (event) => {
  const { key } = event;
  if (key === "Enter") open();
  if (event.altKey || event.ctrlKey || event.metaKey || !(key in along || key in across)) return;
  event.preventDefault();
  go(key);
  speak();
});
on("pointermove", (event) => {
  const box = svg.getBoundingClientRect();
  const x = (100 * (event.x - box.x)) / box.width, y = (100 * (event.y - box.y)) / box.height;
  const away = (of) => Math.abs(curves[of][near(of, x)].y - y);
  curve = curves.reduce((best, _, of) => (away(of) < away(best) ? of : best), 0);
  place = near(curve, x);
  show();
});
on("click", (event) => event.pointerType === "mouse" && !event.target.closest("a") && open());
