// Many samples through the module in one node: node samples.js FRONTENDS/WEB LAB.WASM.GZ PART ...
// texts FILE...: the diagnostic of each file, as the program prints them.
// keys FILE KEY...: the state at first, and behind each key.
// addresses SEED N FILE...: N random states, options and texts of each file, out into an address and in again.
"use strict";
const fs = require("fs"), zlib = require("zlib"), path = require("path");

const [folder, moduleFile, part, ...given] = process.argv.slice(2);
const script = (name, what) => new Function(fs.readFileSync(path.join(folder, name), "utf8") + "\nreturn " + what + ";")();
const makeMachine = script("machine.js", "makeMachine"), fragments = script("lab.js", "fragments");

let compiled = null;
const machine = async () => makeMachine(compiled, (text) => process.stderr.write(text));

function open(m, file) {
	const error = m.open({ files: [{ name: path.basename(file), bytes: fs.readFileSync(file) }], options: [] }, null, false);
	while (!error && m.turn(0) & 4);
	if (!error && m.size(1280, 800, 1))
		m.draw(1280, 800);
	return error;
}

// Numbers below n, the same for each seed (a generator of congruences; its upper bits).
function randomOf(seed) {
	let state = BigInt(seed);
	return (n) => {
		state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
		return Number((state >> 33n) % BigInt(n));
	};
}

async function texts() {
	const m = await machine();
	for (const file of given) {
		const e = open(m, file);
		console.log(e ? [e.file, e.line || "", e.column || ""].filter(Boolean).join(":") + ": " + e.text : file + " is right");
	}
}

async function keys() {
	const [file, ...names] = given, m = await machine();
	open(m, file);
	console.log(m.state());
	for (const name of names) {
		m.key(name);
		m.draw(1280, 800);
		console.log(m.state());
	}
}

const KEYS = ["n", "p", "N", "P", "]", "[", "d", "D", "j", "J", "s", "S", "u", "U", "Home", "End", "Tab", "S-Tab", "1", "2", "3",
	"4", "5", "6", "7", "8", "9", "0", "v", "f", "Up", "Down", "PageUp", "PageDown", "Left", "Right", "+", "-", "=", "o", "w", "W",
	"a", "m", "M", "h", "T", "c", "H", "t"];
const OPTIONS = [["block", "32"], ["policy", "gto"], ["mps", "2"], ["define", "a=1"], ["kernel", "größer"]];
const LETTERS = ["a", "0", " ", "\n", "\t", "%", "#", ";", "=", "+", "/", "'", "\"", "<", ">", "&", "é", "→", "𝄞", "</script>"];

async function addresses() {
	const [seed, n, ...files] = given, random = randomOf(seed), any = (list) => list[random(list.length)];
	let passed = 0, failed = 0;
	for (const file of files) {
		const from = await machine(), to = await machine(), original = fs.readFileSync(file, "utf8");
		open(from, file);
		open(to, file);
		for (let i = 0; i < Number(n); i++) {
			const pressed = Array.from({ length: random(6) }, () => any(KEYS));
			for (const key of pressed)
				from.key(key);
			if (!random(4))
				from.command("watch " + any(["$r0", "$r1/f", "$r2/x", "n", "s[0x40]", "$c0"]));
			const state = from.state(), options = OPTIONS.filter(() => !random(4));
			const at = random(original.length + 1), put = Array.from({ length: random(20) }, () => any(LETTERS)).join("");
			const text = original.slice(0, at) + put + original.slice(at);
			const fragment = fragments.write(state, options, put ? await fragments.pack(text) : null);
			const kept = new URL("file:///lab.html" + fragment).hash;       // as a browser keeps the fragment
			const read = fragments.read(kept);
			to.command("state " + read.state);
			const found = JSON.stringify([kept, read.state, to.state(), read.options,
				read.packed === null ? original : await fragments.unpack(read.packed)]);
			const expected = JSON.stringify([fragment, state, state, options, text]);
			if (found === expected)
				passed++;
			else if (failed++ < 5)
				console.log(`${path.basename(file)} ${i}, behind ${pressed.join(" ")}:\n  found    ${found}\n  expected ${expected}`);
		}
	}
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed ? 1 : 0;
}

(async () => {
	compiled = await WebAssembly.compile(zlib.gunzipSync(fs.readFileSync(moduleFile)));
	await { texts, keys, addresses }[part]();
})().catch((e) => { console.error(e.stack); process.exit(70); });
