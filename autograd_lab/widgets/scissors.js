// The cutting game: choose a kind of cut and a place, predict what is left, compare with before.

function render_scissors({ model, el }) {
  const data = model.get("data");
  const root = frame(el, data, "aw-game");
  const drawing = placeDrawing(root, data.drawing, data.prefix);
  const tools = make("div", "aw-bar aw-tools");
  tools.setAttribute("role", "radiogroup");
  tools.setAttribute("aria-label", "Kind of cut");
  const about = make("p", "aw-quiet");
  const line = make("label", "aw-edit", "Place of the cut: ");
  const list = focusable(make("select", "aw-field aw-places"));
  const holder = make("div");
  line.append(list);
  root.append(tools, about, line, holder);
  const group = `aw-cut-${(drawings += 1)}`;
  let kind = data.kinds[0].kind;
  let undo = () => {};

  for (const entry of data.kinds) {
    const label = make("label", "aw-tool");
    const radio = focusable(make("input"));
    Object.assign(radio, { type: "radio", name: group, value: entry.kind, checked: entry.kind === kind });
    radio.addEventListener("change", () => take(entry.kind));
    radio.addEventListener("keydown", (event) => event.stopPropagation());
    label.append(radio, make("span", "", entry.kind));
    tools.append(label);
  }
  list.addEventListener("change", () => place(data.cuts.find((cut) => cut.id === list.value)));
  list.addEventListener("keydown", (event) => event.stopPropagation());

  const cutsOf = (name) => data.cuts.filter((cut) => cut.kind === name);

  function take(name) {
    const at = list.value ? data.cuts.find((cut) => cut.id === list.value) : null;
    kind = name;
    about.replaceChildren(`${name}: `, make("span", "", data.kinds.find((entry) => entry.kind === name).about + "."));
    list.replaceChildren(new Option("choose a place, here or in the drawing", ""));
    for (const cut of cutsOf(name)) list.append(new Option(cut.label.slice(name.length + 2), cut.id));
    const kept = at && cutsOf(name).find((cut) => cut.keys.join() === at.keys.join());
    list.value = kept ? kept.id : "";
    place(kept);
  }

  function place(cut) {
    undo();
    undo = () => {};
    holder.replaceChildren();
    for (const mark of drawing.holder.querySelectorAll(".aw-cut-mark")) mark.remove();
    for (const group of drawing.groups.values()) group.classList.remove("is-cut");
    if (!cut) return;
    list.value = cut.id;
    for (const key of cut.keys) {
      const group = drawing.groups.get(key);
      group?.classList.add("is-cut");
      if (key.startsWith("e") && group) slash(group);
    }
    const table = { ...data, rows: cut.rows, drawing: null, hint: `Cut placed: ${cut.label}. What is left?` };
    undo = addTable(holder, table, model, drawing);
  }

  function slash(group) {
    const path = group.querySelector(".ag-line");
    if (!path) return;
    const middle = path.getPointAtLength(path.getTotalLength() / 2);
    const mark = document.createElementNS(SVG, "path");
    mark.setAttribute("class", "aw-cut-mark");
    mark.setAttribute("d", `M${middle.x - 5} ${middle.y + 9}L${middle.x + 1} ${middle.y - 9}M${middle.x} ${middle.y + 9}L${middle.x + 6} ${middle.y - 9}`);
    group.append(mark);
  }

  // In the drawing: a line for the cuts of one use, an op for no_grad. The kind that fits is taken.
  for (const [key, group] of drawing.groups) {
    const fits = (cut) => cut.keys.includes(key);
    if (!data.cuts.some(fits)) continue;
    widen(group);
    clickable(group, () => {
      const cut = cutsOf(kind).find(fits) || data.cuts.find(fits);
      if (cut.kind !== kind) {
        tools.querySelector(`input[value="${cut.kind}"]`).checked = true;
        take(cut.kind);
      }
      place(cut);
    });
  }

  take(kind);
  return () => undo();
}

// Thin lines are hard to hit: an invisible wide one lies on top.
function widen(group) {
  const path = group.querySelector("path.ag-line");
  if (!path) return;
  const wide = path.cloneNode();
  wide.setAttribute("class", "aw-wide");
  group.append(wide);
}
