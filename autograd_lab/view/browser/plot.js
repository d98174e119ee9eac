// The curve of the result over one input, with the tangent where the input is now. Everything drawn was computed by the
// engine; here it only gets its place.

import { short } from "./numbers.js";

const WIDTH = 460;
const HEIGHT = 230;
const LEFT = 58;
const BOTTOM = 34;
const TOP = 12;
const NS = "http://www.w3.org/2000/svg";

// `curve.points` are [x, y] with y null where the result is not finite; `now` is {x, y, slope}.
export function plotOf(curve, now, input, output) {
  const svg = part("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "al-plot", role: "img" });
  svg.setAttribute("aria-label", plotText(curve, now, input, output));
  const known = curve.points.filter(([, y]) => y !== null);
  if (!known.length) {
    svg.append(word(WIDTH / 2, HEIGHT / 2, `${output} is finite nowhere here`, "middle"));
    return svg;
  }
  const scale = scaleOf(curve.points, known);
  const { x, y, low, high, bottom, top } = scale;
  const edge = (ax, ay, bx, by, css) => svg.append(part("line", { x1: ax, y1: ay, x2: bx, y2: by, class: css }));
  edge(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "al-axis");
  edge(LEFT, HEIGHT - BOTTOM, WIDTH - 10, HEIGHT - BOTTOM, "al-axis");
  for (const at of ticks(low, high)) {
    edge(x(at), HEIGHT - BOTTOM, x(at), HEIGHT - BOTTOM + 4, "al-axis");
    svg.append(word(x(at), HEIGHT - BOTTOM + 16, short(at), "middle"));
  }
  for (const at of ticks(bottom, top)) {
    edge(LEFT - 4, y(at), LEFT, y(at), "al-axis");
    svg.append(word(LEFT - 7, y(at) + 4, short(at), "end"));
  }
  svg.append(word(WIDTH - 10, HEIGHT - 3, input, "end"), word(LEFT + 6, TOP + 9, output, "start"));
  svg.append(part("path", { d: pathOf(curve.points, scale), class: "al-curve" }));
  if (now.y !== null && now.x >= low && now.x <= high) {
    if (now.slope !== null) svg.append(part("line", { ...tangent(now, scale), class: "al-tangent" }));
    svg.append(part("circle", { cx: x(now.x), cy: y(now.y), r: 5, class: "al-point" }));
  }
  return svg;
}

export function plotText(curve, now, input, output) {
  if (now.y === null) return `At ${input} = ${short(now.x)}, ${output} is not finite.`;
  const slope = now.slope === null ? "It asks for no gradient." : `The slope of the tangent is ${short(now.slope)}.`;
  return `At ${input} = ${short(now.x)}, ${output} is ${short(now.y)}. ${slope}`;
}

function scaleOf(points, known) {
  const [low, high] = [points[0][0], points.at(-1)[0]];
  let [bottom, top] = [Math.min(...known.map((p) => p[1])), Math.max(...known.map((p) => p[1]))];
  const room = (top - bottom || Math.abs(top) || 1) * 0.06;
  [bottom, top] = [bottom - room, top + room];
  const x = (at) => LEFT + ((at - low) / (high - low)) * (WIDTH - LEFT - 14);
  const y = (at) => TOP + ((top - at) / (top - bottom)) * (HEIGHT - BOTTOM - TOP);
  return { x, y, low, high, bottom, top };
}

function pathOf(points, { x, y }) {
  let pen = "M";
  let path = "";
  for (const [at, value] of points) {
    if (value !== null) path += `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = value === null ? "M" : "L";
  }
  return path;
}

// The part of the tangent that lies inside the plot.
function tangent(now, { x, y, low, high, bottom, top }) {
  const clamp = (at) => {
    const value = now.y + now.slope * (at - now.x);
    if (value >= bottom && value <= top) return [at, value];
    const end = value > top ? top : bottom;
    return [now.x + (end - now.y) / now.slope, end];
  };
  const [[ax, ay], [bx, by]] = [clamp(low), clamp(high)];
  return { x1: x(ax), y1: y(ay), x2: x(bx), y2: y(by) };
}

// Three to six round numbers between two ends.
function ticks(low, high) {
  const rough = (high - low) / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * size).find((n) => n >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(i * step);
  return found;
}

function part(tag, attributes) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function word(x, y, text, anchor) {
  const made = part("text", { x, y, "text-anchor": anchor });
  made.textContent = text;
  return made;
}
