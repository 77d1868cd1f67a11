// The machine's side of a page: messages in, pictures and texts out. Runs in a worker, or in the page where there are
// none; `post(message, transfer)` answers. All work is done in turns, one for each frame of the screen.
"use strict";

function makeHost(post) {
	const DIRTY = 1, RUNNING = 2, OVER = 8, PROMPT = 16;
	const QUIET = 250;      // ms between two reports of a running machine's place
	const NO_MEMORY = 3;    // status of a diagnostic
	let compiled = null, good = null, machine = null, canvas = null, context = null, size = null, waiting = false, hidden = false;
	let last = 0, told = 0, wasRunning = false, slow = 0, opens = false, moved = true, drawn = 0;

	const frame = typeof requestAnimationFrame === "function" ? requestAnimationFrame : (f) => setTimeout(f, 16);

	function turn() {
		waiting = false;
		if (!machine || hidden)
			return;
		const now = performance.now();
		const flags = machine.turn(Math.min(0.25, (now - last) / 1000)), running = (flags & RUNNING) !== 0;
		last = now;
		if (opens)      // the turn has run the program and gone to its place
			post({ kind: "opened", program: machine.program() });
		if (flags & DIRTY && size && !(slow && running && now - drawn < slow))
			draw(now);
		if (moved || running !== wasRunning || opens || (running && now - told > QUIET))
			tell(flags, now);
		wasRunning = running;
		opens = false;
		if (running)
			wake();
	}

	function draw(now) {
		const pixels = machine.draw(size.width, size.height);
		drawn = now;
		if (!pixels)
			return;
		if (context)
			context.putImageData(new ImageData(pixels, size.width, size.height), 0, 0);
		else
			post({ kind: "picture", width: size.width, height: size.height, pixels: pixels.slice() });
		moved = true;
	}

	function tell(flags, now) {
		told = now;
		moved = false;
		post({ kind: "drawn", state: machine.state(), sentence: machine.sentence(), message: machine.message(),
			line: machine.line(), running: (flags & RUNNING) !== 0, over: (flags & OVER) !== 0,
			prompt: (flags & PROMPT) !== 0, bytes: machine.bytes() });
	}

	function wake() {
		if (!waiting && machine && !hidden) {
			waiting = true;
			frame(turn);
		}
	}

	async function anew() {
		machine = await makeMachine(compiled, (text) => post({ kind: "console", text }));
		if (size)
			machine.size(size.width, size.height, size.scale);
	}

	function attempt(m) {
		try {
			return machine.open(m.program, m.state, m.keep);
		} catch (e) {   // the machine lacked memory where nothing is left to be said
			return { status: NO_MEMORY, file: "", line: 0, column: 0, text: "out of memory (" + e.message + ")" };
		}
	}

	// An instance's memory never shrinks, and its free pieces may be too small for any program: without memory a program
	// has another instance to itself, and behind a program too large for that, the last good one has the next.
	async function opened(m) {
		let error = attempt(m);
		if (error && error.status === NO_MEMORY && good) {
			await anew();
			error = attempt(m);
		}
		if (!error) {
			good = m;
		} else if (error.status === NO_MEMORY) {
			await anew();
			if (good)
				attempt(good);
		}
		return error;
	}

	const heard = {
		async module(m) {
			const stream = new Blob([m.gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
			compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
			await anew();
			post({ kind: "ready" });
		},
		canvas(m) {
			canvas = m.canvas;
			context = canvas.getContext("2d", { alpha: false });
		},
		async open(m) {
			const error = await opened(m);
			if (error)
				post({ kind: "failed", error, id: m.id });
			else
				post({ kind: "loaded", id: m.id, program: machine.program() });
			opens = !error;
			moved = true;
		},
		key: (m) => machine.key(m.name),
		command: (m) => machine.command(m.line),
		speed: (m) => machine.speed(m.steps),
		breaks: (m) => post({ kind: "text", id: m.id, text: JSON.stringify(machine.program().breaks || []) }),
		point: (m) => machine.point(m.what, m.x, m.y),
		wheel: (m) => machine.wheel(m.x, m.y, m.rows),
		size(m) {
			size = m;
			if (canvas) {
				canvas.width = m.width;
				canvas.height = m.height;
			}
			machine.size(m.width, m.height, m.scale);
		},
		text: (m) => post({ kind: "text", id: m.id, text: machine.text(m.pane, m.columns) }),
		report: (m) => post({ kind: "report", id: m.id, text: machine.report(), error: machine.error() }),
		verdict: (m) => post({ kind: "report", id: m.id, text: machine.verdict(m.lab) }),
		hidden(m) {
			hidden = m.hidden;
			last = performance.now();
		},
		slow(m) {
			slow = m.ms;
		},
	};
	// Messages that came before the module was ready wait for it, in their order.
	let ready = Promise.resolve();
	return {
		hear(m) {
			ready = ready.then(() => heard[m.kind](m)).then(wake).catch((e) =>
				post({ kind: "broken", text: String(e && e.message || e) }));
		},
	};
}
