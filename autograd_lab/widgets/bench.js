// A bench in the browser: inputs, questions, and what was computed for the inputs. Outputs that came along are shown
// at once; others are asked from the kernel. Joined in front (bench_widget.py) are
// the questions, as `prompt`, the lines to put in order, as `lines`, and bench_inputs.js.

const PATIENCE = 4000; // milliseconds without an answer until one says so
const SILENT = "No answer from the kernel yet. It may be busy. If it was stopped, run this cell again.";

function render({ model, el }) {
  const view = build(el, model);
  const inputs = {};
  const opened = new Set(); // tables that were opened stay open when numbers change
  let draft = { ...model.get("values") };
  let serial = (serials += 1) * 1e4;
  let waiting = null;
  let output = model.get("output");
  let asked = "";
  let stopped = false;

  for (const field of model.get("fields")) {
    inputs[field.name] = input(field, draft[field.name], (value) => {
      draft = { ...draft, [field.name]: value };
      if (!field.waits) send("");
      else view.say.textContent = "Changed. Press the button to see what it does.";
    });
    view.inputs.append(inputs[field.name].element);
  }
  for (const [action, label] of model.get("buttons")) {
    const made = button(label, "", () => {
      stopped = action === "stop";
      if (!stopped) send(action);
      else paint();
    });
    made.dataset.action = action;
    view.bar.append(made);
  }

  // What came along for these inputs, if anything did.
  function known() {
    const found = model.get("ready")[JSON.stringify(model.get("fields").map((field) => draft[field.name]))];
    const part = (place) => model.get("parts")[place];
    return found && { ...found, blocks: found.blocks.map(part), questions: found.questions.map(part) };
  }

  function send(action) {
    const quick = known();
    model.set("values", { ...draft });
    model.set("request", { values: { ...draft }, action: quick ? "quiet" : action, serial: (serial += 1) });
    model.save_changes();
    clearTimeout(waiting);
    if (quick) {
      output = quick;
      paint();
    } else waiting = setTimeout(() => (view.say.textContent = SILENT), PATIENCE);
  }

  function heard() {
    output = model.get("output");
    if (output.serial === serial) clearTimeout(waiting);
    paint();
    if (running() && output.serial === serial) send("more");
  }

  function running() {
    return output.progress !== null && output.progress < 1 && !stopped;
  }

  function paint() {
    const ids = JSON.stringify(output.questions);
    if (ids !== asked) {
      asked = ids;
      view.questions.replaceChildren();
      if (output.questions.length) prompt.render({ model: questionsOf(model, output), el: view.questions });
    }
    view.say.textContent = output.said;
    const busy = running();
    view.bar.querySelectorAll("button").forEach((made) => {
      const off = made.dataset.action === "stop" ? !busy : busy;
      made.setAttribute("aria-disabled", String(off)); // not `disabled`: that would drop the focus
    });
    view.meter.hidden = output.progress === null;
    view.meter.value = output.progress ?? 0;
    view.blocks.replaceChildren(...output.blocks.map(element));
    view.ask.parentElement.hidden = !output.questions.length;
  }

  function element(block, place) {
    const states = model.get("states");
    const open = (id) => ["open", "wrong"].includes((states[id] || { state: "open" }).state);
    const closed = model.get("ask") ? block.hides.filter(open) : [];
    if (block.until?.length && !(model.get("ask") && block.until.some(open))) return "";
    if (closed.length) {
      const labels = output.questions.filter((question) => closed.includes(question.id)).map((q) => q.label);
      return make("p", "ab-hidden", `? Shown after your answer to: ${labels.join(", ")}`);
    }
    if (block.kind === "text") {
      const text = make("p", "ab-text");
      if (block.tone) text.dataset.tone = block.tone;
      return withCode(text, block.text);
    }
    if (block.kind === "table") return scrolled(table(block));
    const figure = make("figure", "ab-figure");
    const drawing = make("div", "ab-drawing");
    drawing.innerHTML = block.svg;
    drawing.firstChild.setAttribute("aria-label", block.alt);
    const details = make("details", "");
    details.open = opened.has(place);
    details.ontoggle = () => (details.open ? opened.add(place) : opened.delete(place));
    details.append(focusable(make("summary", "", "As a table")), scrolled(table(block.table)));
    figure.append(drawing, make("figcaption", "", block.alt), details);
    return figure;
  }

  view.ask.checked = model.get("ask");
  view.ask.onchange = () => {
    model.set("ask", view.ask.checked);
    model.save_changes();
  };
  const follow = () => {
    const values = model.get("values");
    for (const field of model.get("fields")) {
      if (JSON.stringify(values[field.name]) === JSON.stringify(draft[field.name])) continue;
      draft = { ...draft, [field.name]: values[field.name] };
      inputs[field.name].show(values[field.name]);
      output = known() || output;
    }
    paint();
  };
  const listeners = { output: heard, states: paint, ask: paint, values: follow };
  for (const [name, listener] of Object.entries(listeners)) model.on(`change:${name}`, listener);
  paint();
  return () => {
    clearTimeout(waiting);
    stopped = true;
    for (const [name, listener] of Object.entries(listeners)) model.off(`change:${name}`, listener);
  };
}

function build(el, model) {
  const root = make("section", "ab-root");
  root.setAttribute("aria-label", model.get("heading"));
  const view = { root };
  const part = (name, tag, className) => (view[name] = make(tag, className));
  root.append(make("p", "ab-heading", model.get("heading")));
  if (model.get("intro")) root.append(withCode(make("p", "ab-intro"), model.get("intro")));
  root.append(part("inputs", "div", "ab-inputs"), part("bar", "div", "ab-bar"), part("meter", "progress", "ab-meter"));
  const label = make("label", "ab-ask");
  label.append(focusable(part("ask", "input", "")), "Ask before showing");
  view.ask.type = "checkbox";
  view.meter.setAttribute("aria-label", "Progress");
  root.append(part("questions", "div", "ab-questions"), label, part("say", "p", "ab-say"), part("blocks", "div", "ab-blocks"));
  view.say.setAttribute("role", "status");
  view.say.setAttribute("aria-live", "polite");
  el.append(root);
  return view;
}

// The questions of an output, as the course's own script expects them.
function questionsOf(model, output) {
  const values = { kind: "questions", heading: "Predict", questions: output.questions };
  return {
    get: (name) => (name === "states" ? model.get("states") : values[name]),
    set: (name, value) => model.set(name, value),
    save_changes: () => model.save_changes(),
    on: (name, listener) => model.on(name, listener),
    off: (name, listener) => model.off(name, listener),
  };
}

export default { render };
