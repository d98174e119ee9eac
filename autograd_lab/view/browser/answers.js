// What was answered. A state belongs to the number that was right then: where an input was changed since, the question
// is asked anew. {question: {state, tries, typed, answer, rule}}

import { button, download, make } from "./elements.js";

export const MARKS = { right: "✓", wrong: "✗", trying: "✗", "not answered": "–", open: "?" };
export const OPENS = 2; // at this miss the formula opens
export const MISSES = 3; // at this miss the number is shown

export function bookOf(model) {
  const book = { states: { ...(model.get("answers") || {}) }, asks: new Map(), changed: false };
  book.of = (id) => {
    const state = book.states[id];
    return state && book.asks.has(id) && state.answer === book.asks.get(id).answer ? state : null;
  };
  book.state = (id) => book.of(id)?.state || "open";
  book.isOpen = (id) => book.asks.has(id) && ["open", "trying"].includes(book.state(id));
  book.opened = (id) => !book.isOpen(id) || (book.of(id)?.tries || 0) >= OPENS;
  book.put = (ask, state) => {
    book.states[ask.id] = { tries: 0, typed: [], rule: "", ...state, answer: ask.answer };
    book.changed = true;
  };
  // The learner walks on: what was tried is wrong, what was not is not answered.
  book.pass = (ask) => {
    const state = book.of(ask.id);
    if (!state) book.put(ask, { state: "not answered" });
    else if (state.state === "trying") book.put(ask, { ...state, state: "wrong" });
    else return false;
    return true;
  };
  book.forget = () => {
    book.states = {};
    book.changed = true;
  };
  return book;
}

export function scoreOf(book) {
  const ids = [...book.asks.keys()];
  const count = (...states) => ids.filter((id) => states.includes(book.state(id))).length;
  return (
    `Predictions: ${count("right")} right ✓, ${count("wrong")} wrong ✗, ${count("not answered")} not answered –, ` +
    `${count("open", "trying")} to come, of ${ids.length}.`
  );
}

// Score, "ask again", and the answers as a file.
export function scoreBar(walk) {
  const bar = make("div", "al-scorebar");
  const score = make("p", "al-score");
  score.setAttribute("role", "status");
  const again = button("Ask again", "Forget the answers and ask every question again", () => walk.askAgain());
  const csv = button("Answers as CSV", "Save your answers as a table", () => save("csv", "text/csv", asTable));
  const json = button("Answers as JSON", "Save your answers as JSON", () => save("json", "application/json", asJson));
  const save = (ending, type, write) => download(`answers.${ending}`, type, write(rows(walk)));
  bar.append(score, again, csv, json);
  return { bar, score };
}

function rows(walk) {
  return walk.frames.flatMap((frame, step) =>
    frame.ask.map((ask) => {
      const { state = "not answered", tries = 0, typed = [], rule = "" } = walk.book.of(ask.id) || {};
      const told = state === "trying" ? "wrong" : state;
      return { step, question: ask.prompt, answer: ask.answer, typed, state: told, tries, belief: rule };
    }),
  );
}

function asJson(found) {
  return `${JSON.stringify(found, null, 1)}\n`;
}

function asTable(found) {
  const quoted = (value) => {
    const text = Array.isArray(value) ? value.join(" ") : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const heads = ["step", "question", "answer", "typed", "state", "tries", "belief"];
  return [heads, ...found.map((row) => heads.map((head) => row[head]))]
    .map((line) => `${line.map(quoted).join(",")}\n`)
    .join("");
}
