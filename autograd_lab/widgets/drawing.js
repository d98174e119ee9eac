// The drawing of a graph inside a widget: its boxes and edges by their short keys ("n3", "e1-3-0").

let drawings = 0; // each view gets ids of its own, so that two views of one drawing do not share them

// `light(key)` marks boxes, `show(svg, prefix)` puts another drawing of the same program in place.
function placeDrawing(root, svg, prefix) {
  const holder = make("div", "aw-drawing");
  const groups = new Map();
  if (!svg) return { holder, groups, light() {}, show() {} };
  focusable(holder).tabIndex = -1;
  root.append(holder);
  let shown = "";
  let lit = [];
  const show = (text, name) => {
    if (text === shown) return;
    shown = text;
    drawings += 1;
    holder.innerHTML = text.replaceAll(`${name}-`, `${name}w${drawings}-`);
    const image = holder.querySelector("svg");
    const natural = image.viewBox.baseVal.width;
    image.removeAttribute("height");
    Object.assign(image.style, { width: "100%", maxWidth: `${natural}px`, minWidth: `${Math.round(0.7 * natural)}px` });
    groups.clear();
    for (const group of holder.querySelectorAll("g[id]")) {
      const key = /-((?:n|e|m)\d[\d-]*)$/.exec(group.id)?.[1];
      if (key) groups.set(key, group);
    }
  };
  const light = (...keys) => {
    lit.forEach((key) => groups.get(key)?.classList.remove("is-lit"));
    lit = keys.filter((key) => groups.has(key));
    lit.forEach((key) => groups.get(key).classList.add("is-lit"));
    if (lit.length) intoView(holder, groups.get(lit[0]));
  };
  show(svg, prefix);
  return { holder, groups, light, show };
}

// A wide drawing scrolls inside its frame; the page itself stays where it is.
function intoView(holder, group) {
  if (holder.scrollWidth <= holder.clientWidth) return;
  const box = group.getBoundingClientRect();
  const edge = holder.getBoundingClientRect();
  if (box.left < edge.left || box.right > edge.right) {
    holder.scrollLeft += box.left + box.width / 2 - edge.left - edge.width / 2;
  }
}

// Arrow keys go through a list of buttons.
function walkList(event, list) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  event.stopPropagation();
  if (!step) return;
  event.preventDefault();
  const buttons = [...list.querySelectorAll("button")];
  buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length].focus();
}

function clickable(group, onclick) {
  if (!group) return;
  group.classList.add("aw-click");
  group.addEventListener("click", onclick);
}

const SVG = "http://www.w3.org/2000/svg";

function badge(group, text) {
  let made = group.querySelector(".aw-badge");
  if (!made) {
    const box = group.querySelector(".ag-shape").getBBox();
    made = document.createElementNS(SVG, "g");
    made.setAttribute("class", "aw-badge");
    made.setAttribute("transform", `translate(${box.x + box.width - 6} ${box.y - 1})`);
    const ground = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x: -13, y: -8, width: 26, height: 15, rx: 7 })) ground.setAttribute(name, value);
    const word = document.createElementNS(SVG, "text");
    word.setAttribute("text-anchor", "middle");
    word.setAttribute("y", 4);
    made.append(ground, word);
    group.append(made);
  }
  made.querySelector("text").textContent = text;
}
