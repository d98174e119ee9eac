// The drawing under the walk: laid out once; a step changes classes and texts.

import { focusable, make, reachable } from "./elements.js";
import { latest, touched } from "./history.js";

const STATES = ["is-ahead", "is-active", "is-done", "is-accumulating", "is-skipped", "is-error"];
const ACTIVE = { accumulate: "is-accumulating", error: "is-error" }; // by the kind of the frame
const BESIDE = 6; // a text beside an edge has no box around it: it may grow by a few characters
let drawings = 0; // each view gets ids of its own, so that two views of one drawing do not share them

export function placeDrawing(svg, prefix) {
  drawings += 1;
  const stage = make("div", "al-drawing");
  stage.innerHTML = prefix ? svg.replaceAll(`${prefix}-`, `${prefix}s${drawings}-`) : svg;
  for (const part of stage.querySelectorAll("[tabindex], a")) focusable(part);
  fitWidth(stage.querySelector("svg"));
  new ResizeObserver(() => reachable(stage, "The drawing, which scrolls")).observe(stage);
  return { stage, ...parts(stage) };
}

// As wide as the page, but never so small that it cannot be read: then the drawing scrolls.
function fitWidth(svg) {
  const natural = svg?.viewBox?.baseVal?.width;
  if (!natural) return;
  svg.removeAttribute("height");
  Object.assign(svg.style, { width: "100%", maxWidth: `${natural}px`, minWidth: `${Math.round(0.75 * natural)}px` });
}

// Boxes and edges by their short key ("n3", "e1-3-0") and text fields by "n3.value".
function parts(stage) {
  const groups = new Map();
  const fields = new Map();
  for (const group of stage.querySelectorAll("g[id]")) {
    const key = /-((?:n|e|m)\d[\d-]*)$/.exec(group.id)?.[1];
    if (!key) continue;
    group.dataset.key = key;
    groups.set(key, group);
    for (const text of group.querySelectorAll("[data-field]")) {
      const quiet = text.classList.contains("ag-quiet"); // "None" and "not kept" are drawn in a quiet colour
      const room = (Number(text.dataset.room) || Infinity) + (key.startsWith("e") ? BESIDE : 0);
      fields.set(`${key}.${text.dataset.field}`, { text, drawn: text.textContent, quiet, room });
    }
  }
  return { groups, fields };
}

// From one step to another; `from` is -1 where everything may have changed. `more` names fields to look at as well.
export function paintDrawing(walk, from, at, more = []) {
  const { view, frames } = walk;
  const all = { fields: view.fields.keys(), groups: view.groups.keys() };
  const changes = from < 0 ? all : touched(frames, from, at);
  for (const key of changes.fields) paintField(walk, key, at);
  for (const key of from < 0 ? [] : more) paintField(walk, key, at);
  const now = new Set([...frames[at].active, ...frames[at].edges]);
  const active = ACTIVE[frames[at].kind] || "is-active";
  for (const key of changes.groups) {
    const states = walk.history.states.get(key);
    const state = now.has(key) ? active : latest(states, at);
    const classes = view.groups.get(key)?.classList;
    for (const name of classes ? STATES : []) classes.toggle(name, name === state);
    if (states?.some(({ value }) => value === "is-freed")) classes?.toggle("is-freed", state === "is-freed");
  }
  bringIntoView(view, view.groups.get(frames[at].active[0]));
}

function paintField(walk, key, at) {
  const field = walk.view.fields.get(key);
  if (!field) return;
  const text = latest(walk.history.texts.get(key), at);
  const wanted = text === undefined ? field.drawn : fitted(walk.reveal(text), field.room);
  if (field.text.textContent !== wanted) field.text.textContent = wanted;
  field.text.classList.toggle("is-changed", at > 0 && key in walk.frames[at].set);
  field.text.classList.toggle("ag-quiet", field.quiet && wanted === field.drawn);
}

// Boxes do not grow: a changed input may give a longer number than the box was made for.
function fitted(text, room) {
  return text.length <= room ? text : `${text.slice(0, Math.max(room - 1, 1))}…`;
}

// Scrolling waits for the next picture, so that a step does not wait for the layout.
function bringIntoView(view, group) {
  cancelAnimationFrame(view.scrolling);
  if (!group) return;
  view.scrolling = requestAnimationFrame(() => {
    if (view.stage.scrollWidth <= view.stage.clientWidth) return;
    const box = group.getBoundingClientRect();
    const frame = view.stage.getBoundingClientRect();
    view.stage.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
  });
}
