// A chosen box: what it is, its numbers at this step, and each cell of a matrix. The cells of an input can be edited.

import { focusable, make, numberBox, onEnter } from "./elements.js";
import { latest } from "./history.js";
import { change } from "./inputs.js";
import { numbersIn } from "./numbers.js";

const FIELDS = { value: "value", grad: ".grad", arrived: "gradient that arrived" };

export function lookingPanel(walk) {
  const panel = make("div", "al-look");
  const label = make("label", "al-name", "Look at");
  const choice = focusable(make("select", "al-choice"));
  choice.append(new Option("choose a box, here or in the drawing", ""));
  for (const box of walk.model.get("boxes")) choice.append(new Option(box.title, box.key));
  choice.addEventListener("change", () => walk.look(choice.value));
  label.append(choice);
  const details = make("div", "al-details");
  panel.append(label, details);
  return { panel, choice, details, key: "" };
}

export function paintLooking(walk) {
  const { looking, groups } = walk.view;
  const known = walk.model.get("boxes").find((box) => box.key === looking.key);
  groups.forEach((group, key) => group.classList.toggle("is-chosen", key === looking.key && Boolean(known)));
  looking.choice.value = known ? looking.key : "";
  keepingFocus(looking.details, () => {
    looking.details.replaceChildren();
    if (known) paintDetails(walk, looking, known);
  });
}

function paintDetails(walk, looking, known) {
  const list = make("dl", "al-facts");
  const row = (word, text) => {
    const told = make("dd", "", text);
    list.append(make("dt", "", word), told);
    return told;
  };
  for (const [word, text] of known.facts) row(word, text);
  const tables = make("div", "al-tables");
  looking.details.append(list, tables);
  const told = new Set(known.facts.map(([word]) => word));
  const input = walk.model.get("inputs").find((one) => one.key === looking.key && !one.fixed);
  for (const [field, word] of Object.entries(FIELDS).filter(([, name]) => !told.has(name))) {
    const cells = cellsOf(walk, `${looking.key}.${field}`);
    const text = cells ? "" : shownText(walk, `${looking.key}.${field}`);
    if (text && field === "value" && input?.texts.length === 1) row(word, "").append(cellBox(walk, input, 0));
    else if (text) row(word, text);
    else if (cells?.ask && walk.book.isOpen(cells.ask)) row(word, "hidden until you answer the question");
    else if (cells) tables.append(...tablesOf(walk, field === "value" ? input : null, word, cells));
  }
}

// Every element of what a box shows at this step, if it travelled: the first frame holds each tensor once.
function cellsOf(walk, key) {
  const kept = latest(walk.history.cells.get(key), walk.at);
  const { shape, values } = kept ? walk.frames[0].store[kept.at] : {};
  if (!values || !values.length) return null;
  return { shape, ask: kept.ask, texts: values.flat(Infinity).map((one) => (one === null ? "nan" : String(one))) };
}

function shownText(walk, key) {
  const field = walk.view.fields.get(key);
  if (!field) return "";
  const text = latest(walk.history.texts.get(key), walk.at);
  return text === undefined ? field.drawn : walk.reveal(text);
}

// One table for each matrix; a vector is one row, and more dimensions are several matrices.
function tablesOf(walk, input, word, { shape, texts }) {
  const [rows, columns] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]];
  const tables = [];
  for (let start = 0; start < texts.length; start += rows * columns) {
    const table = make("table", "al-matrix");
    const where = placeOf(start, shape).slice(0, -2);
    table.append(make("caption", "", where.length ? `${word}[${where.join(", ")}]` : word));
    const head = make("tr");
    head.append(make("td"), ...Array.from({ length: columns }, (_, j) => heading(j, "col")));
    table.append(head);
    for (let i = 0; i < rows; i++) {
      const row = make("tr");
      row.append(shape.length > 1 ? heading(i, "row") : make("td"));
      for (let j = 0; j < columns; j++) {
        const at = start + i * columns + j;
        const cell = make("td", "", input ? "" : texts[at]);
        if (input) cell.append(cellBox(walk, input, at));
        row.append(cell);
      }
      table.append(row);
    }
    tables.push(table);
  }
  return tables;
}

function heading(number, scope) {
  const made = make("th", "", String(number));
  made.scope = scope;
  return made;
}

function placeOf(at, shape) {
  return shape.reduceRight(([rest, place], size) => [Math.floor(rest / size), [rest % size, ...place]], [at, []])[1];
}

function cellBox(walk, input, at) {
  const place = placeOf(at, input.shape);
  const box = numberBox(place.length ? `${input.name}[${place.join(", ")}]` : `${input.name}, value of the box`);
  box.value = input.texts[at];
  const typed = () => {
    const [number] = numbersIn(box.value);
    if (number !== undefined) return change(walk, walk.view.inputs, input.id, at, number);
    walk.announce(`“${box.value}” is no number. The last one stays.`);
    box.value = walk.model.get("inputs").find((one) => one.id === input.id).texts[at];
    return undefined;
  };
  onEnter(box, typed);
  box.addEventListener("change", typed);
  return box;
}

// The box that somebody types in is made anew with the others, and gets focus and text back.
function keepingFocus(details, paint) {
  const held = details.contains(document.activeElement) ? document.activeElement : null;
  const [label, text] = [held?.getAttribute("aria-label"), held?.value];
  paint();
  const box = label && [...details.querySelectorAll("input")].find((one) => one.getAttribute("aria-label") === label);
  if (!box) return;
  box.value = text;
  box.focus({ preventScroll: true });
}
