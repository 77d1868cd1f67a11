// The report of a run as tables, from the document of `run --json`: counters, bill, branches, times and advice, in the
// words of the program's tables (WORDS, made of its .def files).
"use strict";

const reports = (() => {
	const whole = (n) => Math.round(n).toLocaleString("en-US");
	const percent = (part, all) => all ? (100 * part / all).toFixed(1) + " %" : "";

	// Columns of numbers stand to the right; words in a third or fourth column get lines of their own on a phone.
	function table(caption, head, rows, numbers) {
		const t = document.createElement("table"), h = t.createTHead().insertRow(), body = t.createTBody();
		t.className = head.length > 2 && !numbers.includes(head.length - 1) ? "worded" : "";
		const put = (cell, text, i) => {
			cell.textContent = text;
			cell.className = numbers.includes(i) ? "n" : "";
		};
		t.createCaption().textContent = caption;
		head.forEach((text, i) => {
			const th = document.createElement("th");
			th.scope = "col";
			put(th, text, i);
			h.append(th);
		});
		for (const cells of rows) {
			const tr = body.insertRow();
			cells.forEach((text, i) => put(tr.insertCell(), text, i));
		}
		return t;
	}

	// A counter that stayed at zero says little.
	const counters = (r) => table("Counters", ["counter", "value", "meaning"],
		Object.entries(r.counters).filter(([, v]) => v !== 0).map(([name, v]) =>
			[name, Number.isInteger(v) ? whole(v) : v.toFixed(3), WORDS.counters[name] || ""]), [1]);

	const bill = (r) => table(`The bill: ${whole(r.bill.lane_slots)} lane slots`, ["part", "lane slots", "share"],
		Object.entries(WORDS.bill).filter(([key]) => r.bill[key]).map(([key, title]) =>
			[title, whole(r.bill[key]), percent(r.bill[key], r.bill.lane_slots)]), [1, 2]);

	function branches(r) {
		const lost = r.bill.branched_off + r.bill.brk + r.bill.ret + r.bill.exited;
		return table("Lost lane slots by branch", ["pc", "instruction", "splits", "lost", "share"],
			r.bill.by_branch.map((b) => [b.pc, b.text, b.splits ? whole(b.splits) : "all", whole(b.lost), percent(b.lost, lost)]),
			[2, 3, 4]);
	}

	const resident = (r) => r.slot_cycles - (r.stalls.no_warp || 0);

	const times = (r) => table(`Where the time went: ${whole(resident(r))} warp cycles`,
		["reason", "cycles", "share", "what a warp did"],
		Object.entries(r.stalls).filter(([name, v]) => v && name !== "no_warp").map(([name, v]) =>
			[name, whole(v), percent(v, resident(r)), WORDS.stalls[name] || ""]), [1, 2]);

	// A warp is a cell, where the grid has it, in a colour of cividis from the least cycles to the most. Blocks of a row
	// are cut to about a square; the warps of a block stand side by side, or, where it has rows, as wide as the block
	// below each other.
	const RAMP = [[0, 32, 81], [60, 77, 110], [127, 124, 117], [187, 175, 113], [253, 234, 69]];
	const MOST_CELLS = 4096;

	function colour(share) {
		const at = Math.min(Math.floor(4 * share), 3), part = 4 * share - at;
		return `rgb(${RAMP[at].map((c, i) => Math.round(c + part * (RAMP[at + 1][i] - c))).join()})`;
	}

	function map(r) {
		const cost = (w) => w.cycles || w.issues, all = r.per_warp.map(cost), per = r.occupancy.warps_per_block || 1;
		const least = Math.min(...all), most = Math.max(...all), unit = r.slot_cycles ? "cycles" : "instructions";
		if (least === most || all.length > MOST_CELLS)
			return [];
		const [gx, gy] = r.config.grid.split(",").map(Number), [bx, by, bz] = r.config.block.split(",").map(Number);
		const blocks = Math.ceil(all.length / per), beside = !(by * bz > 1);
		const columns = gy > 1 ? gx : Math.min(blocks, Math.ceil(Math.sqrt(beside ? blocks / per : blocks * per)));
		const rows = Math.ceil(blocks / columns), [width, height] = beside ? [1, 1] : [bx, by * bz / per];
		const size = beside ? [columns * per, rows] : [columns * width, rows * per * height];
		const section = document.createElement("section"), says = document.createElement("p");
		const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
		const h = document.createElement("h3");
		h.textContent = `Map of cost: each warp from ${whole(least)} (dark) to ${whole(most)} ${unit}`;
		svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
		svg.setAttribute("role", "img");
		svg.setAttribute("aria-label", h.textContent);
		r.per_warp.forEach((w, i) => {
			const column = w.block % columns, line = Math.floor(w.block / columns);
			const x = beside ? column * per + w.warp : column * width, y = beside ? line : (line * per + w.warp) * height;
			const cell = document.createElementNS(svg.namespaceURI, "rect"), fill = colour((all[i] - least) / (most - least));
			for (const [name, value] of Object.entries({ x, y, width, height, fill }))
				cell.setAttribute(name, value);
			cell.onclick = () => {
				const waits = Object.entries(w.stalls || {})
					.filter(([name, v]) => v && name !== "issued" && name !== "no_warp").sort((a, b) => b[1] - a[1])
					.slice(0, 3).map(([name, v]) => `${whole(v)} ${WORDS.stalls[name] || name}`);
				says.textContent = `Block ${w.block} warp ${w.warp}: ${whole(w.issues)} instructions` +
					(w.cycles ? `, ${whole(w.cycles)} cycles` : "") + (waits.length ? `; ${waits.join("; ")}.` : ".");
			};
			svg.append(cell);
		});
		says.textContent = "Click a cell for its warp.";
		section.className = "map";
		section.append(h, svg, says);
		return [section];
	}

	// The address at the end of a jump's text, as in frontends/cli/advice.c; -1: no jump.
	const target = (text) => /bra/.test(text) && / 0x[0-9a-f]+$/.test(text) ? parseInt(text.split(" ").pop(), 16) : -1;

	function endsLoop(r, b) {
		const pc = parseInt(b.pc, 16), to = target(b.text);
		return /break|s_andn2_b64 exec/.test(b.text) || (to >= 0 && to <= pc) || r.per_pc.some((p) => {
			const begin = target(p.text), at = parseInt(p.pc, 16);
			return begin >= 0 && begin <= pc && at > pc && to > at;
		});
	}

	function accesses(r) {
		const all = r.per_pc.flatMap((p) => p.accesses || []);
		const sum = (list, of) => list.reduce((n, a) => n + (of(a) || 0), 0);
		const g = all.filter((a) => a.space === "g"), moved = sum(g, (a) => a.bytes);
		return {
			extra: all.length ? sum(all, (a) => a.passes ? a.passes - a.groups : 0) : r.counters.warp_serialize || 0,
			busy: r.memory.path_busy || 0,
			spare: moved ? Math.max(0, 1 - sum(g, (a) => a.useful_bytes) / moved) : 0,
		};
	}

	// [{gain, of, cause, remedy}], most gain first: the rows of advice.def.
	function advice(r) {
		const W = Object.fromEntries(Object.keys(WORDS.stalls).map((k) =>
			[k, resident(r) ? (r.stalls[k] || 0) / resident(r) : 0]));
		const dearest = r.bill.by_branch[0], moved = accesses(r);
		const T = { lost: dearest ? dearest.lost / r.bill.lane_slots : 0, loop: dearest && endsLoop(r, dearest) ? 1 : 0 };
		const O = { mean: r.occupancy.warps_mean || 0, possible: r.occupancy.warps || 1, mps: Number(r.config.mps) || 1 };
		const row = dearest && r.per_pc.find((p) => p.pc === dearest.pc);
		const place = row && row.line ? "line " + row.line : dearest && "pc " + dearest.pc;
		return WORDS.advice(r.counters, W, T, moved, moved, O)
			.map(([, gain, of, cause, remedy]) => ({ gain, of, cause: cause.replace("@", place), remedy }))
			.filter((a) => a.gain >= 0.05).sort((a, b) => b.gain - a.gain).slice(0, 3);
	}

	function help(r) {
		const rows = advice(r).map((a) => [Math.round(100 * a.gain) + " %", "of the " + a.of, a.cause + ": " + a.remedy]);
		return rows.length ? [table("What would help: estimates, each alone", ["gain", "of what", "why and how"], rows, [0])]
			: [];
	}

	return {
		tables: (r) => [counters(r), bill(r), ...(r.bill.by_branch.length ? [branches(r)] : []),
			...(r.slot_cycles ? [times(r)] : []), ...map(r), ...help(r)],
		advice,
	};
})();
