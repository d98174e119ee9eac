// What a typed text means as a number, and when two numbers are the same answer.

// Every number the text may mean: "1/3", "0,5", "1,000" (one or a thousand), "2e-3".
export function numbersIn(text) {
  const halves = text.replace(/[−–]/g, "-").replace(/[\s=]+/g, "").split("/");
  if (halves.length > 2) return [];
  const [above, below] = halves.map(readings);
  if (halves.length === 1) return above;
  return above.flatMap((a) => below.filter((b) => b !== 0).map((b) => a / b));
}

function readings(text) {
  const forms = new Set();
  const separators = text.replace(/[^.,]/g, "");
  if (!separators.includes(",")) forms.add(text);
  else if (separators.includes(".")) {
    const decimal = separators.at(-1); // the last one is the decimal sign, the other one groups thousands
    forms.add(text.replaceAll(decimal === "," ? "." : ",", "").replace(",", "."));
  } else {
    if (separators.length === 1) forms.add(text.replace(",", "."));
    if (/^[-+]?\d{1,3}(,\d{3})+$/.test(text)) forms.add(text.replaceAll(",", ""));
  }
  return [...forms].filter((form) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(form)).map(Number);
}

export function near(typed, answer) {
  return Math.abs(typed - answer) <= Math.max(1e-3 * Math.abs(answer), 1e-9);
}

// An estimate or a number rounded too early: not the answer, but no wrong belief either.
export function almost(typed, answer) {
  return Math.abs(typed - answer) <= 0.02 * Math.abs(answer);
}

// A number as text with four digits that count.
export function short(number) {
  if (number === null || number === undefined) return "not finite";
  return String(Number(number.toPrecision(4)));
}
