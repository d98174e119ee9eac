// What each part shows at each step. A frame tells only what changes; a part's own history gives what it shows at any
// step, so that a step costs as much as it changes, however long the walk is.

export const HIDDEN = /⟦([^|⟧]*)\|([^⟧]*)⟧/g; // a number that a question hides: ⟦question|number⟧

export function historyOf(frames) {
  const texts = new Map(); // by field of the drawing, "n3.value"
  const states = new Map(); // by box or edge, "n3"
  const cells = new Map(); // by field, every element of a tensor
  const hiding = new Map(); // by question, the fields that hide its number
  frames.forEach((frame, at) => {
    for (const [key, text] of Object.entries(frame.set)) {
      put(texts, key, at, text);
      for (const [, ask] of text.matchAll(HIDDEN)) hiding.set(ask, (hiding.get(ask) || new Set()).add(key));
    }
    for (const [key, state] of Object.entries(frame.mark)) put(states, key, at, state);
    for (const [key, values] of Object.entries(frame.cells || {})) put(cells, key, at, values);
  });
  return { texts, states, cells, hiding };
}

function put(histories, key, at, value) {
  if (!histories.has(key)) histories.set(key, []);
  histories.get(key).push({ at, value });
}

// The last entry at or before a step; undefined if there is none yet.
export function latest(history = [], at) {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  return low ? history[low - 1].value : undefined;
}

// The fields and groups that may look different after going from one step to another.
export function touched(frames, from, to) {
  const fields = new Set();
  const groups = new Set();
  for (let i = Math.min(from, to); i <= Math.max(from, to); i++) {
    for (const key of Object.keys(frames[i].set)) fields.add(key);
    for (const key of Object.keys(frames[i].mark)) groups.add(key);
    for (const key of [...frames[i].active, ...frames[i].edges]) groups.add(key);
  }
  return { fields, groups };
}
