// The one thing that needs a kernel: computing anew. A question goes there as a message and is answered with one; new
// frames come as the widget's own values before the answer does.

const PATIENCE = 15000; // milliseconds
const SILENT = "The kernel does not answer: it is busy, or it was stopped. Run the cell again to go on.";

export function kernelOf(model) {
  const waiting = new Map();
  let serial = 0;
  const hear = (reply) => {
    const asked = waiting.get(reply?.serial);
    if (!asked) return;
    waiting.delete(reply.serial);
    clearTimeout(asked.late);
    if (reply.error) asked.fail(new Error(reply.error));
    else asked.done(reply);
  };
  model.on("msg:custom", hear);
  return {
    ask: (question) =>
      new Promise((done, fail) => {
        serial += 1;
        const own = `${Math.random()}-${serial}`; // two views of one widget hear each other's answers
        const late = setTimeout(() => waiting.delete(own) && fail(new Error(SILENT)), PATIENCE);
        waiting.set(own, { done, fail, late });
        try {
          model.send({ ...question, serial: own });
        } catch {
          hear({ serial: own, error: SILENT });
        }
      }),
    close: () => {
      model.off("msg:custom", hear);
      waiting.forEach(({ late }) => clearTimeout(late));
    },
  };
}
