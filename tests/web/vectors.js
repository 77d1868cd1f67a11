// Vectors of single instructions through the module's build of the machine (vectors.c), in node:
// node vectors.js MACHINE.JS VECTORS.WASM.GZ FILE.gz...
"use strict";
const fs = require("fs"), zlib = require("zlib"), path = require("path");

(async () => {
	const [machineFile, moduleFile, ...files] = process.argv.slice(2);
	const makeMachine = new Function(fs.readFileSync(machineFile, "utf8") + "\nreturn makeMachine;")();
	// The page's answers to calls of WASI serve here, but the functions differ: the instance is caught on its way.
	const instantiate = WebAssembly.instantiate;
	let exports = null;
	WebAssembly.instantiate = async (...given) => {
		const instance = await instantiate(...given);
		exports = instance.exports;
		return instance;
	};
	await makeMachine(await WebAssembly.compile(zlib.gunzipSync(fs.readFileSync(moduleFile))),
		(text) => process.stdout.write(text));
	const give = (text) => {
		const bytes = Buffer.from(text + "\0"), at = exports.vectors_memory(bytes.length);
		new Uint8Array(exports.memory.buffer).set(bytes, at);
		return at;
	};
	let worst = 0;
	for (const file of files) {
		const text = zlib.gunzipSync(fs.readFileSync(file)).toString();
		worst = exports.vectors_run(give(path.basename(file)), give(text), Buffer.byteLength(text)) || worst;
	}
	const used = process.cpuUsage(), failed = exports.vectors_end();
	if (process.env.TIMES)
		process.stderr.write(`${((used.user + used.system) / 1e6).toFixed(2)} s of processor\n`);
	process.exitCode = worst || failed;
})().catch((e) => { console.error(e.stack); process.exit(70); });
