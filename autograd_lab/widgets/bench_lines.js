// A list of lines whose order one finds: those in use, and those laid aside. Moved by keys, by buttons and by dragging.

const HELP =
  "Move a line with its buttons, by dragging, or with the keys: ↑ and ↓ move the line that has the focus, " +
  "Space takes it out or in.";

export function orderField(field, value, changed, tools) {
  const { make, focusable } = tools;
  const root = make("div", "ab-order");
  const help = make("p", "ab-hint", HELP);
  const said = make("span", "ab-unseen");
  said.setAttribute("aria-live", "polite");
  const used = list("Your loop, from top to bottom", true);
  const aside = list("Not used", false);
  root.append(help, used.part, aside.part, said);
  let order = [];
  show(value);

  function list(title, inUse) {
    const part = make("div", "ab-order-part");
    const lines = make(inUse ? "ol" : "ul", "ab-lines");
    lines.setAttribute("aria-label", title);
    lines.dataset.used = String(inUse);
    part.append(make("p", "ab-order-title", title), lines);
    return { part, lines };
  }

  function show(next, focusKey = null) {
    order = [...next];
    used.lines.replaceChildren(...order.map((key, place) => line(key, place)));
    const rest = field.keys.filter((key) => !order.includes(key));
    aside.lines.replaceChildren(...rest.map((key) => line(key, -1)));
    if (focusKey) root.querySelector(`[data-line="${focusKey}"]`)?.focus({ preventScroll: true });
  }

  function code(key) {
    return field.options[field.keys.indexOf(key)];
  }

  function line(key, place) {
    const inUse = place >= 0;
    const item = focusable(make("li", "ab-line"));
    item.tabIndex = 0;
    item.dataset.line = key;
    item.setAttribute("aria-label", inUse ? `line ${place + 1}: ${code(key)}` : `not used: ${code(key)}`);
    const grip = make("span", "ab-grip", "⠿");
    grip.setAttribute("aria-hidden", "true");
    item.append(grip, make("code", "", code(key)));
    const bar = make("span", "ab-line-bar");
    const press = (text, label, to) => {
      const button = focusable(make("button", "ab-small", text));
      button.type = "button";
      button.tabIndex = -1; // the line itself has keys for this
      button.setAttribute("aria-label", `${label}: ${code(key)}`);
      button.title = label;
      button.onclick = () => put(key, to);
      bar.append(button);
      return button;
    };
    if (inUse) {
      press("↑", "Move up", place - 1).disabled = place === 0;
      press("↓", "Move down", place + 1).disabled = place === order.length - 1;
      press("out", "Take out", -1);
    } else press("use", "Use", order.length);
    item.append(bar);
    item.addEventListener("keydown", (event) => onKey(event, key));
    grip.addEventListener("pointerdown", (event) => drag(event, key, item));
    return item;
  }

  function onKey(event, key) {
    if (event.target.tagName === "BUTTON" || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = order.indexOf(key);
    const to = { ArrowUp: place - 1, ArrowDown: place + 1, " ": place < 0 ? order.length : -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === " " || (place >= 0 && to >= 0 && to < order.length)) put(key, to);
  }

  function put(key, to) {
    const next = order.filter((other) => other !== key);
    if (to >= 0) next.splice(to, 0, key);
    show(next, key);
    said.textContent = to < 0 ? `${code(key)} is not used now` : `${code(key)} is line ${next.indexOf(key) + 1}`;
    changed([...next]);
  }

  // While one drags, the line moves among the others; where it is let go is where it stays.
  function drag(event, key, item) {
    event.preventDefault();
    item.classList.add("is-dragged");
    const move = (where) => {
      for (const lines of [used.lines, aside.lines]) {
        const box = lines.getBoundingClientRect();
        if (where.clientY < box.top - 12 || where.clientY > box.bottom + 12) continue;
        const after = [...lines.children].find((other) => {
          const part = other.getBoundingClientRect();
          return other !== item && where.clientY < part.top + part.height / 2;
        });
        lines.insertBefore(item, after || null);
        return;
      }
    };
    const drop = () => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", drop);
      document.removeEventListener("pointercancel", drop);
      put(key, [...used.lines.children].indexOf(item));
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", drop);
  }

  return { element: root, show };
}
