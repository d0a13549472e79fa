/**
 * The script of a report: filters the decisions, marks the edges of a file, and opens the file that a link leads to. Without it the page
 * shows everything.
 *
 * It reads the text of the page and makes no markup.
 */
export const SCRIPT = `
"use strict";
document.documentElement.classList.add("js");
const all = (query) => Array.from(document.querySelectorAll(query));
const [words, stage, state, count] = ["words", "stage", "state", "count"].map((id) => document.getElementById(id));
const rows = all("#decisions tbody tr").map((row) => ({ row, text: row.textContent.toLowerCase(), stage: row.dataset.stage, state: row.dataset.state }));
let waiting = 0;
function filter() {
  waiting = 0;
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const one of rows) {
    const fits = (stage.value === "" || one.stage === stage.value) && (state.value === "" || one.state === state.value)
      && wanted.every((word) => one.text.includes(word));
    if (one.row.hidden === fits) one.row.hidden = !fits;
    if (fits) shown += 1;
  }
  count.textContent = shown + " of " + rows.length + " decisions";
}
if (words !== null) for (const field of [words, stage, state])
  field.addEventListener("input", () => { if (waiting === 0) waiting = requestAnimationFrame(filter); });
if (words !== null) words.form.addEventListener("submit", (event) => event.preventDefault());
const nodes = all(".node");
const edges = all(".edge");
function mark(node) {
  const id = node === null ? null : node.dataset.id;
  const near = new Set([id]);
  for (const edge of edges) {
    const on = id !== null && (edge.dataset.from === id || edge.dataset.to === id);
    edge.classList.toggle("on", on);
    if (on) { near.add(edge.dataset.from); near.add(edge.dataset.to); }
  }
  for (const one of nodes) {
    one.classList.toggle("on", one.dataset.id === id);
    one.classList.toggle("dim", id !== null && !near.has(one.dataset.id));
  }
}
for (const node of nodes) {
  node.addEventListener("focus", () => mark(node));
  node.addEventListener("mouseenter", () => mark(node));
  node.addEventListener("blur", () => mark(null));
  node.addEventListener("mouseleave", () => mark(null));
}
function openFile(hash) {
  const found = document.getElementById(hash.slice(1));
  if (found instanceof HTMLDetailsElement) found.open = true;
}
openFile(location.hash);
addEventListener("hashchange", () => openFile(location.hash));
for (const node of nodes) node.addEventListener("click", () => openFile(node.getAttribute("href")));
addEventListener("beforeprint", () => { for (const one of all("details.file")) one.open = true; });
`;
