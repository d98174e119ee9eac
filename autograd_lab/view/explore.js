// Walk, light up, zoom and collapse a drawing in the page. No library, no request; see explore.py.
(function () {
  const STEP = 1.25;

  function setUp(root) {
    if (root.dataset.ready) return;
    root.dataset.ready = "yes";
    const said = root.querySelector(".ag-said");
    const stage = root.querySelector(".ag-stage");
    const collapsed = new Set();
    let view = null;

    const svg = () => stage.querySelector("svg");
    const nodes = () => Array.from(svg().querySelectorAll("g.node"));
    const keyOf = (group) => group.id.split("-").slice(1).join("-");
    const nodeOf = (key) => nodes().find((group) => keyOf(group) === key);

    function say(group) {
      const why = group.dataset.why ? " " + group.dataset.why : "";
      const texts = Array.from(group.querySelectorAll("text"), (text) => text.textContent);
      said.textContent = group.getAttribute("aria-label") + (texts.length ? ". " + texts.join(" ") + "." : ".") + why;
    }

    // One box is in the tab order; arrow keys go along the edges from there.
    function rove(group) {
      nodes().forEach((other) => other.setAttribute("tabindex", other === group ? "0" : "-1"));
    }

    function edges() {
      return Array.from(svg().querySelectorAll("g.edge"), (edge) => {
        const found = /-e(\d+)-(\d+)-(\d+)$/.exec(edge.id);
        const walked = !edge.matches(".ag-bwd, .ag-saved-edge");
        return found && walked && { from: "n" + found[1], to: "n" + found[2] };
      }).filter(Boolean);
    }

    function neighbour(group, forward) {
      const key = keyOf(group);
      const keys = edges()
        .filter((edge) => (forward ? edge.from : edge.to) === key)
        .map((edge) => (forward ? edge.to : edge.from));
      return keys.map(nodeOf).find(Boolean);
    }

    function sibling(group, step) {
      const all = nodes();
      return all[all.indexOf(group) + step];
    }

    function go(group) {
      if (!group) return;
      rove(group);
      group.focus();
      say(group);
      group.scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    const MOVES = {
      ArrowRight: (group) => neighbour(group, true),
      ArrowLeft: (group) => neighbour(group, false),
      ArrowDown: (group) => sibling(group, 1),
      ArrowUp: (group) => sibling(group, -1),
      Home: () => nodes()[0],
      End: () => nodes()[nodes().length - 1],
    };

    // Zoom changes the viewBox only.
    function home() {
      const box = svg().viewBox.baseVal;
      view = { x: 0, y: 0, width: Number(svg().dataset.width) || box.width, height: Number(svg().dataset.height) || box.height };
      svg().dataset.width = view.width;
      svg().dataset.height = view.height;
      show();
    }

    function show() {
      svg().setAttribute("viewBox", [view.x, view.y, view.width, view.height].join(" "));
    }

    function zoom(factor, at) {
      const x = at ? at.x : view.x + view.width / 2;
      const y = at ? at.y : view.y + view.height / 2;
      view = {
        x: x - (x - view.x) / factor,
        y: y - (y - view.y) / factor,
        width: view.width / factor,
        height: view.height / factor,
      };
      show();
    }

    function place(event) {
      const box = svg().getBoundingClientRect();
      return {
        x: view.x + ((event.clientX - box.left) / box.width) * view.width,
        y: view.y + ((event.clientY - box.top) / box.height) * view.height,
      };
    }

    // Every state of the frames was laid out beforehand; the nearest to what is wanted is shown.
    function states() {
      return Array.from(root.querySelectorAll("template[data-state]"));
    }

    function keysIn(state) {
      return new Set(state.dataset.state.split(" ").filter(Boolean));
    }

    function toggle(key) {
      const wanted = !collapsed.has(key);
      const goal = new Set(collapsed);
      if (wanted) goal.add(key);
      else goal.delete(key);
      let best = null;
      let least = Infinity;
      for (const state of states()) {
        const keys = keysIn(state);
        if (keys.has(key) !== wanted) continue;
        const apart = [...keys].filter((k) => !goal.has(k)).length + [...goal].filter((k) => !keys.has(k)).length;
        if (apart < least) {
          best = state;
          least = apart;
        }
      }
      if (!best) return;
      collapsed.clear();
      keysIn(best).forEach((k) => collapsed.add(k));
      stage.replaceChildren(best.content.cloneNode(true));
      prepare();
      const title = root.querySelector(`[data-toggle="${key}"]`);
      if (title) said.textContent = title.textContent + (wanted ? " is collapsed." : " is open.");
    }

    function prepare() {
      rove(nodes()[0]);
      home();
      root.querySelectorAll("[data-toggle]").forEach((button) => {
        button.setAttribute("aria-pressed", String(collapsed.has(button.dataset.toggle)));
      });
      root.querySelectorAll("[data-cluster] .ag-frame-title, [data-opens]").forEach((part) => {
        part.style.cursor = states().length ? "pointer" : "";
      });
    }

    root.addEventListener("keydown", (event) => {
      const group = event.target.closest && event.target.closest("g.node");
      if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
      if (MOVES[event.key]) {
        event.preventDefault();
        event.stopPropagation();
        go(MOVES[event.key](group));
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        if (group.dataset.opens) toggle(group.dataset.opens);
        else say(group);
      } else if (event.key === "+" || event.key === "-") {
        event.stopPropagation();
        zoom(event.key === "+" ? STEP : 1 / STEP);
      }
    });
    root.addEventListener("focusin", (event) => {
      const group = event.target.closest("g.node");
      if (group) say(group);
    });
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button && button.dataset.toggle) return toggle(button.dataset.toggle);
      if (button && button.dataset.zoom) {
        return button.dataset.zoom === "fit" ? home() : zoom(button.dataset.zoom === "in" ? STEP : 1 / STEP);
      }
      const opens = event.target.closest("[data-opens]");
      if (opens && states().length) return toggle(opens.dataset.opens);
      const title = event.target.closest(".ag-frame-title");
      if (title && states().length) return toggle(title.closest("[data-cluster]").dataset.cluster);
      const group = event.target.closest("g.node");
      if (group) go(group);
    });
    stage.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        zoom(event.deltaY < 0 ? STEP : 1 / STEP, place(event));
      },
      { passive: false },
    );
    let held = null;
    stage.addEventListener("pointerdown", (event) => {
      if (view.width < Number(svg().dataset.width) - 1) held = { at: place(event), x: event.clientX, y: event.clientY };
    });
    stage.addEventListener("pointermove", (event) => {
      if (!held || !event.buttons) return;
      const now = place(event);
      view.x += held.at.x - now.x;
      view.y += held.at.y - now.y;
      show();
    });
    stage.addEventListener("pointerup", () => (held = null));
    prepare();
  }

  document.querySelectorAll(".ag-drawing").forEach(setUp);
})();
