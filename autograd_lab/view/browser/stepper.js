// The walk in the browser: one drawing, a list of frames made by frames.py, no kernel and no network to step. A frame
// says what is active, which texts change, and what to say; everything on screen at frame i is the sum of frames 0 to
// i, so walking back is the same work as walking on. Only a changed input asks the kernel. script.py joins the files.

import { bookOf, scoreOf } from "./answers.js";
import { paintDrawing } from "./drawing.js";
import { HIDDEN, historyOf } from "./history.js";
import { paintInputs } from "./inputs.js";
import { kernelOf } from "./kernel.js";
import { build } from "./layout.js";
import { paintLines, paintStrip } from "./lines.js";
import { paintLooking } from "./looking.js";
import { paintQuestions } from "./questions.js";

const MOVES = { ArrowRight: 1, " ": 1, n: 1, N: 1, ArrowLeft: -1, p: -1, P: -1, Home: -Infinity, End: Infinity };

export function render({ model, el }) {
  const walk = { model, at: -1, book: bookOf(model), kernel: kernelOf(model) };
  const show = (text) => text.replace(HIDDEN, (_, ask, number) => (walk.book.isOpen(ask) ? "?" : number));
  walk.reveal = (text) => (text.includes("⟦") ? show(text) : text);
  walk.announce = (text) => (walk.view.live.textContent = text);
  takeFrames(walk);
  walk.view = build(walk);
  walk.go = (to) => go(walk, to);
  walk.look = (key) => {
    walk.view.looking.key = key;
    paintLooking(walk);
  };
  walk.answered = (ask) => {
    remember(walk);
    paint(walk, walk.at, walk.history.hiding.get(ask.id) || []);
  };
  walk.askAgain = () => {
    walk.book.forget();
    remember(walk);
    paint(walk, -1);
    walk.announce("Every question is open again.");
  };
  el.append(walk.view.root);
  listen(walk);
  go(walk, model.get("step") || 0);
  return follow(walk);
}

function takeFrames(walk) {
  walk.frames = walk.model.get("frames");
  walk.history = historyOf(walk.frames);
  walk.book.asks = new Map(walk.frames.flatMap((frame) => frame.ask).map((ask) => [ask.id, ask]));
}

function go(walk, to) {
  to = Math.max(0, Math.min(walk.frames.length - 1, to));
  const from = walk.at;
  const passed = walk.frames.slice(Math.max(from, 0), to).flatMap((frame) => frame.ask);
  const settled = passed.filter((ask) => walk.book.pass(ask));
  walk.at = to;
  remember(walk);
  paint(walk, from, settled.flatMap((ask) => [...(walk.history.hiding.get(ask.id) || [])]));
}

function remember({ model, at, book }) {
  model.set("step", at);
  if (book.changed) model.set("answers", (book.sent = { ...book.states }));
  book.changed = false;
  model.save_changes();
}

// `from` is the step that is on the page now, -1 where everything may have changed; `more` are further fields.
function paint(walk, from, more = []) {
  const { view, at, frames } = walk;
  const frame = frames[at];
  view.root.dataset.step = at;
  view.root.dataset.phase = frame.phase;
  view.count.textContent = `Step ${at} of ${frames.length - 1}`;
  view.phase.textContent = frame.phase;
  view.title.textContent = frame.title;
  const said = walk.reveal(frame.say);
  if (view.say.textContent !== said) view.say.textContent = said;
  paintDrawing(walk, from, at, more);
  paintLines(walk);
  paintQuestions(walk);
  paintStrip(walk);
  if (walk.book.asks.size) view.score.textContent = scoreOf(walk.book);
  if (view.looking.key) paintLooking(walk);
  const [first, last] = [at === 0, at === frames.length - 1];
  for (const [button, off] of [[view.start, first], [view.back, first], [view.next, last], [view.end, last]]) {
    button.setAttribute("aria-disabled", String(off)); // not `disabled`: that would drop the focus
  }
}

function listen(walk) {
  const { root, stage, questions } = walk.view;
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".al-tools")) return;
    const typing = event.target.matches("input[type=text]") && event.target.value !== ""; // an empty box lets keys walk
    const pressing = event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter");
    if (typing || pressing) return; // a box gets its own keys; a button is pressed by Space
    if (event.key in MOVES) {
      event.preventDefault();
      event.stopPropagation();
      go(walk, walk.at + MOVES[event.key]);
    } else if (!event.target.matches("input") && /^[-+.,0-9]$/.test(event.key)) {
      questions.querySelector("input")?.focus(); // typing a number answers the open question
    }
  });
  stage.addEventListener("click", (event) => {
    const box = event.target.closest("g.node[data-key]");
    if (box) walk.look(box.dataset.key);
  });
}

// The kernel may move the walk and send new numbers; another view of the same widget may answer.
function follow(walk) {
  const { model } = walk;
  const stepped = () => model.get("step") !== walk.at && go(walk, model.get("step"));
  const numbers = () => {
    takeFrames(walk);
    walk.at = Math.min(walk.at, walk.frames.length - 1);
    walk.view.say.setAttribute("aria-live", "off"); // a slider would be read aloud at every place
    paint(walk, -1);
    requestAnimationFrame(() => walk.view.say.setAttribute("aria-live", "polite"));
  };
  const answers = () => {
    if (model.get("answers") === walk.book.sent) return;
    walk.book.states = { ...model.get("answers") };
    paint(walk, -1);
  };
  const inputs = () => {
    paintInputs(walk, walk.view.inputs);
    if (walk.view.looking.key) paintLooking(walk);
  };
  const heard = { step: stepped, frames: numbers, answers, inputs };
  for (const [name, act] of Object.entries(heard)) model.on(`change:${name}`, act);
  return () => {
    for (const [name, act] of Object.entries(heard)) model.off(`change:${name}`, act);
    walk.kernel.close();
  };
}

export default { render };
