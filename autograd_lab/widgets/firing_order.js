// The order game: choose which node fires next, in the list or in the drawing. Counters show what has arrived.

function render_firing_order({ model, el }) {
  const data = model.get("data");
  const root = frame(el, data, "aw-game");
  const drawing = placeDrawing(root, data.drawing, data.prefix);
  const said = liveRegion("aw-verdict");
  const list = make("div", "aw-moves");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", "Nodes that have not fired");
  const log = make("ol", "aw-log");
  const bar = make("div", "aw-bar");
  const next = make("p", "aw-asked", "Which node may fire next?");
  const done = make("p", "aw-asked", "Fired:");
  root.append(said, next, list, done, log, bar);
  let fired = [];
  let early = 0;

  const arrived = () => new Set(fired.flatMap((node) => node.sends));
  const here = (node) => node.awaits.filter((way) => arrived().has(way));
  const counter = (node) =>
    node.id === data.root ? "1 of 1 arrived" : `${here(node).length} of ${node.awaits.length} arrived`;

  function choose(node) {
    if (fired.includes(node)) return say("✗", `${node.name} has fired. Every node fires once, with the whole sum.`);
    const count = here(node).length;
    if (node.id !== data.root && count < node.awaits.length) return tooEarly(node, count);
    fired = [...fired, node];
    draw();
    const sent = node.sends.map((way) => `${data.ways[way].value} to ${data.nodes[data.ways[way].target].name}`);
    say("✓", node.leaf ? `\`${node.leaf}.grad\` gets ${node.incoming}.` : `${node.incoming} arrived. It sends ${sent.join(", and ")}.`);
    if (fired.length === data.nodes.length) finish();
    return undefined;
  }

  function tooEarly(node, count) {
    early += 1;
    remember("wrong");
    const all = node.awaits.length;
    const waits = node.awaits.filter((way) => !arrived().has(way));
    const from = [...new Set(waits.map((way) => data.nodes.find((other) => other.sends.includes(way)).name))].join(", ");
    const key = here(node).join(" ");
    const told = count
      ? `${count} of ${all} contributions ${count === 1 ? "is" : "are"} here. ${node.early[key] || ""}`
      : "Nothing has arrived there yet, so it has nothing to send.";
    say("✗", `Too early: ${node.name}. ${told} It still awaits: ${from}.`);
    drawing.light(node.key);
  }

  function finish() {
    const order = data.order.map((i) => data.nodes[i].name);
    const same = data.order.every((i, at) => fired[at].id === i);
    const told = same ? "This is PyTorch's own order." : `PyTorch's order: ${order.join(", ")}. Yours gives the same sums.`;
    say("✓", `Every node has fired. ${data.grads.join(", ")}. Early choices: ${early}. ${told}`);
    remember("right");
  }

  function remember(state) {
    const answer = { state, typed: `${early} early`, tries: early + 1, rule: state === "right" ? "" : "M8" };
    model.set("states", { ...model.get("states"), [data.task]: answer });
    model.save_changes();
    window.dispatchEvent(new CustomEvent("autograd-lab-answered", { detail: { id: `${data.scope || ""}${data.task}`, state: answer } }));
  }

  function say(mark, text) {
    const line = make("p", "aw-line");
    line.append(make("strong", mark === "✓" ? "is-right" : "is-wrong", `${mark} `), make("span", "", text));
    said.replaceChildren(line);
  }

  function draw() {
    const held = list.contains(document.activeElement);
    list.replaceChildren();
    for (const node of data.nodes.filter((other) => !fired.includes(other))) {
      const move = button(`${node.name}: ${counter(node)}`, () => choose(node), "aw-move");
      move.addEventListener("focus", () => drawing.light(node.key));
      move.addEventListener("keydown", (event) => walkList(event, list));
      list.append(move);
    }
    log.replaceChildren(...fired.map((node) => make("li", "", node.name)));
    for (const node of data.nodes) mark(drawing.groups.get(node.key), node);
    again.hidden = done.hidden = log.hidden = !fired.length;
    next.hidden = fired.length === data.nodes.length;
    if (held) (list.querySelector("button") || again).focus({ preventScroll: true });
  }

  // A counter stands at the corner of each box: "1/2", or ✓ once it has fired.
  function mark(group, node) {
    if (!group) return;
    group.classList.toggle("is-fired", fired.includes(node));
    const all = node.id === data.root ? 1 : node.awaits.length;
    const count = node.id === data.root ? 1 : here(node).length;
    badge(group, fired.includes(node) ? "✓" : `${count}/${all}`);
  }

  const again = button("Start again", () => {
    fired = [];
    early = 0;
    said.replaceChildren(make("p", "aw-line aw-quiet", "Choose a node, in the list or in the drawing."));
    draw();
    list.querySelector("button").focus();
  });
  bar.append(again);
  for (const node of data.nodes) clickable(drawing.groups.get(node.key), () => choose(node));
  said.append(make("p", "aw-line aw-quiet", "Choose a node, in the list or in the drawing."));
  draw();
}
