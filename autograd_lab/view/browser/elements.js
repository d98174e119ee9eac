// Small parts of the page. Everything that takes the focus keeps its keys from the notebook.

export function make(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

// Text with `code` in it.
export function withCode(element, text) {
  const parts = text.split("`").map((part, i) => (i % 2 ? make("code", "", part) : part));
  element.replaceChildren(...parts);
  return element;
}

export function button(text, label, onclick = null) {
  const made = focusable(make("button", "al-button", text));
  made.type = "button";
  made.title = label;
  made.onclick = onclick;
  return made;
}

// JupyterLab acts on keys before a widget sees them, unless the focused element itself says otherwise.
export function focusable(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  return element;
}

// What is wider than its place scrolls, and whoever has no mouse must reach it.
export function reachable(element, label) {
  const scrolls = element.scrollWidth > element.clientWidth + 1;
  if (scrolls === element.hasAttribute("tabindex")) return;
  if (scrolls) {
    focusable(element).tabIndex = 0;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", label);
  } else ["tabindex", "role", "aria-label"].forEach((name) => element.removeAttribute(name));
}

export function numberBox(label) {
  const made = focusable(make("input", "al-input"));
  Object.assign(made, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  made.setAttribute("aria-label", label);
  return made;
}

// JupyterLab lets no key submit a form, so Enter is heard in the box itself.
export function onEnter(box, act) {
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

// A file made in the page: no kernel and no network is asked.
export function download(name, type, text) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
