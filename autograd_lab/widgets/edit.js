// Boxes for the inputs; the kernel answers with new data, or says in `note` what is wrong.
function addEdit(root, edit, model) {
  const form = make("form", "aw-edit");
  const inputs = new Map();
  form.append(make("span", "aw-edit-label", edit.label));
  for (const [name, value] of edit.fields) {
    const label = make("label", "", `\`${name}\` = `);
    const input = focusable(make("input", "aw-field"));
    Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false, value });
    input.style.width = `${Math.min(24, Math.max(5, value.length + 3))}ch`;
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter") return;
      event.preventDefault();
      ask();
    });
    label.append(input);
    inputs.set(name, input);
    form.append(label);
  }
  const told = liveRegion("aw-told");
  const ask = () => {
    const wish = Object.fromEntries([...inputs].map(([name, input]) => [name, input.value]));
    told.textContent = "Computing …";
    model.set("wish", { ...wish, number: Date.now() });
    model.save_changes();
  };
  form.append(button(edit.button, ask), told);
  form.addEventListener("submit", (event) => event.preventDefault());
  const hear = () => (told.textContent = model.get("note").text || "");
  model.on("change:note", hear);
  root.append(form);
  return () => model.off("change:note", hear);
}
