// Reads a JSON list of DOT texts from standard input and writes the list of their layouts, made by the WASM build.
import { instance } from "@viz-js/viz";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const viz = await instance();
const layouts = JSON.parse(Buffer.concat(chunks).toString("utf8")).map((dot) => viz.renderString(dot, { format: "json0" }));
process.stdout.write(JSON.stringify({ version: viz.graphvizVersion, layouts }));
