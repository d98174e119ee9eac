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
  if (looking.details.contains(document.activeElement)) return refreshCells(walk, looking);
  looking.details.replaceChildren();
  if (!known) return undefined;
  const list = make("dl", "al-facts");
  const row = (word, text) => list.append(make("dt", "", word), make("dd", "", text));
  for (const [word, text] of known.facts) row(word, text);
  const tables = make("div", "al-tables");
  looking.details.append(list, tables);
  for (const [field, word] of Object.entries(FIELDS)) {
    const cells = latest(walk.history.cells.get(`${looking.key}.${field}`), walk.at);
    const text = cells ? "" : shownText(walk, `${looking.key}.${field}`);
    if (text) row(word, text);
    else if (cells?.ask && walk.book.isOpen(cells.ask)) row(word, "hidden until you answer the question");
    else if (cells) tables.append(...tablesOf(walk, looking.key, field, word, cells));
  }
  return undefined;
}

function shownText(walk, key) {
  const field = walk.view.fields.get(key);
  if (!field) return "";
  const text = latest(walk.history.texts.get(key), walk.at);
  return text === undefined ? field.drawn : walk.reveal(text);
}

// One table for each matrix; a vector is one row, and more dimensions are several matrices.
function tablesOf(walk, key, field, word, { shape, texts }) {
  const input = field === "value" ? walk.model.get("inputs").find((one) => one.key === key && !one.fixed) : null;
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
        row.append(input ? cellBox(walk, input, at, shape) : make("td", "", texts[at]));
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

function cellBox(walk, input, at, shape) {
  const cell = make("td");
  const box = numberBox(`${input.name}[${placeOf(at, shape).join(", ")}]`);
  box.dataset.cell = at;
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
  cell.append(box);
  return cell;
}

// While somebody types in the table it is not made again; other cells follow.
function refreshCells(walk, looking) {
  const input = walk.model.get("inputs").find((one) => one.key === looking.key);
  for (const box of looking.details.querySelectorAll("[data-cell]")) {
    if (box !== document.activeElement && input) box.value = input.texts[box.dataset.cell];
  }
}
