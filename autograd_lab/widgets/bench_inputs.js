// The inputs of a bench, tables, and small parts of a page. Joined in front of bench.js, which uses them.

let serials = Math.floor(Math.random() * 1e9); // each widget of a page has its own script: ids must differ between them

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
