// Change and see: a box and a slider for each input of one element, the curve of the result, and a way to the cells of
// the others. The kernel's engine computes; while it does, the last numbers stay.

import { button, focusable, make, numberBox, onEnter, withCode } from "./elements.js";
import { numbersIn } from "./numbers.js";
import { plotOf, plotText } from "./plot.js";

const HOW =
  "The recorded ops run again with your numbers, forward and backward; your own tensors stay as they are. What Python " +
  "decided (an if, a mask from x > 0, item()) stays as it was recorded.";

export function inputsPanel(walk) {
  const panel = make("details", "al-change");
  panel.append(focusable(make("summary", "al-summary", "Change the inputs")));
  const status = make("p", "al-status");
  const why = walk.model.get("still");
  const tools = { panel, status, rows: new Map(), curve: null };
  if (why) {
    withCode(status, why);
    panel.append(status);
    return tools;
  }
  panel.append(make("p", "al-hint", HOW));
  for (const input of walk.model.get("inputs")) panel.append(rowOf(walk, tools, input));
  const plot = make("figure", "al-figure");
  plot.hidden = true;
  const caption = make("figcaption", "al-caption");
  const reset = button("Recorded numbers", "Give every input its recorded number again", () => {
    send(walk, tools, { kind: "reset" });
  });
  panel.append(plot, reset, status);
  return Object.assign(tools, { plot, caption, reset });
}

function rowOf(walk, tools, input) {
  const row = make("div", "al-row");
  row.dataset.input = input.id;
  const shape = input.shape.length ? ` (${input.shape.join(" × ")})` : "";
  const title = make("label", "al-name", `${input.name}${shape}`);
  row.append(title);
  if (input.fixed) row.append(withCode(make("span", "al-fixed"), `${input.texts.join(", ").slice(0, 40)} ${input.fixed}`));
  else if (input.texts.length === 1) tools.rows.set(input.id, scalarRow(walk, tools, input, row, title));
  else if (input.key) row.append(button("Edit its cells", `Show the cells of ${input.name}`, () => walk.look(input.key)));
  return row;
}

function scalarRow(walk, tools, input, row, title) {
  const box = numberBox(`${input.name}, value`);
  const slider = focusable(make("input", "al-slider"));
  const { low, high } = ends(Number(input.first[0]));
  Object.assign(slider, { type: "range", min: low, max: high, step: (high - low) / 200 });
  slider.setAttribute("aria-label", `${input.name}, slider`);
  slider.addEventListener("input", () => {
    box.value = String(Number(Number(slider.value).toPrecision(6)));
    change(walk, tools, input.id, 0, Number(slider.value));
  });
  const typed = () => {
    const [number] = numbersIn(box.value);
    if (number === undefined) return say(walk, tools, `“${box.value}” is no number. The last one stays.`);
    return change(walk, tools, input.id, 0, number);
  };
  onEnter(box, typed);
  box.addEventListener("change", typed);
  const plot = button("Plot", `Plot the result over ${input.name}`, () => askCurve(walk, tools, input.id, low, high));
  plot.setAttribute("aria-pressed", "false");
  title.append(box);
  const was = make("span", "al-was");
  row.append(slider, plot, was);
  const shown = { box, slider, plot, was, low, high };
  showNumber(shown, input);
  return shown;
}

// A range around a number: wide enough to see the curve bend.
function ends(number) {
  const half = Math.max(3, 2 * Math.abs(number));
  return { low: number - half, high: number + half };
}

function showNumber(shown, input) {
  if (document.activeElement !== shown.box) shown.box.value = input.texts[0];
  shown.slider.value = Number(input.texts[0]);
  shown.slider.setAttribute("aria-valuetext", input.texts[0]);
  shown.was.textContent = input.texts[0] === input.first[0] ? "" : `recorded: ${input.first[0]}`;
}

// While one change is computed, later ones wait, and only the last of them is sent.
export function change(walk, tools, input, place, value) {
  const known = walk.model.get("inputs").find((one) => one.id === input);
  if (Number(known.texts[place]) === value) return Promise.resolve();
  tools.next = { kind: "edit", input, place, value };
  if (tools.busy) return tools.busy;
  tools.busy = (async () => {
    while (tools.next) {
      const question = tools.next;
      tools.next = null;
      await send(walk, tools, question);
    }
    tools.busy = null;
  })();
  return tools.busy;
}

async function send(walk, tools, question) {
  const slow = setTimeout(() => (tools.status.textContent = "The kernel computes …"), 300);
  try {
    await walk.kernel.ask(question);
    say(walk, tools, "");
  } catch (error) {
    say(walk, tools, error.message);
    paintInputs(walk, tools);
  } finally {
    clearTimeout(slow);
  }
}

async function askCurve(walk, tools, input, low, high) {
  if (tools.curve?.input === input) return closePlot(tools);
  try {
    const { curve } = await walk.kernel.ask({ kind: "curve", input, low, high });
    tools.curve = curve;
    paintPlot(walk, tools, curve);
    say(walk, tools, "");
  } catch (error) {
    say(walk, tools, error.message);
  }
}

function closePlot(tools) {
  tools.curve = null;
  tools.plot.hidden = true;
  for (const { plot } of tools.rows.values()) plot.setAttribute("aria-pressed", "false");
}

// New numbers came: the boxes show them, and the curve its new place; another input than the plotted one bends it.
export function paintInputs(walk, tools) {
  let bent = false;
  for (const input of walk.model.get("inputs")) {
    const shown = tools.rows.get(input.id);
    if (shown) showNumber(shown, input);
    const text = input.texts.join();
    bent ||= tools.curve && input.id !== tools.curve.input && tools.seen?.get(input.id) !== text;
  }
  tools.seen = new Map(walk.model.get("inputs").map((input) => [input.id, input.texts.join()]));
  if (!tools.curve) return;
  const { input } = tools.curve;
  const shown = tools.rows.get(input);
  if (bent) {
    tools.curve = null;
    askCurve(walk, tools, input, shown.low, shown.high);
  } else paintPlot(walk, tools, walk.model.get("inputs").find((one) => one.id === input));
}

function paintPlot(walk, tools, now) {
  const name = walk.model.get("inputs").find((one) => one.id === tools.curve.input).name;
  tools.caption.textContent = plotText(tools.curve, now, name, walk.frames[0].root);
  tools.plot.replaceChildren(plotOf(tools.curve, now, name, walk.frames[0].root), tools.caption);
  tools.plot.hidden = false;
  for (const [id, { plot }] of tools.rows) plot.setAttribute("aria-pressed", String(id === tools.curve.input));
}

function say(walk, tools, text) {
  tools.status.textContent = text;
  if (text) walk.announce(text);
}
