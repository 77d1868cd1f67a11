// An editor of assembly text: the browser's own text area (its undo, its search, its input methods) over the same text in
// colours, with line numbers, breakpoints and marks of diagnostics beside it.
"use strict";

function makeEditor(root, on) {
	const make = (name, cls, parent) => {
		const e = document.createElement(name);
		e.className = cls;
		(parent || root).append(e);
		return e;
	};
	const gutter = make("div", "gutter");
	const body = make("div", "body");
	const colours = make("pre", "colours", body);
	const area = make("textarea", "area", body);
	gutter.setAttribute("aria-hidden", "true");
	colours.setAttribute("aria-hidden", "true");
	Object.assign(area, { spellcheck: false, autocapitalize: "off", wrap: "off" });
	area.setAttribute("autocomplete", "off");
	area.setAttribute("autocorrect", "off");
	area.setAttribute("aria-label", "program text");
	let known = new Set(), breaks = new Set(), marks = new Map(), here = 0, issues = new Map(), timer = 0, lines = 0;
	let tabMoves = false;   // for the next key
	let movesAlways = false;

	const token = /(\/\/.*$|\/\*.*?\*\/)|("[^"\n]*")|(^\s*[A-Za-z_.$][\w.$]*:|#[A-Za-z_]\w*)|(\.[A-Za-z_]\w*)|(\$[A-Za-z]\w*|\b[rsvc]\d+\b|\b[rsv]\[[\d:]+\])|(-?\b0x[0-9a-fA-F]+\b|-?\b\d[\w.]*\b)|([A-Za-z_][\w.]*)/g;
	const classes = ["comment", "text", "label", "directive", "register", "number", "word"];

	function colourLine(line, row) {
		const out = document.createElement("span");
		let at = 0;
		const mark = marks.get(row);
		for (const m of line.matchAll(token)) {
			const which = classes.findIndex((c, i) => m[i + 1] !== undefined);
			if (m.index > at)
				out.append(line.slice(at, m.index));
			const s = document.createElement("span");
			s.className = classes[which] === "word" ? (known.has(m[0].toLowerCase()) ? "mnemonic" : "") : classes[which];
			s.textContent = m[0];
			out.append(s);
			at = m.index + m[0].length;
		}
		out.append(line.slice(at) + "\n");
		if (mark)
			out.className = mark.severity;
		return out;
	}

	// The underline of a diagnostic: from its column to the end of the word.
	function underline() {
		for (const old of body.querySelectorAll(".underline, .sentence"))
			old.remove();
		const all = area.value.split("\n");
		for (const [row, mark] of marks) {
			const text = all[row - 1] || "", from = Math.max(0, mark.column - 1);
			const word = /^\S+/.exec(text.slice(from)), n = Math.max(1, word ? word[0].length : 1);
			const tabs = (s) => [...s].reduce((w, c) => c === "\t" ? (w + 8) & ~7 : w + 1, 0);
			const u = make("div", "underline " + mark.severity, body);
			const x = tabs(text.slice(0, from));
			u.style.cssText = `--row:${row - 1};--from:${x};--n:${tabs(text.slice(0, from + n)) - x}`;
			const s = make("div", "sentence " + mark.severity, body);
			s.style.cssText = `--row:${row}`;
			s.textContent = mark.text;
		}
	}

	const short = (n) => n < 10000 ? String(n) : n < 1e6 ? Math.round(n / 1e3) + "k" : Math.round(n / 1e6) + "M";

	function draw() {
		const text = area.value.split("\n");
		colours.replaceChildren(...text.map((line, i) => colourLine(line, i + 1)));
		gutter.replaceChildren(...text.map((line, i) => {
			const row = i + 1, e = document.createElement("div");
			const mark = marks.get(row);
			e.className = (row === here ? "here " : "") + (breaks.has(row) ? "break " : "") + (mark ? mark.severity : "");
			const n = issues.get(row);
			if (n !== undefined)
				make("small", "", e).textContent = short(n);
			make("b", "", e).textContent = row;
			e.title = "line " + row + (n === undefined ? "" : ", " + n + " issues") + (breaks.has(row) ? ", breakpoint" : "") +
				": a click sets a breakpoint";
			return e;
		}));
		lines = text.length;
		underline();
		fit();
	}

	// As high as the text, so that area, colours and gutter scroll as one.
	function fit() {
		const columns = Math.max(20, ...area.value.split("\n").map((l) => l.replace(/\t/g, "        ").length + 2));
		body.style.setProperty("--columns", columns);
		body.style.setProperty("--rows", lines + 1);
	}

	gutter.addEventListener("click", (e) => {
		const row = [...gutter.children].indexOf(e.target.closest("div")) + 1;
		if (row > 0)
			on.breakpoint(row);
	});
	area.addEventListener("input", () => {
		marks.clear();
		issues.clear();
		draw();
		clearTimeout(timer);
		timer = setTimeout(() => on.change(area.value), 300);
	});
	area.addEventListener("keydown", (e) => {
		if ((e.ctrlKey || e.metaKey) && e.key === "Enter") {
			e.preventDefault();
			on.command("run");
		} else if (e.key === "F10") {
			e.preventDefault();
			on.command(e.shiftKey ? "back" : "step");
		} else if (e.key === "F9") {
			e.preventDefault();
			on.breakpoint(area.value.slice(0, area.selectionStart).split("\n").length);
		} else if (e.key === "Escape") {
			tabMoves = true;
			return;
		} else if (e.key === "Tab" && !e.shiftKey && !tabMoves && !movesAlways) {
			const before = area.value.slice(0, area.selectionStart);
			if (before.endsWith("\n") || before === "")
				return;         // at a line's beginning the browser moves on
			e.preventDefault();
			document.execCommand("insertText", false, "\t");
		}
		if (e.key !== "Tab")
			tabMoves = false;
	});

	return {
		get text() { return area.value; },
		set text(t) { area.value = t; marks.clear(); issues.clear(); draw(); },
		get tabMoves() { return movesAlways; },
		set tabMoves(v) { movesAlways = v; },
		set readOnly(v) { area.readOnly = v; },
		focus: () => area.focus(),
		// As if typed.
		replace(t) {
			area.focus();
			area.select();
			document.execCommand("insertText", false, t);
		},
		words(list) { known = new Set(list); draw(); },
		// Marks: [{ line, column, text, severity: "error" or "warning" }].
		mark(list) { marks = new Map(list.map((m) => [m.line, m])); draw(); },
		// Issues: [[line, number]], of the run of the text as it is; an edit takes them away.
		issues(list) {
			issues = new Map();
			for (const [line, n] of list)
				issues.set(line, (issues.get(line) || 0) + n);
			draw();
		},
		breakpoints(list) { breaks = new Set(list); draw(); },
		line(row) {
			if (row === here)
				return;
			const old = gutter.children[here - 1], now = gutter.children[row - 1];
			if (old)
				old.classList.remove("here");
			if (now)
				now.classList.add("here");
			here = row;
		},
		area,
	};
}
