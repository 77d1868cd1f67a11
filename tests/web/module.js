// The module in node: node module.js MACHINE.JS LAB.WASM.GZ COMMAND FILE [NAME=VALUE]...; FILE is a program or a page.
// report: the document of `run --json`. time: opening, and four reports. budgets: processor's milliseconds of opening and
// of a frame while running at 1280 by 800 (median of 60 steps a second, and at full speed), MiB of memory. verdict lab=FILE: that of `lab --json` about a program. picture WxH STATE: the sha256 of the canvas.
"use strict";
const fs = require("fs"), zlib = require("zlib"), path = require("path"), crypto = require("crypto");

(async () => {
	const [machineFile, moduleFile, command, file, ...options] = process.argv.slice(2);
	const makeMachine = new Function(fs.readFileSync(machineFile, "utf8") + "\nreturn makeMachine;")();
	const module = await WebAssembly.compile(zlib.gunzipSync(fs.readFileSync(moduleFile)));
	const machine = await makeMachine(module, (text) => process.stderr.write(text));
	const since = (before) => {
		const used = process.cpuUsage(before);
		return (used.user + used.system) / 1000;
	};
	// The least of three medians: other work of the host makes frames longer, none makes them shorter.
	function frame(machine, speed) {
		const medians = [];
		for (let round = 0; round < 3; round++) {
			const times = [];
			machine.command("start");
			machine.speed(speed);
			machine.command("run");
			for (let running = true; running && times.length < 60;) {
				const before = process.cpuUsage(), flags = machine.turn(1 / 60);
				if (!(flags & 1))
					continue;       // no step was due, nothing is drawn
				machine.draw(1280, 800);
				times.push(since(before));
				running = (flags & 2) !== 0;
			}
			machine.command("run");
			medians.push(times.sort((a, b) => a - b)[times.length >> 1]);
		}
		return Math.min(...medians);
	}
	function budgets(machine, program) {
		const before = process.cpuUsage();
		machine.open(program, null, false);
		machine.turn(0);
		console.log("open", Math.round(since(before)));
		machine.size(1280, 800, 1);
		machine.draw(1280, 800);
		console.log("frame", Math.ceil(frame(machine, 60)));
		console.log("fast", Math.ceil(frame(machine, 0)));
		machine.report();
		console.log("memory", Math.ceil(machine.bytes() / (1 << 20)));
	}
	let program = { files: [{ name: file, bytes: fs.readFileSync(file) }], options: [] };
	if (file.endsWith(".html")) {   // a page: the program in it
		const page = /<script type="application\/json" id="wb-program">([^]*?)<\/script>/.exec(program.files[0].bytes);
		program = JSON.parse(page[1]);
		program.files = program.files.map((f) =>
			f.text !== undefined ? f : { name: f.name, bytes: Buffer.from(f.base64, "base64") });
	}
	const timed = (name, f) => {
		const before = process.cpuUsage(), r = f(), used = process.cpuUsage(before);
		if (process.env.TIMES)
			process.stderr.write(`${name}: ${((used.user + used.system) / 1e6).toFixed(2)} s of processor\n`);
		return r;
	};
	let size = "1280x800", state = null, lab = "";
	for (const o of options) {
		const at = o.indexOf("="), name = o.slice(0, at), value = o.slice(at + 1);
		if (name === "size")
			size = value;
		else if (name === "state")
			state = value;
		else if (name === "lab")
			lab = value;
		else
			program.options.push([name, value]);
	}
	if (command === "budgets") {
		budgets(machine, program);
		return;
	}
	const error = timed("open", () => machine.open(program, state, false));
	if (error) {
		console.log(JSON.stringify(error));
		process.exit(error.status);
	}
	if (command === "time") {
		for (let i = 1; i < 5; i++)
			timed(`report, run ${i}`, () => machine.report());
	} else if (command === "report") {
		timed("survey", () => { machine.turn(0); });
		process.stdout.write(timed("report", () => machine.report()) + "\n");
	} else if (command === "verdict") {
		process.stdout.write(machine.verdict(fs.readFileSync(lab, "utf8")) + "\n");
	} else {
		const [w, h] = size.split("x").map(Number);
		timed("survey", () => { machine.turn(0); });
		machine.size(w, h, 1);
		const pixels = timed("draw", () => machine.draw(w, h));
		timed("again", () => machine.draw(w, h));
		if (command === "pixels")
			process.stdout.write(Buffer.from(pixels));
		console.log(crypto.createHash("sha256").update(pixels).digest("hex") + " " + machine.state());
		if (process.env.TIMES)
			process.stderr.write(`memory ${machine.bytes() >> 20} MiB\n`);
	}
})().catch((e) => { console.error(e.stack); process.exit(70); });
