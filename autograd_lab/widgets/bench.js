// A bench in the browser: inputs, questions, and what was computed for the inputs. Outputs that came along are shown
// at once; others are asked from the kernel. `prompt` and `lines` are the scripts joined in front (bench_widget.py).

const PATIENCE = 4000; // milliseconds without an answer until one says so
const SILENT = "No answer from the kernel yet. It may be busy. If it was stopped, run this cell again.";
let serials = Math.floor(Math.random() * 1e9); // each widget of a page has its own script: ids must differ between them

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

// Inputs ----------------------------------------------------------------------------------------------

function input(field, value, changed) {
  if (field.kind === "order") return lines.orderField(field, value, changed, { make, focusable });
  const id = `ab-${(serials += 1)}`;
  const row = make("div", "ab-field");
  row.dataset.field = field.name;
  if (field.kind === "numbers") return numbers(row, field, value, changed, id);
  const label = make("label", "ab-label", field.label);
  label.htmlFor = id;
  row.append(label);
  const kinds = { number, slider, choice };
  return kinds[field.kind](row, field, value, changed, id);
}

function number(row, field, value, changed, id) {
  const made = textBox(id, value, changed);
  row.append(made);
  return { element: row, show: (next) => (made.value = String(next)) };
}

function numbers(row, field, value, changed, id) {
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", field.label);
  row.append(make("span", "ab-label", field.label));
  let held = [...value];
  const boxes = value.map((entry, i) => {
    const box = textBox(`${id}-${i}`, entry, (next) => {
      held = held.map((old, j) => (j === i ? next : old));
      changed(held);
    });
    box.setAttribute("aria-label", `${field.label}, entry ${i}`);
    row.append(box);
    return box;
  });
  const show = (next) => {
    held = [...next];
    boxes.forEach((box, i) => (box.value = String(next[i])));
  };
  return { element: row, show };
}

function textBox(id, value, changed) {
  const box = focusable(make("input", "ab-box"));
  Object.assign(box, { id, type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  box.value = String(value);
  let last = box.value;
  const settle = () => {
    if (box.value === last) return;
    const [read] = box.value.trim() ? prompt.numbersIn(box.value) : [];
    box.setAttribute("aria-invalid", String(read === undefined));
    box.title = read === undefined ? "No number that can be read. Examples: 12, -0.5, 1/3, 2e-3." : "";
    if (read === undefined) return;
    last = box.value;
    changed(read);
  };
  box.addEventListener("change", settle);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    settle();
  });
  return box;
}

function slider(row, field, value, changed, id) {
  const made = focusable(make("input", "ab-slider"));
  Object.assign(made, { id, type: "range", min: 0, max: field.options.length - 1, step: 1 });
  const shown = make("output", "ab-shown");
  const show = (place) => {
    made.value = String(place);
    shown.textContent = field.options[place];
    made.setAttribute("aria-valuetext", field.options[place]);
  };
  made.oninput = () => {
    show(Number(made.value));
    changed(Number(made.value));
  };
  show(value);
  row.append(made, shown);
  return { element: row, show };
}

function choice(row, field, value, changed, id) {
  const made = focusable(make("select", "ab-choice"));
  made.id = id;
  for (const option of field.options) made.append(new Option(option, option));
  made.value = value;
  made.onchange = () => changed(made.value);
  row.append(made);
  return { element: row, show: (next) => (made.value = next) };
}

// Small parts -----------------------------------------------------------------------------------------

function table(block) {
  const made = make("table", "ab-table");
  if (block.caption) made.append(withCode(make("caption", ""), block.caption));
  const row = (cells, tag) => {
    const tr = make("tr", "");
    cells.forEach((cell, i) => {
      const part = withCode(make(tag === "td" && i === 0 ? "th" : tag, ""), cell);
      if (part.tagName === "TH") part.scope = tag === "th" ? "col" : "row";
      tr.append(part);
    });
    return tr;
  };
  if (block.head.some(Boolean)) {
    const head = make("thead", "");
    head.append(row(block.head, "th"));
    made.append(head);
  }
  const body = make("tbody", "");
  body.append(...block.rows.map((cells) => row(cells, "td")));
  made.append(body);
  return made;
}

// Wide tables scroll by themselves; a phone's page does not.
function scrolled(element) {
  const around = make("div", "ab-scroll");
  around.append(element);
  return around;
}

function button(text, className, onclick) {
  const made = focusable(make("button", `ab-button ${className}`, text));
  made.type = "button";
  made.onclick = () => made.getAttribute("aria-disabled") !== "true" && onclick();
  return made;
}

function make(tag, className, text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

// JupyterLab acts on keys before a widget sees them, unless the focused element itself says otherwise.
function focusable(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  return element;
}

// Text with `code` in it.
function withCode(element, text) {
  text.split("`").forEach((part, i) => element.append(i % 2 ? make("code", "", part) : part));
  return element;
}

export default { render };
