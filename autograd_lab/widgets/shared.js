// What every widget's script begins with: small parts of a page, and what a typed answer means.

import { near, numbersIn } from "../view/browser/numbers.js";

const MARKS = { open: "", right: "✓", wrong: "✗", shown: "–" };
const DONE = ["right", "shown"];

function make(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) withCode(made, text);
  return made;
}

// Text with `code` in it.
function withCode(element, text) {
  element.textContent = "";
  String(text)
    .split("`")
    .forEach((part, i) => {
      if (i % 2) element.append(Object.assign(document.createElement("code"), { textContent: part }));
      else element.append(part);
    });
  return element;
}

function button(text, onclick, className = "") {
  const made = focusable(make("button", `aw-button ${className}`.trim(), text));
  made.type = "button";
  made.onclick = onclick;
  return made;
}

// JupyterLab acts on keys before a widget sees them, unless the focused element itself says otherwise.
function focusable(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  return element;
}

function liveRegion(className) {
  const made = make("div", className);
  made.setAttribute("role", "status");
  made.setAttribute("aria-live", "polite");
  return made;
}

function frame(el, data, className) {
  const root = make("section", `aw-root ${className}`);
  root.setAttribute("aria-label", data.heading);
  root.append(make("p", "aw-heading", data.heading), make("p", "aw-intro", data.intro));
  el.append(root);
  return root;
}

// What a typed answer means ----------------------------------------------------------------------------

const CALL = /^(?:torch\.)?tensor\((.*?)(?:,\s*(?:dtype|grad_fn|requires_grad|device)=.*)?\)$/s;

// Whether what was typed is this answer: numbers by their value, words by their letters.
function same(typed, answer) {
  const wanted = listOf(answer);
  if (!wanted) return wordOf(typed) === wordOf(answer);
  const plain = unwrapped(typed);
  const readings = [...numbersIn(plain).map((number) => [number]), listOf(plain) || []];
  return readings.some((list) => list.length === wanted.length && list.every((n, i) => near(n, wanted[i])));
}

function listOf(text) {
  const parts = unwrapped(text)
    .replace(/[−–]/g, "-")
    .replace(/[[\](),;]/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  const isNumber = (part) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(part);
  return parts.length && parts.every(isNumber) ? parts.map(Number) : null;
}

function unwrapped(text) {
  const inner = CALL.exec(text.trim());
  return inner ? inner[1].trim() : text.trim();
}

function wordOf(text) {
  return text.replace(/[\s"'`]+/g, "").toLowerCase();
}
