// The drawing of a graph inside a widget: its boxes and edges by their short keys ("n3", "e1-3-0").

let drawings = 0; // each view gets ids of its own, so that two views of one drawing do not share them

function placeDrawing(root, svg, prefix) {
  const holder = make("div", "aw-drawing");
  if (!svg) return { holder, groups: new Map(), light() {} };
  drawings += 1;
  holder.innerHTML = svg.replaceAll(`${prefix}-`, `${prefix}w${drawings}-`);
  const image = holder.querySelector("svg");
  const natural = image.viewBox.baseVal.width;
  image.removeAttribute("height");
  Object.assign(image.style, { width: "100%", maxWidth: `${natural}px`, minWidth: `${Math.round(0.7 * natural)}px` });
  focusable(holder).tabIndex = -1;
  const groups = new Map();
  for (const group of holder.querySelectorAll("g[id]")) {
    const key = /-((?:n|e|m)\d[\d-]*)$/.exec(group.id)?.[1];
    if (key) groups.set(key, group);
  }
  root.append(holder);
  let lit = [];
  const light = (...keys) => {
    lit.forEach((key) => groups.get(key)?.classList.remove("is-lit"));
    lit = keys.filter((key) => groups.has(key));
    lit.forEach((key) => groups.get(key).classList.add("is-lit"));
    if (lit.length) intoView(holder, groups.get(lit[0]));
  };
  return { holder, groups, light };
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
