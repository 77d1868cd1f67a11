// The script of a page of `warpbeam report`. Everything is there without it; with it marks can be touched, and pixels tell
// their lane. Texts of a program become text nodes only.
(function () {
	'use strict';
	// Timelines: the mark nearest to the pointer, within its row, as a text below.
	document.querySelectorAll('.timeline').forEach(function (svg) {
		var says = svg.parentElement.nextElementSibling, marks = svg.querySelectorAll('rect'), chosen = null;
		says.hidden = false;
		function choose(event) {
			var at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
			var best = null, least = Infinity;
			marks.forEach(function (m) {
				var b = m.getBBox(), dx = Math.max(b.x - at.x, at.x - b.x - b.width, 0);
				var dy = Math.max(b.y - at.y, at.y - b.y - b.height, 0), d = dx * dx + 4 * dy * dy;
				if (d < least) { least = d; best = m; }
			});
			if (!best || least > 1600) { return; }
			if (chosen) { chosen.classList.remove('chosen'); }
			chosen = best;
			best.classList.add('chosen');
			says.textContent = best.querySelector('title').textContent;
		}
		svg.addEventListener('click', choose);
	});
	// The picture.
	var data = document.getElementById('history'), picture = document.getElementById('picture');
	if (!data || !picture) { return; }
	var h = JSON.parse(data.textContent), w = h.rect[2], x = -1, y = -1;
	var box = picture.parentElement.querySelector('.history');
	picture.parentElement.previousElementSibling.querySelector('.touch').hidden = false;
	function bit(mask, lane) {   // masks are hexadecimal texts of up to 64 bits
		var digit = mask[mask.length - 1 - (lane >> 2)];
		return digit !== undefined && (parseInt(digit, 16) >> (lane & 3) & 1) === 1;
	}
	function add(parent, name, text, kind) {
		var e = document.createElement(name);
		e.textContent = text;
		if (kind) { e.className = kind; }
		parent.appendChild(e);
		return e;
	}
	function square(i) { return 'M' + i % w + ' ' + Math.floor(i / w) + 'h1v1h-1z'; }
	function place(thread) {   // h.map: of how many lanes the second word counts; 0: a picture
		return h.map && thread >= 0 ? h.words[0] + thread % h.map + h.words[1] + Math.floor(thread / h.map)
			: 'Pixel ' + (h.rect[0] + x) + ', ' + (h.rect[1] + y);
	}
	function show() {
		var i = y * w + x, thread = h.thread[i], warp = Math.floor(thread / h.lanes), lane = thread % h.lanes;
		var paths = picture.querySelectorAll('path'), same = '', rows = 0, run = 0;
		box.textContent = '';
		paths[1].setAttribute('d', square(i));
		paths[2].setAttribute('d', square(i));
		if (thread < 0) {
			paths[0].setAttribute('d', '');
			add(box, 'p', place(thread) + (h.map ? ': no thread.' : ': not covered.'));
			return;
		}
		h.thread.forEach(function (t, k) { if (t >= 0 && Math.floor(t / h.lanes) === warp) { same += square(k); } });
		paths[0].setAttribute('d', same);
		var says = add(box, 'p', ''), table = document.createElement('table');
		var head = add(add(table, 'thead', ''), 'tr', ''), body = add(table, 'tbody', '');
		['cycle', 'pc', 'line', 'instruction', 'this lane'].forEach(function (t) { add(head, 'th', t); });
		var e = h.warp[warp], last = e.length - 4;
		while (last >= 0 && !bit(h.mask[e[last + 2]], lane)) { last -= 4; }
		for (var k = 0; k + 3 < e.length; k += 4) {
			var code = h.code[e[k + 1]], active = bit(h.mask[e[k + 2]], lane), runs = bit(h.mask[e[k + 3]], lane);
			var row = add(body, 'tr', '', runs ? '' : 'off');
			add(row, 'td', e[k].toLocaleString('en'), 'n');
			add(row, 'td', '0x' + code[0].toString(16), 'n');
			add(row, 'td', code[2] || '', 'n');
			add(add(row, 'td', ''), 'code', code[1]);
			add(row, 'td', runs ? 'executes' : active ? 'predicated off' : k < last ? 'branched off' : 'has ended');
			rows++;
			run += runs ? 1 : 0;
		}
		says.textContent = place(thread) + (h.map ? '' : ', colour #' + h.colour[i].toString(16).padStart(6, '0')) +
			': warp ' + warp + ' lane ' + lane + ', which executed ' +
			run + ' of the ' + rows + ' instructions that its warp issued.';
		box.appendChild(table);
	}
	picture.addEventListener('click', function (event) {
		var at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
		x = Math.min(Math.max(Math.floor(at.x), 0), w - 1);
		y = Math.min(Math.max(Math.floor(at.y), 0), h.rect[3] - 1);
		show();
	});
	picture.addEventListener('keydown', function (event) {
		var step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
		if (!step) { return; }
		event.preventDefault();
		x = Math.min(Math.max(x + step[0], 0), w - 1);
		y = Math.min(Math.max(y + step[1], 0), h.rect[3] - 1);
		show();
	});
})();
