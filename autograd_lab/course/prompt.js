// Questions in a cell: type a number or choose, check at once, read why. Everything needed is in the model, so it
// works without the kernel; answers travel back in `states` and, within the page, to the lesson's summary.

import { near, numbersIn } from "../view/browser/numbers.js";

const WORDS = { open: "not answered", right: "right", wrong: "wrong, try again", shown: "shown" };
const MARKS = { open: "–", right: "✓", wrong: "✗", shown: "–" };
const ANSWERED = "autograd-lab-answered";
let serial = Math.floor(Math.random() * 1e9); // each widget has a script of its own: ids must differ between them

function initialize({ model }) {
  if (model.get("kind") !== "summary") return undefined;
  const hear = (event) => {
    const rows = model.get("questions");
    if (!rows.some((row) => row.id === event.detail.id)) return;
    model.set("states", { ...model.get("states"), [event.detail.id]: event.detail.state });
  };
  window.addEventListener(ANSWERED, hear);
  return () => window.removeEventListener(ANSWERED, hear);
}

function render({ model, el }) {
  const root = make("section", "aq-root");
  root.setAttribute("aria-label", model.get("heading"));
  root.dataset.kind = model.get("kind");
  el.append(root);
  const summary = model.get("kind") === "summary";
  const painted = new Map(); // id of a question: its state as painted
  const draw = () => (summary ? paintSummary(root, model) : paintQuestions(root, model, painted));
  model.on("change:states", draw);
  draw();
  return () => model.off("change:states", draw);
}

// Questions ---------------------------------------------------------------------------------------

function paintQuestions(root, model, painted) {
  const states = model.get("states");
  for (const question of model.get("questions")) {
    const state = states[question.id] || { state: "open", tries: 0 };
    const old = painted.get(question.id);
    if (old && JSON.stringify(old.state) === JSON.stringify(state)) continue;
    const form = card(question, state, (next) => settle(root, model, question, next));
    if (old) old.form.replaceWith(form);
    else root.append(form);
    painted.set(question.id, { state, form });
  }
}

function settle(root, model, question, state) {
  model.set("states", { ...model.get("states"), [question.id]: state }); // paints through change:states
  model.save_changes();
  window.dispatchEvent(new CustomEvent(ANSWERED, { detail: { id: question.id, state } }));
  const form = root.querySelector(`[data-question="${CSS.escape(question.id)}"]`);
  const next = form?.querySelector("input:checked, input[type=text], .aq-again");
  next?.focus({ preventScroll: true });
  if (next?.type === "text") next.select();
}

function card(question, state, settled) {
  const form = make("form", "aq-question");
  form.dataset.question = question.id;
  form.dataset.state = state.state;
  form.noValidate = true;
  const id = `aq-${(serial += 1)}`;
  const head = make("div", "aq-head");
  const text = make("p", "aq-text");
  text.id = id;
  withCode(text, question.text);
  const badge = make("span", "aq-badge", `${MARKS[state.state]} ${WORDS[state.state]}`);
  head.append(make("span", "aq-label", question.label), text, badge);
  const verdict = make("div", "aq-verdict");
  verdict.setAttribute("role", "status");
  verdict.setAttribute("aria-live", "polite");
  const settledAlready = state.state === "right" || state.state === "shown";
  const field = question.kind === "choice" ? choices(question, state, id, settledAlready) : number(state, id);
  form.append(head);
  if (question.kind === "choice" || !settledAlready) form.append(field);
  const bar = make("div", "aq-bar");
  if (settledAlready) {
    bar.append(button("Try again", "aq-again", () => settled({ state: "open", typed: "", tries: 0 })));
  } else {
    const check = button("Check", "aq-check");
    check.type = "submit";
    const show = () => settled({ state: "shown", typed: state.typed || "", tries: state.tries });
    bar.append(check, button("Show me", "aq-show", show));
  }
  if (settledAlready) form.append(verdict, bar);
  else {
    (question.kind === "choice" ? form : field).append(bar);
    form.append(verdict);
  }
  say(verdict, question, state);
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault(); // in JupyterLab the browser's own "Enter submits" does not happen
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (settledAlready) return;
    const [typed, found] = question.kind === "choice" ? judgeChoice(form, question) : judgeNumber(form, question);
    if (typed === null) verdict.textContent = found;
    else settled({ ...found, typed, tries: (state.tries || 0) + 1 });
  });
  return form;
}

function number(state, id) {
  const row = make("div", "aq-row");
  const input = focusable(make("input", "aq-input"));
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  input.value = state.state === "wrong" ? state.typed : "";
  input.setAttribute("aria-labelledby", id);
  row.append(input);
  return row;
}

function choices(question, state, id, closed) {
  const group = make("div", "aq-choices");
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-labelledby", id);
  question.choices.forEach((choice, place) => {
    const label = make("label", "aq-choice");
    const radio = focusable(make("input", "aq-radio"));
    Object.assign(radio, { type: "radio", name: id, value: String(place), disabled: closed });
    radio.checked = state.typed === choice.text;
    const text = make("span", "");
    withCode(text, choice.text);
    if (closed && choice.right) label.classList.add("is-right");
    label.append(radio, text);
    group.append(label);
  });
  return group;
}

function say(verdict, question, state) {
  verdict.replaceChildren();
  const line = (word, text) => {
    const part = make("p", "aq-line");
    if (word) part.append(make("strong", "", `${word} `));
    withCode(part, text, true);
    verdict.append(part);
  };
  const { typed } = state;
  if (state.state === "right") {
    line(`${MARKS.right} right${question.kind === "choice" ? "" : ":"}`, question.kind === "choice" ? "" : question.shown);
    line("", question.because);
  } else if (state.state === "shown") {
    line(`${MARKS.shown} the answer:`, question.shown);
    line("", question.because);
  } else if (state.state === "wrong") {
    line(`${MARKS.wrong} ${question.kind === "choice" ? "not quite:" : `${typed} is wrong:`}`, state.reason);
    if (state.tries > 1 && question.nudge) line("Look at:", question.nudge);
  }
}

function judgeChoice(form, question) {
  const chosen = form.querySelector("input:checked");
  if (!chosen) return [null, "Choose an answer first, or press Show me."];
  const choice = question.choices[Number(chosen.value)];
  if (choice.right) return [choice.text, { state: "right", rule: "" }];
  return [choice.text, { state: "wrong", rule: choice.rule || "", reason: choice.reason }];
}

function judgeNumber(form, question) {
  const typed = form.querySelector("input").value.trim();
  if (!typed) return [null, "Type a number first, or press Show me."];
  const readings = numbersIn(typed);
  if (!readings.length && /\d\s*\*?\s*[a-z]|[a-z]\s*[*+/^-]/i.test(typed)) {
    return [null, `“${typed}” is a formula. The question asks for a number: put the values in and work it out.`];
  }
  if (!readings.length) return [null, `“${typed}” is no number I can read. Examples: 12, -0.5, 1/3, 2e-3.`];
  if (readings.some((number) => near(number, question.answer))) return [typed, { state: "right", rule: "" }];
  const known = question.wrong.find((wrong) => readings.some((number) => near(number, wrong.value)));
  if (known) return [typed, { state: "wrong", rule: known.rule, reason: known.reason }];
  const isClose = (number) => Math.abs(number - question.answer) <= 0.03 * Math.abs(question.answer);
  if (question.close && readings.some(isClose)) return [typed, { state: "wrong", rule: "close", reason: question.close }];
  return [typed, { state: "wrong", rule: "other", reason: question.otherwise }];
}

// The summary: every question of the lesson with its state ---------------------------------------------

function paintSummary(root, model) {
  root.replaceChildren();
  const states = model.get("states");
  const rows = model.get("questions");
  const stateOf = (row) => (states[row.id] || { state: "open" }).state;
  const count = (state) => rows.filter((row) => stateOf(row) === state).length;
  const line = make("p", "aq-count");
  line.setAttribute("role", "status");
  line.textContent =
    `${rows.length} questions: ${count("right")} right ✓, ${count("wrong")} wrong ✗, ${count("shown")} shown, ` +
    `${count("open")} not answered`;
  const table = make("table", "aq-table");
  const body = make("tbody", "");
  for (const row of rows) {
    const tr = make("tr", "");
    tr.dataset.state = stateOf(row);
    const { tries } = states[row.id] || {};
    const again = stateOf(row) === "right" && tries > 1 ? ` at try ${tries}` : "";
    const state = make("td", "aq-state", `${MARKS[stateOf(row)]} ${WORDS[stateOf(row)].split(",")[0]}${again}`);
    const text = make("td", "");
    withCode(text, row.text);
    tr.append(make("td", "aq-of", row.label), text, state);
    body.append(tr);
  }
  table.append(body);
  root.append(line, table);
}

// Small parts -------------------------------------------------------------------------------------------

function make(tag, className, text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function button(text, className, onclick = null) {
  const made = focusable(make("button", `aq-button ${className}`, text));
  made.type = "button";
  made.onclick = onclick;
  return made;
}

// JupyterLab acts on keys before a widget sees them, unless the focused element itself says otherwise.
function focusable(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  return element;
}

// Text with `code` in it.
function withCode(element, text, keep = false) {
  if (!keep) element.textContent = "";
  text.split("`").forEach((part, i) => element.append(i % 2 ? make("code", "", part) : part));
}

export default { initialize, render };
