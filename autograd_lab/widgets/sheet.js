// A table to fill in. Everything needed is in the model, so it is judged without the kernel; answers travel back in
// `states`. Enter checks a cell, Enter again goes on to the next open one.

function render_sheet({ model, el }) {
  const holder = make("div");
  el.append(holder);
  let undo = () => {};
  const again = () => {
    const editing = holder.querySelector(".aw-edit")?.contains(document.activeElement);
    undo();
    holder.replaceChildren();
    undo = buildSheet(holder, model.get("data"), model);
    if (editing) holder.querySelector(".aw-edit input").focus({ preventScroll: true });
  };
  again();
  model.on("change:data", again);
  return () => {
    model.off("change:data", again);
    undo();
  };
}

function buildSheet(el, data, model) {
  const root = frame(el, data, "aw-sheet");
  const drawing = placeDrawing(root, data.drawing, data.prefix);
  const stopEdit = data.edit ? addEdit(root, data.edit, model) : () => {};
  const stopTable = addTable(root, data, model, drawing);
  return () => {
    stopEdit();
    stopTable();
  };
}

// The table and what is said below it. `drawing.light(key)` shows which box a cell is about.
function addTable(root, data, model, drawing) {
  const table = make("table", "aw-table");
  const verdict = liveRegion("aw-verdict");
  const count = liveRegion("aw-count");
  const bar = make("div", "aw-bar");
  const cells = data.rows.flatMap((row) => row.cells).filter((entry) => typeof entry !== "string");
  const places = new Map(); // id of a cell: the td it stands in
  let now = null; // the cell that has the focus, or had it last
  const paintBoard = data.board ? addBoard(root, data, cells, (cell) => stateOf(cell), check) : () => {};
  root.append(table, verdict, bar);

  const stateOf = (cell) => model.get("states")[cell.id] || { state: "open", typed: "", tries: 0 };
  const settled = (id) => DONE.includes(model.get("states")[id]?.state);
  const isSeen = (cell) => places.has(cell.id);

  function settle(cell, state) {
    now = cell;
    model.set("states", { ...model.get("states"), [cell.id]: state });
    model.save_changes();
    window.dispatchEvent(new CustomEvent("autograd-lab-answered", { detail: { id: `${data.scope || ""}${cell.id}`, state } }));
  }

  function check(cell, typed) {
    if (!typed.trim()) return;
    const old = stateOf(cell);
    if (DONE.includes(old.state) || (old.state === "wrong" && old.typed === typed)) return;
    const tries = (old.tries || 0) + 1;
    if (same(typed, cell.right)) return settle(cell, { state: "right", typed, tries, rule: "" });
    const known = cell.wrong.find((wrong) => same(typed, wrong.answer));
    const reason = known?.reason || cell.otherwise || "Not this.";
    return settle(cell, { state: "wrong", typed, tries, rule: known?.rule || "other", reason });
  }

  function show(cell) {
    settle(cell, { ...stateOf(cell), state: "shown" });
  }

  // Painting: the table is built once for each set of rows that may be seen, a cell again when its state changes.
  const painted = new Map();
  let rowsSeen = "";

  function draw() {
    const rows = data.rows.filter((row) => !row.after || settled(row.after));
    const key = rows.map((row) => row.head).join("\n");
    const held = now && places.get(now.id)?.contains(document.activeElement);
    if (key !== rowsSeen || !table.firstChild) {
      rowsSeen = key;
      build(rows);
    }
    for (const cell of cells.filter(isSeen)) {
      const text = JSON.stringify(stateOf(cell));
      if (painted.get(cell.id) === text) continue;
      painted.set(cell.id, text);
      paint(cell);
    }
    if (held && !places.get(now.id)?.contains(document.activeElement)) focusOn(now);
    paintBoard();
    if (now) turnTo(now);
    else say();
    paintCount();
  }

  function build(rows) {
    table.replaceChildren();
    places.clear();
    painted.clear();
    const head = make("tr");
    for (const name of ["", ...data.columns]) head.append(header(name, "col"));
    table.append(Object.assign(make("thead"), {}), make("tbody"));
    table.tHead.append(head);
    for (const row of rows) {
      const line = make("tr");
      line.append(header(row.head, "row"));
      row.cells.forEach((entry, i) => {
        const place = make("td", typeof entry === "string" ? "is-given" : "");
        place.dataset.column = data.columns[i].replaceAll("`", "");
        if (typeof entry === "string") withCode(place, entry);
        else places.set(entry.id, place);
        line.append(place);
      });
      table.tBodies[0].append(line);
    }
  }

  function header(text, scope) {
    const made = make("th", "", text);
    made.scope = scope;
    return made;
  }

  function paint(cell) {
    const place = places.get(cell.id);
    const held = place.contains(document.activeElement);
    const state = stateOf(cell);
    place.dataset.state = state.state;
    place.dataset.cell = cell.id;
    place.replaceChildren(make("span", "aw-mark", MARKS[state.state]));
    const part = DONE.includes(state.state) ? answerOf(cell, state) : fieldOf(cell, state);
    place.append(part);
    part.addEventListener("focus", () => turnTo(cell));
    if (held) part.focus({ preventScroll: true });
  }

  function answerOf(cell, state) {
    const made = button("", () => turnTo(cell), "aw-done");
    made.textContent = cell.right;
    made.setAttribute("aria-label", `${plain(cell.ask)} ${cell.right}, ${state.state}`);
    made.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      goOn(cell);
    });
    return made;
  }

  function fieldOf(cell, state) {
    const made = focusable(make(cell.options.length ? "select" : "input", "aw-field"));
    made.setAttribute("aria-label", plain(cell.ask));
    if (state.state === "wrong") made.setAttribute("aria-invalid", "true");
    if (cell.options.length) choosing(made, cell, state);
    else {
      Object.assign(made, { type: "text", autocomplete: "off", spellcheck: false, value: state.typed || "" });
      made.placeholder = "?";
      made.addEventListener("change", () => check(cell, made.value));
    }
    made.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter") return;
      event.preventDefault(); // in JupyterLab the browser's own "Enter submits" does not happen
      if (made.value.trim()) check(cell, made.value);
      else sayLine("Answer first, or press Show me.");
    });
    return made;
  }

  // Arrow keys pass through the options of a closed list: only leaving it, or Enter, means the choice.
  function choosing(list, cell, state) {
    let byKeys = false;
    list.append(new Option("?", ""));
    for (const option of cell.options) list.append(new Option(option.replaceAll("`", ""), option));
    list.value = cell.options.includes(state.typed) ? state.typed : "";
    list.addEventListener("pointerdown", () => (byKeys = false));
    list.addEventListener("keydown", () => (byKeys = true));
    list.addEventListener("change", () => !byKeys && check(cell, list.value));
    list.addEventListener("blur", () => byKeys && check(cell, list.value));
  }

  function turnTo(cell) {
    now = cell;
    const scene = settled(cell.id) ? data.scenes?.[cell.scene] : null; // what it looks like when one knows
    if (data.drawing) drawing.show(scene?.svg || data.drawing, scene?.prefix || data.prefix);
    drawing.light(scene ? scene.node : cell.node);
    say();
  }

  function goOn(cell) {
    const open = cells.filter((other) => isSeen(other) && !settled(other.id));
    const next = open.find((other) => cells.indexOf(other) > cells.indexOf(cell)) || open[0];
    if (next) focusOn(next);
  }

  function focusOn(cell) {
    places.get(cell.id)?.querySelector("select, input, button")?.focus();
  }

  // What is said about the cell in hand
  function say() {
    verdict.replaceChildren();
    if (!now || !isSeen(now)) return sayLine(data.hint || "Fill in a cell and press Enter: it is checked at once.", true);
    const state = stateOf(now);
    const asked = make("span", "aw-asked", `${now.ask} `);
    const line = make("p", "aw-line");
    line.append(asked);
    if (state.state === "right") line.append(make("strong", "is-right", `✓ right: ${now.right}.`), " ");
    if (state.state === "shown") line.append(make("strong", "", `– ${now.right}.`), " ");
    if (state.state === "wrong") line.append(make("strong", "is-wrong", `… ✗ “${state.typed}” is wrong.`), " ");
    const told = state.state === "wrong" ? state.reason : DONE.includes(state.state) ? now.because : "";
    line.append(make("span", "", told));
    verdict.append(line);
    return undefined;
  }

  function sayLine(text, quiet = false) {
    verdict.replaceChildren(make("p", quiet ? "aw-line aw-quiet" : "aw-line", text));
  }

  function paintCount() {
    const seen = cells.filter(isSeen);
    const states = seen.map((cell) => stateOf(cell).state);
    const of = (state) => states.filter((other) => other === state).length;
    const parts = [`${of("right")} right ✓`, `${of("wrong")} wrong ✗`, `${of("shown")} shown –`];
    const done = states.every((state) => DONE.includes(state));
    count.textContent = `${parts.join(", ")}, ${of("open")} not answered, of ${states.length}. `;
    if (done && data.closing) count.append(make("span", "aw-closing", data.closing));
    showOne.hidden = showAll.hidden = done;
    reset.hidden = states.every((state) => state === "open");
  }

  const showOne = button("Show me", () => {
    if (!now || settled(now.id)) return sayLine("Choose a cell first: Show me shows the answer of that cell.");
    show(now);
    return focusOn(now);
  });
  const showAll = button("Show all", () => {
    for (let left = true; left; ) {
      const open = cells.filter((cell) => isSeen(cell) && !settled(cell.id));
      open.forEach(show);
      left = open.length > 0; // rows that were hidden may have appeared
    }
    now = null;
    draw();
  });
  const reset = button("Try again", () => {
    const mine = new Set(cells.map((cell) => cell.id));
    model.set("states", Object.fromEntries(Object.entries(model.get("states")).filter(([id]) => !mine.has(id))));
    model.save_changes();
    now = cells[0];
    focusOn(now);
  });
  bar.append(showOne, showAll, reset, count);
  model.on("change:states", draw);
  draw();
  return () => model.off("change:states", draw);
}

function plain(text) {
  return text.replaceAll("`", "");
}
