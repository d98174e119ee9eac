// Predict before reveal: a question takes a number, a miss says what it would have been the answer to, a second one
// opens the formula with the learner's own numbers, a third shows the answer.

import { MARKS, MISSES, OPENS } from "./answers.js";
import { button, make, numberBox, onEnter } from "./elements.js";
import { almost, near, numbersIn } from "./numbers.js";

export function paintQuestions(walk) {
  walk.view.questions.replaceChildren(...walk.frames[walk.at].ask.map((ask) => question(walk, ask)));
}

function question(walk, ask) {
  const form = make("form", "al-ask");
  const state = walk.book.of(ask.id);
  form.dataset.ask = ask.id;
  form.dataset.state = walk.book.state(ask.id);
  const label = make("label", "al-prompt", ask.prompt);
  const verdict = make("p", "al-verdict", walk.book.isOpen(ask.id) ? missText(state) : verdictText(ask, state));
  form.append(label);
  if (walk.book.isOpen(ask.id)) {
    const box = numberBox(ask.prompt);
    box.value = state?.typed.at(-1) || "";
    label.append(box);
    const answer = () => judge(walk, ask, box, verdict);
    const show = () => settle(walk, ask, { ...state, state: state ? "wrong" : "not answered" });
    form.append(
      button("Check", "Check the answer", answer),
      button("Show me", "Show the number; counts as not answered", show),
    );
    form.addEventListener("submit", (event) => event.preventDefault());
    onEnter(box, answer);
  }
  form.append(verdict);
  return form;
}

function missText(state) {
  if (!state) return "";
  const next = state.tries >= OPENS ? "The formula with your numbers is open below." : "Try again.";
  return `${MARKS.wrong} ${state.typed.at(-1)} is not it. ${state.reason} ${next}`;
}

function verdictText(ask, { state, tries, typed }) {
  const again = tries > 1 ? ` at try ${tries}` : "";
  if (state === "right") return `${MARKS.right} right${again}: ${ask.shown}`;
  if (state === "wrong") return `${MARKS.wrong} wrong: you typed ${typed.join(", ")}, it is ${ask.shown}`;
  return `${MARKS["not answered"]} not answered: it is ${ask.shown}`;
}

function judge(walk, ask, box, verdict) {
  const typed = box.value.trim();
  const say = (text) => {
    verdict.textContent = text;
    walk.announce(text);
    box.focus();
  };
  if (!typed) return say("Type a number first, or choose Show me.");
  const readings = numbersIn(typed);
  const nothing = /^(none|nan)$/i.test(typed);
  if (!readings.length && !nothing) {
    return say(`“${typed}” is no number I can read. Examples: 12, -0.5, 1/3, 2e-3.`);
  }
  const before = walk.book.of(ask.id);
  const tries = (before?.tries || 0) + 1;
  const told = { tries, typed: [...(before?.typed || []), typed] };
  if (readings.some((number) => near(number, ask.answer))) {
    return settle(walk, ask, { ...told, state: "right", rule: before?.rule || "" });
  }
  const known = ask.wrong.find((wrong) => readings.some((number) => near(number, wrong.value)));
  if (!known && readings.some((number) => almost(number, ask.answer))) {
    return say(`${typed} is near, but not the number. Give it with four digits.`);
  }
  const none = { reason: "None means that no gradient arrived; here one does.", rule: "none.no-backward" };
  const { reason, rule } = nothing ? none : known || { reason: ask.otherwise, rule: "unknown" };
  settle(walk, ask, { ...told, state: tries < MISSES ? "trying" : "wrong", reason, rule });
}

function settle(walk, ask, state) {
  walk.book.put(ask, state);
  walk.answered(ask);
  const said = walk.view.questions.querySelector(`[data-ask="${ask.id}"] .al-verdict`);
  walk.announce(said.textContent);
  const waiting = [...walk.view.questions.querySelectorAll("form")].find((form) => form.querySelector("input"));
  const box = waiting?.querySelector("input");
  (box || walk.view.root).focus({ preventScroll: true }); // the walk's keys work again at once
  box?.select();
}
