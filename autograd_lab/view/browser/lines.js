// The lines of a step: what is said, the formulas with and without numbers, and the strip of all steps.

import { MARKS } from "./answers.js";
import { focusable, make, reachable } from "./elements.js";

const LONG = 60; // a longer walk has a slider instead of a cell for each step

export function paintLines(walk) {
  const { lines } = walk.view;
  lines.replaceChildren();
  for (const line of walk.frames[walk.at].lines) {
    const row = make("div", "al-line");
    const value = make("span", "al-math");
    const brief = line.brief && !walk.book.opened(line.ask);
    value.innerHTML = walk.reveal(brief ? line.brief : line.math);
    for (const part of value.querySelectorAll("[data-ask]")) {
      if (!walk.book.isOpen(part.dataset.ask)) continue;
      part.innerHTML = "<mo>?</mo>";
      part.classList.add("al-open");
    }
    row.classList.toggle("is-opened", Boolean(line.brief) && !brief && walk.book.isOpen(line.ask));
    row.append(make("span", "al-label", line.label), value);
    lines.append(row);
  }
  cancelAnimationFrame(lines.measuring);
  lines.measuring = requestAnimationFrame(() => {
    for (const math of lines.querySelectorAll(".al-math")) reachable(math, "A formula, which scrolls");
  });
}

// One cell for each step, or, in a long walk, a slider.
export function stripOf(walk) {
  const { frames } = walk;
  if (frames.length > LONG) {
    const slider = focusable(make("input", "al-scrub"));
    Object.assign(slider, { type: "range", min: 0, max: frames.length - 1, step: 1, value: 0 });
    slider.setAttribute("aria-label", "Step");
    slider.addEventListener("input", () => walk.go(Number(slider.value)));
    return slider;
  }
  const strip = make("div", "al-strip");
  strip.setAttribute("aria-hidden", "true"); // the count and the score say the same in words
  frames.forEach((frame, i) => {
    const cell = make("span", "al-cell");
    Object.assign(cell.dataset, { to: i, phase: frame.phase });
    cell.title = frame.title;
    strip.append(cell);
  });
  strip.onclick = (event) => {
    const cell = event.target.closest("[data-to]");
    if (cell) walk.go(Number(cell.dataset.to));
  };
  return strip;
}

export function paintStrip(walk) {
  const { strip } = walk.view;
  if (strip.tagName === "INPUT") {
    strip.value = walk.at;
    strip.setAttribute("aria-valuetext", `${walk.at} of ${walk.frames.length - 1}: ${walk.frames[walk.at].title}`);
    return;
  }
  walk.frames.forEach((frame, i) => {
    const cell = strip.children[i];
    const states = frame.ask.map((ask) => walk.book.state(ask.id));
    const worst = ["wrong", "trying", "not answered", "open", "right"].find((state) => states.includes(state));
    const mark = worst ? MARKS[worst] : "";
    if (cell.textContent !== mark) cell.textContent = mark;
    cell.classList.toggle("is-now", i === walk.at);
    cell.classList.toggle("is-past", i < walk.at);
  });
}
