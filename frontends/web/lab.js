// The page around the machine: bar, editor, canvas, address. All of the machine's work is behind `host`, in a worker if
// the browser has them.
"use strict";

// An address behind its `#`: a state, options of the run, and a changed text, packed.
const fragments = {
	async pack(t) {
		const stream = new Blob([t]).stream().pipeThrough(new CompressionStream("deflate-raw"));
		const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
		const text = bytes.reduce((all, b) => all + String.fromCharCode(b), "");
		return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
	},
	// At most MOST characters: a few bytes may unpack to very many.
	async unpack(t) {
		const MOST = 1 << 20;
		const bytes = Uint8Array.from(atob(t.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
		const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
		const decoder = new TextDecoder("utf-8", { fatal: true });
		let out = "";
		for (;;) {
			const { done, value } = await reader.read();
			if (done)
				return out + decoder.decode();
			out += decoder.decode(value, { stream: true });
			if (out.length > MOST)
				throw new Error("more than a megabyte");
		}
	},
	// options: [[name, value]]; packed: null for the page's own text.
	write(state, options, packed) {
		const given = options.map(([name, value]) => `;o=${name}:${value}`).join("");
		return "#" + encodeURI(state + given + (packed === null ? "" : ";s=" + packed)).replace(/'/g, "%27");
	},
	// { state, options, packed }; null: the address is not percent-encoded rightly.
	read(fragment) {
		let all;
		try {
			all = decodeURI(fragment.slice(1));
		} catch (e) {
			return null;
		}
		const source = /;s=([^;]*)/.exec(all);
		return { state: all.replace(/;[so]=[^;]*/g, ""), packed: source ? source[1] : null,
			options: [...all.matchAll(/;o=([^;:]*):([^;]*)/g)].map((m) => [m[1], m[2]]) };
	},
};

function startLab() {
	const $ = (id) => document.getElementById(id);
	const program = JSON.parse($("wb-program").textContent);
	const main = document.querySelector("main"), stage = $("stage"), say = $("say"), root = document.documentElement;
	const embedded = /[?&]embed\b/.test(location.search) || window.parent !== window;
	const original = program.files[0].text || "", fixed = program.source !== undefined;   // fixed: compiled elsewhere
	const store = (() => {
		try {
			const s = window.localStorage;
			s.getItem("");
			return s;
		} catch (e) {
			return null;
		}
	})();
	const keep = (key, value) => {
		try {
			if (store)
				store.setItem(key, value);
		} catch (e) { /* full, or forbidden */ }
	};
	const kept = (key) => store ? store.getItem(key) : null;


	let asking = null;      // state of the latest opening
	let given = [];         // options of the run that the address has
	let host = null, canvas = null, context = null, now = { state: program.state || "" }, editor = null, textOn = false;
	let unit = Number(kept("wb-unit")) || 0, opened = false, asked = 0, wanted = 0, hashTimer = 0, hashLast = 0, info = null;
	let answers = new Map(), failed = null, obeyed = "", text = original, width = 0, height = 0, scale = 1;

	if (embedded) {
		document.body.classList.add("framed");
		$("own").hidden = false;
		$("own").href = location.href.replace(/[?#].*/, "");
		if (!/[?&]embed=edit\b/.test(location.search))
			document.body.classList.add("embed");
	}
	if (program.lab !== undefined) {
		document.querySelector('#tabs [data-tab="lab"]').hidden = false;
		main.dataset.tab = "lab";
		for (const b of document.querySelectorAll("#tabs [role=tab]"))
			b.setAttribute("aria-selected", String(b.dataset.tab === "lab"));
	}

	// ---- what the browser must have ----

	function lacks() {
		if (typeof WebAssembly !== "object" || typeof WebAssembly.validate !== "function")
			return "WebAssembly";
		// (func (result v128) i32.const 0 i8x16.splat) and (func return_call 0)
		const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]);
		const tail = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 6, 1, 4, 0, 18, 0, 11]);
		if (!WebAssembly.validate(simd))
			return "WebAssembly's SIMD (fixed-width vectors)";
		if (!WebAssembly.validate(tail))
			return "WebAssembly's tail calls";
		if (typeof DecompressionStream !== "function")
			return "DecompressionStream";
		return null;
	}

	// The picture of the page's theme, until the machine draws; the picture for paper is the light one.
	function dress() {
		root.dataset.theme = program.theme || preferred();
		const light = $("paper") && $("paper").querySelector("svg");
		if (light && /light|print/.test(root.dataset.theme))
			$("still").replaceChildren(light.cloneNode(true));
	}

	function still(sentence) {
		const p = document.createElement("p");
		p.className = "lack";
		p.textContent = sentence;
		stage.parentNode.prepend(p);
		tell(sentence, true);
		for (const b of document.querySelectorAll("#bar button:not(#help, #tables)"))
			b.disabled = true;
	}

	function tell(sentence, bad) {
		if (say.textContent !== sentence)
			say.textContent = sentence;
		$("status").classList.toggle("bad", Boolean(bad));
	}

	// ---- the machine ----

	function makeWorker() {
		const source = '"use strict";\n' + makeMachine + "\n" + makeHost +
			"\nconst host = makeHost((m, t) => postMessage(m, t || []));\nonmessage = (e) => host.hear(e.data);\n";
		try {
			const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
			const worker = new Worker(url);
			worker.onmessage = (e) => hear(e.data);
			worker.onerror = (e) => still("the machine stopped: " + e.message);
			return { send: (m, transfer) => worker.postMessage(m, transfer || []), worker: true };
		} catch (e) {
			const here = makeHost((m) => hear(m));
			return { send: (m) => here.hear(m), worker: false };
		}
	}

	function start() {
		dress();
		const missing = lacks();
		if (missing) {
			still("This browser lacks " + missing + ", which the machine needs: the picture is still, and the report " +
				"is of a run that was made with the page. Chromium 112, Firefox 121 and Safari 18.2 have it.");
			return;
		}
		host = makeWorker();
		canvas = document.createElement("canvas");
		canvas.setAttribute("role", "img");
		canvas.setAttribute("aria-label", "the panes of " + program.files[0].name);
		// In a site all pages share one file of scripts, which has the module as well.
		const coded = typeof wbModule === "string" ? wbModule : $("wb-module").textContent.trim();
		const data = atob(coded), gzip = new Uint8Array(data.length);
		for (let i = 0; i < data.length; i++)
			gzip[i] = data.charCodeAt(i);
		host.send({ kind: "module", gzip }, [gzip.buffer]);
		if (host.worker && typeof canvas.transferControlToOffscreen === "function") {
			const off = canvas.transferControlToOffscreen();
			host.send({ kind: "canvas", canvas: off }, [off]);
		} else {
			context = canvas.getContext("2d", { alpha: false });
		}
		measure();
		readAddress(true);
		if (matchMedia("(prefers-reduced-motion: reduce)").matches)
			host.send({ kind: "slow", ms: 250 });
		document.addEventListener("visibilitychange", () => host.send({ kind: "hidden", hidden: document.hidden }));
	}

	function open(state, keepPlace) {
		const files = program.files.map((f, i) => i === 0 && f.text !== undefined ? { name: f.name, text } : decoded(f));
		// Arguments of the command line are those of the kernel that the page was made with.
		const kernel = chosen(given), own = kernel === undefined || kernel === chosen(program.options);
		asked++;
		asking = state;
		host.send({ kind: "open", id: asked, state, keep: keepPlace,
			program: { files, options: [...program.options, ...given], arguments: own ? program.arguments : [],
				vertices: program.vertices } });
	}

	const chosen = (options) => (options.find(([name]) => name === "kernel") || [])[1];

	// The kernels of the file; the choice is an option of the run, and so part of the address.
	function showKernels() {
		const menu = $("kernel");
		menu.hidden = info.kernels.length < 2;
		menu.replaceChildren(...info.kernels.map((k) => new Option(k, k, false, k === info.kernel)));
	}
	$("kernel").onchange = (e) => {
		given = [...given.filter(([name]) => name !== "kernel"), ["kernel", e.target.value]];
		open(now.state.replace(/;(c|i|w|mp|pc|left)=[^;]*/g, ""), false);
	};

	function decoded(f) {
		return f.text !== undefined ? f : { name: f.name, bytes: Uint8Array.from(atob(f.base64), (c) => c.charCodeAt(0)) };
	}

	function hear(m) {
		if (m.kind === "loaded" && m.id === asked) {
			failed = null;
			judge();
			$("strip").hidden = true;
			info = m.program;
			showKernels();
			editor.mark(info.warnings.filter((w) => !w.file || w.file === program.files[0].name)
				.map((w) => ({ line: w.line, column: w.column, text: w.text, severity: "warning" })));
		} else if (m.kind === "opened") {
			info = m.program;
			editor.issues(info.line_issues || []);
			if (main.classList.contains("tables") || main.dataset.tab === "report")
				showReport();
			showBreaks();
		} else if (m.kind === "failed" && m.id === asked && given.length && !opened) {
			given = [];     // options that are none: the rest of the address is obeyed
			open(asking, false);
			setTimeout(() => tell("the address: " + m.error.text, true), 1000);
		} else if (m.kind === "failed" && m.id === asked) {
			failed = m.error;
			judged(null, "The text has an error in it: nothing is judged.");
			const mine = m.error.line && (!m.error.file || m.error.file === program.files[0].name);
			editor.mark(mine ? [{ line: m.error.line, column: m.error.column, text: m.error.text, severity: "error" }] : []);
			$("strip").hidden = !opened;
			tell((m.error.line ? "line " + m.error.line + ": " : "") + m.error.text, true);
		} else if (m.kind === "drawn") {
			drawn(m);
		} else if (m.kind === "picture") {
			canvas.width = m.width;
			canvas.height = m.height;
			context.putImageData(new ImageData(m.pixels, m.width, m.height), 0, 0);
		} else if (m.kind === "text" || m.kind === "report") {
			const answer = answers.get(m.id);
			answers.delete(m.id);
			if (answer)
				answer(m.text);
		} else if (m.kind === "broken") {
			still("the machine cannot run here: " + m.text);
		}
	}

	function drawn(m) {
		const stopped = !m.running;
		now = m;
		if (!opened && m.state) {
			opened = true;
			$("still").hidden = true;
			$("still").style.display = "none";
			stage.prepend(canvas);
			document.body.dataset.ready = "yes";
		}
		const cycle = /;c=(\d+)/.exec(m.state);
		// The sentence stays when another warp issues: then the cycle alone is said.
		$("place").setAttribute("aria-live", stopped ? "polite" : "off");
		$("place").textContent = cycle ? "cycle " + cycle[1] : "";
		$("run").textContent = m.running ? "❚❚" : "▶▶";
		$("run").setAttribute("aria-label", m.running ? "pause" : "run");
		$("status").classList.toggle("told", Boolean(m.message));
		if (!failed)
			tell(m.running ? "running" : m.message || (m.over ? "end. " : "") + m.sentence);
		editor.line(m.line);
		theme(/;theme=([\w-]+)/.exec(m.state));
		if (stopped) {
			document.body.dataset.stopped = String(Number(document.body.dataset.stopped || 0) + 1);
			const pane = /;pane=(\w+)/.exec(m.state);
			ask({ kind: "text", pane: pane ? pane[1] : "", columns: 100 }).then((t) => { $("pane-text").textContent = t; });
			if (textOn)
				showText();
			address();
		}
	}

	function ask(m) {
		const id = ++wanted;
		host.send({ ...m, id });
		return new Promise((answer) => answers.set(id, answer));
	}

	const command = (line) => host && host.send({ kind: "command", line });

	function showBreaks() {
		editor.breakpoints((info.breaks || []).map((b) => /^:(\d+)$/.exec(b)).filter(Boolean).map((m) => Number(m[1])));
	}

	// ---- theme, size ----

	function theme(m) {
		if (m && root.dataset.theme !== m[1])
			root.dataset.theme = m[1];
	}

	function preferred() {
		return matchMedia("(prefers-contrast: more)").matches ? "high-contrast"
			: matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
	}

	// A phone, upright or lying: tabs in place of columns (lab.css has the same words).
	const onPhone = matchMedia("(max-width: 599px), (max-height: 479px) and (max-width: 1099px)");

	// The canvas has a pixel for each of the device; a unit is a whole number of pixels, and a cell 7 by 15 units. Below 82
	// columns, and on a phone, the panes stand one under another, each as high as its content needs: then 44 columns are
	// enough, else 15 rows. Units grow as long as the picture fits.
	let stacked = false;
	function measure() {
		const ratio = window.devicePixelRatio || 1, narrow = onPhone.matches;
		const box = stage.getBoundingClientRect();
		const across = Math.max(64, Math.round((stage.clientWidth || innerWidth) * ratio));
		const visible = Math.max(200, box.height || innerHeight - 180);
		const stacks = (s) => narrow || across < 82 * 7 * s;
		const fits = (s) => stacks(s) ? across >= 44 * 7 * s : visible * ratio >= 15 * 15 * s;
		let s = Math.max(1, Math.min(8, Math.round(ratio) + unit));
		while (s > 1 && !fits(s))
			s--;
		$("larger").disabled = s === 8 || !fits(s + 1);
		stacked = stacks(s);
		stage.classList.toggle("tall", stacked);
		const high = Math.round((stacked ? Math.max(visible, 1560 * s / ratio) : visible) * ratio);
		const w = Math.floor(across / s) * s, h = Math.max(64, Math.floor(high / s) * s);
		if (!host || (w === width && h === height && s === scale) || w < 65)
			return;
		width = w;
		height = h;
		scale = s;
		canvas.style.width = w / ratio + "px";
		canvas.style.height = h / ratio + "px";
		host.send({ kind: "size", width, height, scale });
	}
	new ResizeObserver(() => requestAnimationFrame(measure)).observe(stage);
	addEventListener("resize", measure);
	// Another screen may have other pixels.
	(function watchPixels() {
		matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
			.addEventListener("change", () => { measure(); watchPixels(); }, { once: true });
	})();

	for (const [id, step] of [["smaller", -1], ["larger", 1]])
		$(id).onclick = () => {
			unit = scale + step - Math.round(window.devicePixelRatio || 1);
			keep("wb-unit", unit);
			measure();
		};
	$("theme").onclick = () => command("theme");
	$("skip").onclick = () => { document.querySelector('#tabs [data-tab="panes"]').click(); stage.focus(); };

	// ---- keys ----

	const named = { " ": "Space", ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right", Escape: "Esc" };
	const plain = ["Enter", "Backspace", "Tab", "Home", "End", "PageUp", "PageDown", "F1", "F10"];
	let tabs = 0;

	stage.addEventListener("focus", () => { tabs = 0; });
	stage.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.altKey || e.metaKey || !host || e.isComposing)
			return;
		let name = named[e.key] || (plain.includes(e.key) || [...e.key].length === 1 ? e.key : "");
		if (e.shiftKey && (name === "Tab" || name === "F10"))
			name = "S-" + name;
		if (!name)
			return;
		if (!now.prompt) {
			if (name === "Esc" && !now.message) {
				stage.blur();
				return;
			}
			// Behind the last pane Tab goes on in the page.
			if ((name === "Tab" || name === "S-Tab") && ++tabs >= (info ? info.panes.length : 1)) {
				tabs = 0;
				return;
			}
			if (name === "X" || name === "q" || name === "?" || name === "F1") {
				e.preventDefault();
				if (name === "X")
					toggleText();
				else if (name !== "q")
					$("manual").showModal();
				return;
			}
			if (name === "y") {
				e.preventDefault();
				share();
				return;
			}
			if (name === "x") {
				e.preventDefault();
				picture();
				return;
			}
		}
		e.preventDefault();
		host.send({ kind: "key", name });
	});
	for (const b of document.querySelectorAll("#bar [data-command]"))
		b.addEventListener("click", () => command(b.dataset.command));
	const speeds = [1, 4, 15, 60, 0];
	$("speed").addEventListener("input", () => {
		if (host)
			host.send({ kind: "speed", steps: speeds[Number($("speed").value)] });
	});

	// ---- pointer ----

	const points = new Map();
	const ROW = 20;         // CSS pixels of a drag that scroll a row
	let pressed = null, long = 0, apart = 0;
	const at = (e) => {
		const r = canvas.getBoundingClientRect(), k = width / r.width;
		return [Math.round((e.clientX - r.left) * k), Math.round((e.clientY - r.top) * k)];
	};
	const point = (what, e) => {
		const [x, y] = at(e);
		host.send({ kind: "point", what, x, y });
	};
	const scroll = (e, rows) => {
		const [x, y] = at(e);
		host.send({ kind: "wheel", x, y, rows });
	};
	const distance = () => {
		const [a, b] = [...points.values()];
		return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
	};
	stage.addEventListener("pointerdown", (e) => {
		if (!host || !opened || e.button)
			return;
		points.set(e.pointerId, e);
		stage.focus({ preventScroll: true });
		if (points.size === 2) {
			apart = distance();
			clearTimeout(long);
			pressed = null;
			return;
		}
		pressed = { e, moved: false, down: e.pointerType !== "touch" };
		if (pressed.down) {
			stage.setPointerCapture(e.pointerId);
			point(1, e);
		} else {
			long = setTimeout(() => point(0, e), 500);
		}
	});
	stage.addEventListener("pointermove", (e) => {
		if (!host || !opened)
			return;
		if (points.has(e.pointerId))
			points.set(e.pointerId, e);
		if (points.size === 2) {
			const d = distance();
			if (d > apart * 1.3 || d < apart / 1.3) {
				command(d > apart ? "zoom in" : "zoom out");
				apart = d;
			}
			return;
		}
		if (e.pointerType !== "touch") {
			point(0, e);
		} else if (pressed) {
			const dx = e.clientX - pressed.e.clientX, dy = e.clientY - pressed.e.clientY;
			if (Math.abs(dx) > 24 && Math.abs(dx) > Math.abs(dy)) {
				clearTimeout(long);
				command(dx < 0 ? "right" : "left");
				pressed.e = e;
				pressed.moved = true;
			} else if (Math.abs(dy) > ROW && Math.abs(dy) > Math.abs(dx)) {
				// Where the page itself scrolls, the browser has taken the pointer.
				clearTimeout(long);
				scroll(pressed.e, -Math.trunc(dy / ROW));
				pressed.e = e;
				pressed.moved = true;
			}
		}
	});
	const up = (e) => {
		clearTimeout(long);
		points.delete(e.pointerId);
		if (pressed && pressed.down)
			point(2, e);
		else if (pressed && !pressed.moved && e.type === "pointerup") {
			point(1, e);
			point(2, e);
		}
		pressed = null;
	};
	stage.addEventListener("pointerup", up);
	stage.addEventListener("pointercancel", up);
	stage.addEventListener("pointerleave", () => host && host.send({ kind: "point", what: 0, x: -1, y: -1 }));
	stage.addEventListener("wheel", (e) => {
		if (!host || !opened)
			return;
		if (e.ctrlKey)
			command(e.deltaY < 0 ? "zoom in" : "zoom out");
		else if (stacked)
			return;
		else
			scroll(e, e.deltaY < 0 ? -1 : 1);
		e.preventDefault();
	}, { passive: false });

	// ---- text of all panes, report ----

	async function showText() {
		const names = info ? info.panes.map((p) => p.name) : [];
		const all = await Promise.all(names.map((pane) => ask({ kind: "text", pane, columns: 100 })));
		$("text").textContent = all.join("\n\n");
	}

	// The text and the report take the panes' place, one of them at a time.
	function toggleText() {
		textOn = !textOn;
		if (textOn && main.classList.contains("tables"))
			toggleReport();
		$("text").hidden = !textOn;
		stage.hidden = textOn;
		$("words").setAttribute("aria-pressed", String(textOn));
		if (textOn)
			showText();
		else
			measure();
	}
	$("words").onclick = toggleText;

	async function showReport() {
		const r = JSON.parse(await ask({ kind: "report" }) || "null"), section = $("report");
		if (!r)
			return;
		const h = document.createElement("h2");
		h.textContent = "Report";
		const stopped = document.createElement("p");
		stopped.textContent = r.result === "ok" ? "" : "The run ended early: " + (r.message || r.result) + ".";
		section.replaceChildren(h, stopped, ...reports.tables(r));
	}

	function toggleReport() {
		const on = main.classList.toggle("tables");
		if (on && textOn)
			toggleText();
		$("tables").setAttribute("aria-pressed", String(on));
		if (on && host)
			showReport();
		if (on)
			$("report").focus();
		else
			measure();
	}
	$("tables").onclick = toggleReport;
	$("report").addEventListener("keydown", (e) => {
		if (e.key === "Escape" && main.classList.contains("tables")) {
			toggleReport();
			$("tables").focus();
		}
	});

	// All programs of the site.
	if (typeof wbPrograms === "object") {
		const here = location.pathname.replace(/.*\/|\.html$/g, ""), menu = $("programs");
		menu.append(new Option("Gallery …", "index"));
		for (const [label, names] of Object.entries(wbPrograms)) {
			const group = document.createElement("optgroup");
			group.label = label;
			group.append(...names.map((n) => new Option(n, n, false, n === here)));
			menu.append(group);
		}
		menu.onchange = () => { location.href = menu.value + ".html"; };
	}

	// On paper: the program beside the first picture and the report.
	addEventListener("beforeprint", () => { $("listing").textContent = fixed ? program.source : text; });

	for (const t of document.querySelectorAll("#tabs [role=tab]"))
		t.onclick = () => {
			main.dataset.tab = t.dataset.tab;
			for (const other of document.querySelectorAll("#tabs [role=tab]"))
				other.setAttribute("aria-selected", String(other === t));
			if (t.dataset.tab === "report" && host)
				showReport();
			measure();
		};

	// ---- the lab ----

	function judged(verdict, sentence) {
		if (program.lab === undefined)
			return;
		for (const [i, li] of [...$("goals").children].entries()) {
			const goal = verdict && verdict.goals[i], state = li.querySelector(".state");
			state.textContent = !goal ? "open" : goal.met ? "met" : "missing";
			li.className = state.textContent;
			const lines = !goal || verdict.error ? [] : goal.lines.filter((l) => goal.met ? "found" in l : l.verdict !== "holds");
			li.querySelector("ul").replaceChildren(...lines.map((l) => {
				const e = document.createElement("li");
				e.textContent = l.sentence;
				return e;
			}));
		}
		const said = sentence || (verdict.error ? "Stopped: " + verdict.error : verdict.solved ? "Solved: all goals are met."
			: verdict.met + " of " + verdict.goals.length + " goals met.");
		if ($("verdict").textContent !== said)
			$("verdict").textContent = said;
		$("lab").dataset.solved = verdict ? String(verdict.solved) : "";
		// On a phone the verdict is behind the tab.
		document.querySelector('#tabs [data-tab="lab"]').textContent = !verdict ? "Lab"
			: verdict.solved ? "Lab ✓" : "Lab " + verdict.met + "/" + verdict.goals.length;
	}

	async function judge() {
		if (program.lab === undefined)
			return;
		const judging = asked, verdict = JSON.parse(await ask({ kind: "verdict", lab: program.lab }) || "null");
		if (judging === asked && verdict)
			judged(verdict);
	}

	// The solution of a compiled lab travels compiled, and takes the program's place until the button brings it back.
	const other = program.solution;
	function swap() {
		[program.files[0], other.file] = [other.file, program.files[0]];
		[program.source, other.source] = [other.source, program.source];
		other.shown = !other.shown;
		editor.text = program.source;
		$("take").textContent = other.shown ? "Back to the program of the question" : "Run it";
		open(null, true);
	}
	// In assembly it goes into the editor as typing does, so that undo brings the reader's own text back.
	if (program.lab !== undefined)
		$("take").onclick = () => {
			if (onPhone.matches)
				document.querySelector('#tabs [data-tab="code"]').click();
			if (other)
				swap();
			else
				editor.replace(document.querySelector("#solution pre").textContent);
		};
	if (other)
		$("take").textContent = "Run it";

	// ---- the address ----

	const hasAddress = location.protocol !== "file:";

	async function fragment() {
		const packed = text === original ? null : await fragments.pack(text);
		return packed && packed.length > 8000 ? null : fragments.write(now.state || "", given, packed);
	}

	function address() {
		clearTimeout(hashTimer);
		const wait = Math.max(0, 250 - (performance.now() - hashLast));
		hashTimer = setTimeout(async () => {
			hashLast = performance.now();
			const f = await fragment(), stop = document.body.dataset.stopped;
			document.body.dataset.settled = stop;   // tests wait for it
			if (f && f !== location.hash) {
				obeyed = f;
				try {
					history.replaceState(null, "", f);
				} catch (e) { /* a page in a frame without an origin */ }
			}
		}, wait);
	}

	async function readAddress(first) {
		const raw = location.hash;
		let state = "", complaint = "";
		if (raw && raw !== obeyed) {
			const read = fragments.read(raw), before = JSON.stringify(given);
			if (!read)
				complaint = "the address is not percent-encoded rightly; it is not obeyed";
			state = read ? read.state : "";
			given = read ? read.options : [];
			if (before !== JSON.stringify(given))
				editor.opened = null;
			if (read && read.packed !== null)
				try {
					text = await fragments.unpack(read.packed);
				} catch (e) {
					complaint = "the text in the address does not unpack: the page's own is shown";
				}
		} else if (!first) {
			return;
		}
		obeyed = raw;
		if (fixed)
			text = original;
		else if (editor.text !== text)
			setText(text);
		if (first && !/[:;]theme=/.test(state))
			state = (state || program.state || "wb1:") + ";theme=" + (program.theme || preferred());
		state = state.replace("wb1:;", "wb1:");
		if (first || text !== editor.opened)
			open(state || null, false);
		else
			command("state " + state);
		editor.opened = text;
		if (complaint)
			setTimeout(() => tell(complaint, true), 1000);
	}
	addEventListener("hashchange", () => readAddress(false));

	async function share() {
		const f = await fragment();
		if (!f) {
			tell("The changed text is too long for an address: download it.", true);
			return;
		}
		const address = hasAddress ? location.href.split("#")[0] + f : f;
		try {
			await navigator.clipboard.writeText(address);
			tell(hasAddress ? "The address is copied." : "Copied: the fragment; it belongs to " + document.title + ".");
		} catch (e) {
			tell(address);
		}
	}
	$("share").onclick = share;

	// ---- the editor ----

	function setText(t) {
		text = t;
		editor.text = t;
		$("revert").disabled = t === original;
	}

	editor = makeEditor($("editor"), {
		change(t) {
			text = t;
			$("revert").disabled = t === original;
			if (program.digest)
				keep("wb-text-" + program.digest, t === original ? "" : t);
			editor.opened = t;
			if (host)
				open(null, true);
		},
		command,
		breakpoint(line) {
			command("break :" + line);
			ask({ kind: "breaks" }).then((b) => { info.breaks = JSON.parse(b); showBreaks(); });
		},
	});
	$("name").textContent = program.files[0].name;
	// On a tablet either part folds away by its title.
	for (const b of document.querySelectorAll(".fold"))
		b.onclick = () => {
			main.dataset.folded = main.dataset.folded === b.dataset.fold ? "" : b.dataset.fold;
			for (const other of document.querySelectorAll(".fold"))
				other.setAttribute("aria-expanded", String(other.dataset.fold !== main.dataset.folded));
		};
	$("more").onclick = () =>
		$("more").setAttribute("aria-expanded", String(document.body.classList.toggle("more")));
	editor.tabMoves = Boolean(kept("wb-tab-moves"));
	$("tab-moves").checked = editor.tabMoves;
	$("tab-moves").onchange = () => {
		editor.tabMoves = $("tab-moves").checked;
		keep("wb-tab-moves", editor.tabMoves ? "yes" : "");
	};
	editor.words(program.words || []);
	setText(original);
	if (fixed) {
		editor.text = program.source;
		editor.readOnly = true;
		$("revert").hidden = true;
	}
	$("note").textContent = program.note || "";
	$("note").hidden = !program.note;
	const old = program.digest && kept("wb-text-" + program.digest);
	if (old && old !== original) {
		$("note").hidden = false;
		const b = document.createElement("button");
		b.textContent = "Take the text that you changed here before";
		b.onclick = () => {
			setText(old);
			$("note").hidden = true;
			open(null, true);
		};
		$("note").replaceChildren(b);
	}
	$("revert").onclick = () => {
		setText(original);
		editor.opened = original;
		if (host)
			open(null, true);
	};

	function save(name, blob) {
		const a = document.createElement("a");
		a.href = URL.createObjectURL(blob);
		a.download = name;
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 1000);
	}
	$("download").onclick = () => save(program.files[0].name, new Blob([fixed ? program.source : text], { type: "text/plain" }));
	const picture = () => canvas.toBlob && canvas.toBlob((b) => b && save("warpbeam.png", b));
	addEventListener("dragover", (e) => e.preventDefault());
	addEventListener("drop", async (e) => {
		e.preventDefault();
		const f = e.dataTransfer.files[0];
		if (f && fixed) {
			tell("A page of a compiled program takes no other text.", true);
		} else if (f && f.size > 1 << 20) {
			tell(f.name + " has " + f.size + " bytes, more than a megabyte: not taken.", true);
		} else if (f) {
			setText(await f.text());
			editor.opened = text;
			open(null, true);
		}
	});

	// ---- divider, help, embedding ----

	const divider = $("divider");
	const share100 = (percent) => {
		const p = Math.max(20, Math.min(70, percent));
		root.style.setProperty("--code", p + "%");
		divider.setAttribute("aria-valuenow", String(Math.round(p)));
	};
	divider.addEventListener("pointerdown", (e) => {
		divider.setPointerCapture(e.pointerId);
		divider.onpointermove = (m) => share100(100 * m.clientX / innerWidth);
		divider.onpointerup = () => { divider.onpointermove = null; };
	});
	divider.addEventListener("keydown", (e) => {
		const by = { ArrowLeft: -2, ArrowRight: 2 }[e.key];
		if (by) {
			e.preventDefault();
			share100(Number(divider.getAttribute("aria-valuenow")) + by);
		}
	});
	$("help").onclick = () => $("manual").showModal();
	if (embedded && window.parent !== window)
		window.parent.postMessage({ warpbeam: "height", height: 560 }, "*");
	start();
}
