// The walk in the browser: one drawing, a list of frames made by frames.py, no kernel and no network.
// A frame says what is active, which texts change, and what to say; everything on screen at frame i is
// the sum of frames 0..i, so walking back is the same work as walking on. stepper.css gives the looks.

const HIDDEN = /⟦([^|⟧]*)\|([^⟧]*)⟧/g; // a number that a question hides: ⟦question|number⟧
const VERDICTS = { right: "✓", wrong: "✗", "not answered": "–", open: "?" };
let drawings = 0; // each view gets ids of its own, so that two views of one drawing do not share them

export function render({ model, el }) {
  const frames = model.get("frames");
  const view = build(el, model, frames);
  const answers = { ...(model.get("answers") || {}) }; // question -> { state, typed }
  const cleanup = [];
  let at = -1;

  const stateOf = (ask) => answers[ask.id]?.state || "open";
  const reveal = (text) => text.replace(HIDDEN, (_, ask, number) => (isOpen(ask) ? "?" : number));
  const asks = new Map(frames.flatMap((frame) => frame.ask).map((ask) => [ask.id, ask]));
  const isOpen = (id) => asks.has(id) && !answers[id];

  function go(to) {
    to = Math.max(0, Math.min(frames.length - 1, to));
    for (let i = Math.max(at, 0); i < to; i++) {
      for (const ask of frames[i].ask) answers[ask.id] ||= { state: "not answered", typed: "" };
    }
    at = to;
    remember();
    draw();
  }

  function remember() {
    model.set("step", at);
    model.set("answers", { ...answers });
    model.save_changes();
  }

  function draw() {
    const frame = frames[at];
    view.root.dataset.step = at;
    view.root.dataset.phase = frame.phase;
    view.count.textContent = `Step ${at} of ${frames.length - 1}`;
    view.phase.textContent = frame.phase;
    view.title.textContent = frame.title;
    view.say.textContent = reveal(frame.say);
    paintDrawing(view, frames, at, reveal);
    paintLines(view.lines, frame.lines, reveal, isOpen);
    paintQuestions(frame.ask);
    paintStrip(view, frames, at, stateOf);
    paintScore();
    const first = at === 0;
    const last = at === frames.length - 1;
    for (const [button, off] of [[view.start, first], [view.back, first], [view.next, last], [view.end, last]]) {
      button.setAttribute("aria-disabled", String(off)); // not `disabled`: that would drop the focus
    }
  }

  function paintQuestions(questions) {
    view.questions.replaceChildren();
    for (const ask of questions) view.questions.append(question(ask));
  }

  function question(ask) {
    const form = make("form", "al-ask");
    form.dataset.ask = ask.id;
    const state = (form.dataset.state = stateOf(ask));
    const label = make("label", "al-prompt", ask.prompt);
    const verdict = make("span", "al-verdict");
    verdict.setAttribute("role", "status");
    form.append(label);
    if (state === "open") {
      const input = focusable(make("input", "al-input"));
      Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
      input.setAttribute("aria-label", ask.prompt);
      label.append(input);
      const answer = () => {
        const readings = numbersIn(input.value);
        if (!input.value.trim()) verdict.textContent = "Type a number first, or choose Show me.";
        else if (!readings.length) {
          verdict.textContent = `“${input.value.trim()}” is no number I can read. Examples: 12, -0.5, 1/3, 2e-3.`;
        } else settle(ask, readings.some((n) => close(n, ask.answer)) ? "right" : "wrong", input.value.trim());
      };
      const check = button("Check", "Check the answer", answer);
      const show = button("Show me", "Show the number; counts as not answered", () =>
        settle(ask, "not answered", ""),
      );
      form.append(check, show, verdict);
      form.addEventListener("submit", (event) => event.preventDefault());
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return; // JupyterLab lets no key submit a form, so Enter is heard here
        event.preventDefault();
        answer();
      });
    } else {
      const typed = answers[ask.id].typed;
      verdict.textContent = {
        right: `${VERDICTS.right} right: ${ask.shown}`,
        wrong: `${VERDICTS.wrong} wrong: you typed ${typed}, it is ${ask.shown}`,
        "not answered": `${VERDICTS["not answered"]} not answered: it is ${ask.shown}`,
      }[state];
      form.append(verdict);
    }
    return form;
  }

  function settle(ask, state, typed) {
    answers[ask.id] = { state, typed };
    remember();
    draw();
    const waiting = view.questions.querySelector("input");
    (waiting || view.root).focus({ preventScroll: true }); // the walk's keys work again at once
  }

  function paintScore() {
    if (!asks.size) return;
    const count = (state) => [...asks.values()].filter((ask) => stateOf(ask) === state).length;
    const [right, wrong, none] = ["right", "wrong", "not answered"].map(count);
    view.score.textContent =
      `Predictions: ${right} right ✓, ${wrong} wrong ✗, ${none} not answered –, ${count("open")} to come, of ${asks.size}.`;
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target.tagName === "INPUT") return;
    const typing = event.target.tagName === "INPUT" && event.target.value !== ""; // an empty box lets keys walk
    const pressing = event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter");
    if (typing || pressing) return; // a box gets its own keys; a button is pressed by Space
    const moves = { ArrowRight: 1, " ": 1, n: 1, N: 1, ArrowLeft: -1, p: -1, P: -1, Home: -Infinity, End: Infinity };
    if (event.key in moves) {
      event.preventDefault();
      event.stopPropagation();
      go(at + moves[event.key]);
    } else if (event.target.tagName !== "INPUT" && /^[-+.,0-9]$/.test(event.key)) {
      view.questions.querySelector("input")?.focus(); // typing a number answers the open question
    }
  }

  view.start.onclick = () => go(0);
  view.back.onclick = () => go(at - 1);
  view.next.onclick = () => go(at + 1);
  view.end.onclick = () => go(frames.length - 1);
  view.strip.onclick = (event) => {
    const cell = event.target.closest("[data-to]");
    if (cell) go(Number(cell.dataset.to));
  };
  view.root.addEventListener("keydown", onKey);
  const follow = () => model.get("step") !== at && go(model.get("step"));
  model.on("change:step", follow);
  cleanup.push(() => model.off("change:step", follow));
  go(model.get("step") || 0);
  return () => cleanup.forEach((undo) => undo());
}

// What is on the page -----------------------------------------------------------------------------

function build(el, model, frames) {
  const root = focusable(make("div", "al-stepper"));
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", model.get("label"));
  root.dataset.steps = frames.length - 1;
  const bar = make("div", "al-bar");
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Walk through the steps");
  const buttons = {
    start: button("« Start", "First step (Home)"),
    back: button("‹ Back", "Previous step (Left arrow or P)"),
    next: button("Next ›", "Next step (Right arrow, Space or N)"),
    end: button("End »", "Last step (End)"),
  };
  buttons.next.classList.add("al-main");
  const count = make("span", "al-count");
  const phase = make("span", "al-phase");
  bar.append(...Object.values(buttons), count, phase);
  const strip = make("div", "al-strip");
  strip.setAttribute("aria-hidden", "true"); // the count and the summary line say the same in words
  const drawing = make("div", "al-drawing");
  drawing.innerHTML = ownIds(model.get("svg"), model.get("prefix"));
  for (const part of drawing.querySelectorAll("[tabindex], a")) focusable(part);
  fitWidth(drawing.querySelector("svg"));
  const panel = make("div", "al-panel");
  const title = make("div", "al-title");
  const say = make("p", "al-say");
  say.setAttribute("role", "status");
  say.setAttribute("aria-live", "polite");
  const lines = make("div", "al-lines");
  const questions = make("div", "al-questions");
  const score = make("p", "al-score");
  score.setAttribute("role", "status");
  const keys = make("p", "al-keys", "Keys: → or Space next, ← back, Home first, End last");
  panel.append(title, say, questions, lines);
  root.append(bar, strip, drawing, panel, score, keys);
  el.append(root);
  return { root, ...buttons, count, phase, strip, drawing, title, say, lines, questions, score, ...parts(drawing) };
}

function make(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(text, label, onclick = null) {
  const made = focusable(make("button", "al-button", text));
  made.type = "button";
  made.title = label;
  made.onclick = onclick;
  return made;
}

// JupyterLab acts on keys before a widget sees them, unless the focused element itself says otherwise.
function focusable(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  return element;
}

function ownIds(svg, prefix) {
  drawings += 1;
  return prefix ? svg.replaceAll(`${prefix}-`, `${prefix}s${drawings}-`) : svg;
}

// As wide as the page, but never so small that it cannot be read: then the drawing scrolls.
function fitWidth(svg) {
  const natural = svg?.viewBox?.baseVal?.width;
  if (!natural) return;
  svg.removeAttribute("height");
  Object.assign(svg.style, { width: "100%", maxWidth: `${natural}px`, minWidth: `${Math.round(0.75 * natural)}px` });
}

// Nodes and edges by their short key ("n3", "e1-3-0") and text fields by "n3.value".
function parts(drawing) {
  const groups = new Map();
  const fields = new Map();
  for (const group of drawing.querySelectorAll("g[id]")) {
    const key = /-((?:n|e|m)\d[\d-]*)$/.exec(group.id)?.[1];
    if (!key) continue;
    groups.set(key, group);
    for (const text of group.querySelectorAll("[data-field]")) {
      const quiet = text.classList.contains("ag-quiet"); // "None" and "not kept" are drawn in a quiet colour
      fields.set(`${key}.${text.dataset.field}`, { text, drawn: text.textContent, quiet });
    }
  }
  return { groups, fields };
}

// What one frame looks like -----------------------------------------------------------------------

const STATES = ["is-ahead", "is-active", "is-done", "is-accumulating", "is-skipped"];

function paintDrawing(view, frames, at, reveal) {
  const texts = new Map();
  const states = new Map();
  const changed = new Set(Object.keys(frames[at].set));
  for (let i = 0; i <= at; i++) {
    for (const [key, text] of Object.entries(frames[i].set)) texts.set(key, text);
    for (const [key, state] of Object.entries(frames[i].mark)) states.set(key, state);
  }
  const now = new Set([...frames[at].active, ...frames[at].edges]);
  for (const [key, { text, drawn, quiet }] of view.fields) {
    const wanted = texts.has(key) ? reveal(texts.get(key)) : drawn;
    if (text.textContent !== wanted) text.textContent = wanted;
    text.classList.toggle("is-changed", at > 0 && changed.has(key));
    text.classList.toggle("ag-quiet", quiet && wanted === drawn);
  }
  for (const [key, group] of view.groups) {
    const state = now.has(key) ? (frames[at].kind === "accumulate" ? "is-accumulating" : "is-active") : states.get(key);
    for (const name of STATES) group.classList.toggle(name, name === state);
  }
  const first = view.groups.get(frames[at].active[0]);
  if (first && view.drawing.scrollWidth > view.drawing.clientWidth) {
    const box = first.getBoundingClientRect();
    const frame = view.drawing.getBoundingClientRect();
    view.drawing.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
  }
}

function paintLines(place, lines, reveal, isOpen) {
  place.replaceChildren();
  for (const { label, math } of lines) {
    const row = make("div", "al-line");
    const value = make("span", "al-math");
    value.innerHTML = reveal(math);
    for (const part of value.querySelectorAll("[data-ask]")) {
      if (!isOpen(part.dataset.ask)) continue;
      part.innerHTML = "<mo>?</mo>";
      part.classList.add("al-open");
    }
    row.append(make("span", "al-label", label), value);
    place.append(row);
  }
}

function paintStrip(view, frames, at, stateOf) {
  if (frames.length > 60) return;
  while (view.strip.children.length < frames.length) {
    const cell = make("span", "al-cell");
    cell.dataset.to = view.strip.children.length;
    cell.dataset.phase = frames[view.strip.children.length].phase;
    cell.title = frames[view.strip.children.length].title;
    view.strip.append(cell);
  }
  frames.forEach((frame, i) => {
    const cell = view.strip.children[i];
    const states = frame.ask.map(stateOf);
    const worst = ["wrong", "not answered", "open", "right"].find((state) => states.includes(state));
    cell.textContent = worst ? VERDICTS[worst] : "";
    cell.classList.toggle("is-now", i === at);
    cell.classList.toggle("is-past", i < at);
  });
}

// What a typed answer means -----------------------------------------------------------------------

// Every number the text may mean: "1/3", "0,5", "1,000" (one or a thousand), "2e-3".
export function numbersIn(text) {
  const halves = text.replace(/[−–]/g, "-").replace(/\s+/g, "").split("/");
  if (halves.length > 2) return [];
  const [above, below] = halves.map(readings);
  if (halves.length === 1) return above;
  return above.flatMap((a) => below.filter((b) => b !== 0).map((b) => a / b));
}

function readings(text) {
  const forms = new Set();
  const separators = text.replace(/[^.,]/g, "");
  if (!separators.includes(",")) forms.add(text);
  else if (separators.includes(".")) {
    const decimal = separators.at(-1); // the last one is the decimal sign, the other one groups thousands
    forms.add(text.replaceAll(decimal === "," ? "." : ",", "").replace(",", "."));
  } else {
    if (separators.length === 1) forms.add(text.replace(",", "."));
    if (/^[-+]?\d{1,3}(,\d{3})+$/.test(text)) forms.add(text.replaceAll(",", ""));
  }
  return [...forms].filter((form) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(form)).map(Number);
}

export function close(typed, answer) {
  return Math.abs(typed - answer) <= Math.max(1e-3 * Math.abs(answer), 1e-9);
}

export default { render };
