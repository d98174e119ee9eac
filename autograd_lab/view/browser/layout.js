// What is on the page, from top to bottom: buttons, strip, drawing, the step in words and formulas, tools.

import { scoreBar } from "./answers.js";
import { placeDrawing } from "./drawing.js";
import { button, focusable, make } from "./elements.js";
import { inputsPanel } from "./inputs.js";
import { stripOf } from "./lines.js";
import { lookingPanel } from "./looking.js";

export function build(walk) {
  const { model, frames } = walk;
  const root = focusable(make("div", "al-stepper"));
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", model.get("label"));
  root.dataset.steps = frames.length - 1;
  const bar = make("div", "al-bar");
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Walk through the steps");
  const buttons = {
    start: button("« Start", "First step (Home)", () => walk.go(0)),
    back: button("‹ Back", "Previous step (Left arrow or P)", () => walk.go(walk.at - 1)),
    next: button("Next ›", "Next step (Right arrow, Space or N)", () => walk.go(walk.at + 1)),
    end: button("End »", "Last step (End)", () => walk.go(frames.length - 1)),
  };
  buttons.next.classList.add("al-main");
  const count = make("span", "al-count");
  const phase = make("span", "al-phase");
  bar.append(...Object.values(buttons), count, phase);
  const strip = stripOf(walk);
  const drawing = placeDrawing(model.get("svg"), model.get("prefix"));
  const panel = make("div", "al-panel");
  const title = make("div", "al-title");
  const say = make("p", "al-say");
  say.setAttribute("role", "status");
  say.setAttribute("aria-live", "polite");
  const lines = make("div", "al-lines");
  const questions = make("div", "al-questions");
  panel.append(title, say, questions, lines);
  const { bar: scores, score } = scoreBar(walk);
  const tools = make("div", "al-tools");
  const looking = lookingPanel(walk);
  const inputs = inputsPanel(walk);
  tools.append(looking.panel, inputs.panel);
  const keys = make("p", "al-keys", "Keys: → or Space next, ← back, Home first, End last");
  const live = make("p", "al-live");
  live.setAttribute("aria-live", "polite");
  root.append(bar, strip, drawing.stage, panel, ...(walk.book.asks.size ? [scores] : []), tools, keys, live);
  const bare = { root, ...buttons, count, phase, strip, title, say, lines, questions, score, inputs, looking, live };
  return { ...bare, ...drawing };
}
