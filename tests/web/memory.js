// The page's host in node: node memory.js MACHINE.JS WORKER.JS LAB.WASM.GZ PROGRAM. Programs that do not fit the module's
// memory are refused, and the next program opens, whichever came before; a line for each message.
"use strict";
const fs = require("fs");
const [machineFile, workerFile, moduleFile, file] = process.argv.slice(2);
const makeHost = new Function(fs.readFileSync(machineFile, "utf8") + fs.readFileSync(workerFile, "utf8") +
	"\nreturn makeHost;")();
const text = fs.readFileSync(file, "utf8");
const huge = [["lmem", "65536"], ["grid", "65535,1"]];
const opens = [["none", []], ["12", [...huge, ["mps", "12"]]], ["none", []], ["14", [...huge, ["mps", "14"]]],
	["15", [...huge, ["mps", "15"]]], ["none", []], ["8", [...huge, ["mps", "8"]]], ["none", []]];
let next = 0;

const host = makeHost((m) => {
	if (m.kind === "loaded" || m.kind === "failed")
		console.log(opens[m.id][0], m.kind, m.kind === "failed" ? m.error.status : m.program.kernel);
	if (m.kind === "broken")
		console.log("broken", m.text);
	if ((m.kind === "ready" || m.kind === "loaded" || m.kind === "failed") && next < opens.length)
		host.hear({ kind: "open", id: next, state: "wb1:theme=dark", keep: false,
			program: { files: [{ name: "k.s", text }], options: opens[next++][1], arguments: [], vertices: [] } });
	else if (next === opens.length && m.kind !== "console")
		setTimeout(() => process.exit(0), 100);
});
host.hear({ kind: "module", gzip: fs.readFileSync(moduleFile) });
host.hear({ kind: "size", width: 800, height: 500, scale: 1 });
