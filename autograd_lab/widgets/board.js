// A board of places beside a sheet: cards are dragged to where they belong, and settled ones stand there. The table
// says and does the same by keyboard, so the board is for the eye and the mouse alone.

function addBoard(root, data, cells, stateOf, check) {
  const board = make("div", "aw-board");
  board.setAttribute("aria-hidden", "true");
  const tray = make("div", "aw-tray");
  const grid = make("div", "aw-grid");
  board.append(tray, grid);
  root.append(board);
  const cards = new Map(cells.filter((cell) => cell.id.endsWith(data.board.ending)).map((cell) => [cell.id, cell]));
  const places = new Map();
  let held = null;

  grid.append(make("span"));
  for (const name of data.board.columns) grid.append(make("span", "aw-axis", name));
  for (const line of data.board.lines) {
    grid.append(make("span", "aw-axis", line));
    for (const name of data.board.columns) {
      const place = make("div", "aw-place");
      place.dataset.place = `${line}, ${name}`;
      place.addEventListener("dragover", (event) => event.preventDefault());
      place.addEventListener("drop", (event) => {
        event.preventDefault();
        if (held) check(held, place.dataset.place);
      });
      places.set(place.dataset.place, place);
      grid.append(place);
    }
  }

  function card(cell) {
    const state = stateOf(cell).state;
    const made = make("span", "aw-card", `${MARKS[state]} \`${cell.id.slice(0, -data.board.ending.length)}\``);
    made.dataset.state = state;
    made.draggable = !DONE.includes(state);
    made.addEventListener("dragstart", (event) => {
      held = cell;
      event.dataTransfer.setData("text/plain", cell.id);
      event.stopPropagation(); // else JupyterLab drags the notebook's cell
    });
    return made;
  }

  return function paint() {
    tray.replaceChildren(make("span", "aw-quiet", "Drag each card to its place: "));
    for (const place of places.values()) place.replaceChildren();
    for (const cell of cards.values()) {
      const settled = DONE.includes(stateOf(cell).state);
      (settled ? places.get(cell.right) : tray).append(card(cell));
    }
    tray.hidden = ![...cards.values()].some((cell) => !DONE.includes(stateOf(cell).state));
  };
}
