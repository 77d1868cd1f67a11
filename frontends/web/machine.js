// The module from JavaScript: WASI's few calls answered, texts in and out. In the page's worker, in the page itself
// where there are no workers, and in node for tests.
"use strict";

// say(text): what the module writes to its descriptors 1 and 2.
async function makeMachine(module, say) {
	let exports = null;
	const encoder = new TextEncoder(), decoder = new TextDecoder();
	const view = () => new DataView(exports.memory.buffer);
	const bytes = () => new Uint8Array(exports.memory.buffer);
	const SUCCESS = 0, BADF = 8, NOSYS = 52;

	const wasi = {
		clock_time_get(id, precision, out) {
			view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
			return SUCCESS;
		},
		random_get(out, n) {
			bytes().subarray(out, out + n).fill(0);
			return SUCCESS;
		},
		fd_write(fd, parts, n, out) {
			if (fd !== 1 && fd !== 2)
				return BADF;
			let all = 0, text = "";
			for (let i = 0; i < n; i++) {
				const at = view().getUint32(parts + 8 * i, true), size = view().getUint32(parts + 8 * i + 4, true);
				text += decoder.decode(bytes().subarray(at, at + size), { stream: true });
				all += size;
			}
			view().setUint32(out, all, true);
			say(text);
			return SUCCESS;
		},
		// No environment, no arguments.
		environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), SUCCESS),
		args_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), SUCCESS),
		environ_get: () => SUCCESS,
		args_get: () => SUCCESS,
		sched_yield: () => SUCCESS,
		fd_prestat_get: () => BADF,
		proc_exit(code) {
			throw new Error("the machine stopped with code " + code);
		},
	};
	const imports = {};
	for (const { module: from, name } of WebAssembly.Module.imports(module)) {
		imports[from] = imports[from] || {};
		imports[from][name] = wasi[name] || (() => NOSYS);      // no file exists but those of the program
	}
	exports = (await WebAssembly.instantiate(module, imports)).exports;
	exports._initialize();

	// Bytes of the module's memory that the called function frees.
	const give = (data) => {
		const at = exports.page_memory(data.length);
		bytes().set(data, at);
		return at;
	};
	const giveText = (text) => give(encoder.encode(text + "\0"));
	const takeText = (at) => {
		const all = bytes();
		let end = at;
		while (at && all[end])
			end++;
		return at ? decoder.decode(all.slice(at, end)) : "";
	};
	const takeJson = (at) => JSON.parse(takeText(at) || "null");

	return {
		// program: { files: [{ name, text } or { name, bytes }], options: [[name, value]], arguments: [text],
		// vertices: [text] }.
		// Returns null, or the diagnostic.
		open(program, state, keep) {
			for (const f of program.files) {
				const data = f.bytes || encoder.encode(f.text);
				const at = give(data);
				exports.page_file(giveText(f.name), at, data.length);
			}
			for (const [name, value] of program.options || [])
				exports.page_option(giveText(name), giveText(value));
			for (const text of program.arguments || [])
				exports.page_argument(giveText(text));
			for (const text of program.vertices || [])
				exports.page_vertex(giveText(text));
			const status = exports.page_open(state ? giveText(state) : 0, keep ? 1 : 0);
			return status ? takeJson(exports.page_error()) : null;
		},
		program: () => takeJson(exports.page_program()),
		key: (name) => exports.page_key(giveText(name)),
		command: (line) => exports.page_command(giveText(line)),
		speed: (steps) => exports.page_speed(steps),
		point: (kind, x, y) => exports.page_point(kind, x, y),
		wheel: (x, y, rows) => exports.page_wheel(x, y, rows),
		size: (width, height, scale) => exports.page_size(width, height, scale) !== 0,
		turn: (seconds) => exports.page_turn(seconds),
		// The picture's bytes, valid until the next call.
		draw(width, height) {
			const at = exports.page_draw();
			return at ? new Uint8ClampedArray(exports.memory.buffer, at, width * height * 4) : null;
		},
		text: (pane, columns) => takeText(exports.page_text(giveText(pane), columns)),
		state: () => takeText(exports.page_state()),
		sentence: () => takeText(exports.page_sentence()),
		line: () => exports.page_line(),
		message: () => takeText(exports.page_message()),
		report: () => takeText(exports.page_report()),
		verdict: (lab) => takeText(exports.page_verdict(giveText(lab))),
		error: () => takeJson(exports.page_error()),
		bytes: () => exports.memory.buffer.byteLength,
	};
}
