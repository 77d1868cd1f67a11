#!/bin/sh
# Pages of the verb report: complete in a file, escape texts of files, are valid HTML (where tidy is installed),
# and fit a phone and a desk in a browser (where Chromium is).   report.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
tidy=$(command -v tidy)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
[ -n "$tidy" ] || echo "pages are not checked: tidy is not installed"
[ -n "$browser" ] || echo "pages are not shown: Chromium is not installed"

# The page and the scrollable listing inside are no wider than a window of the given pixels.
fits() {   # PAGE WIDTH
	script='<script>document.title = "width " + Math.max(document.documentElement.scrollWidth,
		document.querySelector(".code").parentElement.scrollWidth)</script>'
	{ sed '/<\/body>/,$d' "$1" && printf '%s</body></html>\n' "$script"; } >shown.html
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
		--window-size="$2,900" --dump-dom "file://$work/shown.html" >dom 2>err
	found=$(sed -n 's|.*<title>width \([0-9]*\).*|\1|p' dom)
	[ -n "$found" ] && [ "$found" -le "$2" ]
	result $? "$1 is ${found:-not shown} pixels wide in a window of $2"
}

# A page after a script of the test: the text in `said` after ACTION.
does() {   # PAGE ACTION TEXT
	{
		sed '/<\/body>/,$d' "$1"
		printf '<script>var said;%s;document.title = "said " + said</script></body></html>\n' "$2"
	} >shown.html
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking \
		--user-data-dir="$work/browser" --window-size=1280,900 --dump-dom "file://$work/shown.html" >dom 2>err
	grep -q -e "<title>said [^<]*$3" dom
	result $? "$1 does not say '$3': $(grep -o '<title>said[^<]*' dom)"
}

good() {   # PAGE
	! grep -q -i -e 'https*:' -e ' src=' -e '<link' -e '@import' "$1"
	result $? "$1 needs something else: $(grep -i -m 1 -o -e 'http.*' -e ' src=.*' "$1")"
	[ "$(grep -c -i '<script>$' "$1")" = 1 ] &&
		! grep -i '<script' "$1" | grep -v -q -e '^<script>$' \
			-e '^<script type="application/json" id="history">'
	result $? "$1 has a script that is not the page's own"
	grep -q "Content-Security-Policy\" content=\"default-src 'none'" "$1"
	result $? "$1 may load something"
	for part in 'name="viewport"' '@media print' '<h2>The bill' '<h2>The program' '<h2>Occupancy' \
		'<h2>How to make this page again'; do
		grep -q -e "$part" "$1"
		result $? "$1 has no $part"
	done
	if [ -n "$tidy" ]; then
		"$tidy" -q -e --drop-empty-elements no "$1" >said 2>&1
		result $? "$1: $(head -n 3 said)"
	fi
}

for file in ifelse.s matmul.s nested.s lock-ok.s diffuse.vsh quads.gsh; do
	check 0 err 'written to' "$warpbeam" report "$root/examples/$file" -o "$file.html"
	good "$file.html"
	grep -q '<svg' "$file.html" && grep -q '<rect .*<title>' "$file.html"
	result $? "$file: a timeline to hover"
done
ok 'asm' "$warpbeam" asm "$root/examples/nested.s" --format cubin -o nested.cubin
check 0 err 'written to' "$warpbeam" report nested.cubin --block 32 -a zero=128 -o cubin.html
good cubin.html
if "$warpbeam" info "$root/examples/collatz.cl" >out 2>err; then
	check 0 err 'written to' "$warpbeam" report "$root/examples/collatz.cl" -o collatz.html
	good collatz.html
	grep -q 'while (v != 1 &amp;&amp; steps &lt; 1000)' collatz.html
	result $? "the source of collatz.cl"
fi

# Numbers of the page are the run's.
grep -q '<b>698</b>cycles' ifelse.s.html && grep -q 'took 0, not 0, split 2; operand 28 from 0x8' ifelse.s.html
result $? "ifelse: cycles, and why the branch stalls"
check 0 out "^<pre>warpbeam report .* --diverge=fall --define=&#39;A=b &lt;c&#39;</pre>" \
	"$warpbeam" report "$root/examples/ifelse.s" --diverge fall -D 'A=b <c' -q -o -
check 0 out 'without issuing it' "$warpbeam" report "$root/examples/ifelse.s" -o - --heat stalls
# Shaders: threads are vertices or primitives.
grep -q ' on pica, [0-9]* vert[a-z]*: 1 warp of 32 lanes on 1 multi' diffuse.vsh.html &&
	grep -q '>cycle [0-9]*, w0: 0x' diffuse.vsh.html &&
	grep -q '<p>A multi.* [0-9]* of these warps' diffuse.vsh.html &&
	[ "$(sed '1,/<header>/d' diffuse.vsh.html | grep -o 'block[a-z ]*' | tr '\n' ,)" = \
		'block slots,blocks started,' ]
result $? "a shader's page is of: $(sed '1,/<header>/d' diffuse.vsh.html | grep -o '.\{40\}block.\{20\}')"
check 2 err 'expects lost, issues or stalls' "$warpbeam" report "$root/examples/ifelse.s" --heat cold
check 3 err 'cannot write' "$warpbeam" report "$root/examples/ifelse.s" -o no/such.html
check 6 err 'cycle limit' "$warpbeam" report "$root/examples/ifelse.s" --max-cycles 600 -o limit.html
grep -q 'result: <span class="bad">limit' limit.html
result $? "a run that was stopped says so"

# Names and texts of a file are text.
mkdir '<b>'
{
	printf '// <script>alert("1")</script> & \033]0;title\007 \377\n'
	sed 's/odd/odd_b/' "$root/examples/ifelse.s"
} >"<b>/<i>'x.s"
check 0 err 'written to' "$warpbeam" report "<b>/<i>'x.s" --format asm -o hostile.html
good hostile.html
grep -q '&lt;script&gt;alert(&quot;1&quot;)' hostile.html &&
	! LC_ALL=C grep -q "$(printf '[\033\007\377]')" hostile.html
result $? "a text of the file is escaped"
grep -q '&lt;b&gt;/&lt;i&gt;' hostile.html
result $? "a name of the file is escaped"

if [ -n "$browser" ]; then
	for page in ifelse.s.html matmul.s.html; do
		fits "$page" 1280
		fits "$page" 500        # the browser's narrowest window
	done
fi
# The page shows the multiprocessor that decides the time; "most" stands only before more than half of the loss.
check 0 err 'written to' "$warpbeam" report mandelbrot -o slow.html
mp=$("$warpbeam" export --format csv mandelbrot | awk -F, '$1 == "issue" { if ($2 + 0 > end[$3]) end[$3] = $2 + 0
		if ($2 + 0 > last) last = $2 + 0 }
	END { for (n = 0; n < 64; n++) if (n in end && end[n] == last) { print n; exit } }')
grep -q "Multiprocessor $mp of [0-9]*, which issues last" slow.html
result $? "mandelbrot is decided by multiprocessor $mp: $(grep -o 'Multiprocessor [0-9]* of' slow.html)"
"$warpbeam" tui mandelbrot --print --pane timeline --size 100x30 >out
grep -q "MP $mp" out
result $? "and is the one that the views begin with: $(head -n 3 out)"
check 0 err 'written to' "$warpbeam" report nqueens -o parts.html
grep -q 'The largest part of that, 34' parts.html && grep -q 'Most of that, 100' slow.html
result $? "a third of the loss is not most of it"


# Two runs in a page.
check 0 err 'written to' "$warpbeam" report reduction-divergent --against reduction-contiguous -o two.html
good two.html
grep -q '<b>3,470</b>cycles<small>against 2,358, +47.2' two.html &&
	grep -q 'against 88.3&nbsp;%, −19.2&nbsp;%' two.html
result $? "the cards of two runs: $(grep -o '<small>.*' two.html)"
[ "$(grep -c '<svg class="timeline"' two.html)" = 2 ] &&
	grep -q 'The program of the other run: reduction-cont' two.html
result $? "two timelines, two programs"
grep -q 'branched off' two.html && grep -q '<td class="n with">645</td><td class="n with">8.1&nbsp;%' two.html
result $? "the bill of two runs"
check 3 err 'no-such' "$warpbeam" report ifelse --against no-such.s -o none.html
ok 'no page' [ ! -e none.html ]

# The sums of a line of C are over its bars; how full a multiprocessor was has its reason.
if [ -e collatz.html ]; then
	grep -q '<td class="n">[0-9,]*</td><td class="text label" colspan="2">' collatz.html
	result $? "lines of C have no sums"
	grep -q 'average: there are 4 blocks for 4 multiprocessors, 1 each, and 40 would fit' collatz.html
	result $? "why it is not full: $(grep -o 'resident on average: [^<]*' collatz.html)"
fi
check 0 err 'written to' "$warpbeam" report textured-triangle -o triangle.html
good triangle.html
grep -q 'the 60 warps fill the 32 places 1.9 times: at the end places stay empty' triangle.html
result $? "why it is not full: $(grep -o 'resident on average: [^<]*' triangle.html)"
grep -q '<image href="data:image/png;base64,iVBORw0KGgo' triangle.html && ! grep -q '<h2>The picture' two.html
result $? "a shader's picture"

# Trips 1 to 8 of a loop of four instructions, whose last is not executed in the last trip: 3 and 31.
check 0 err 'written to' "$warpbeam" report loop-varying -o varying.html
good varying.html
[ $(($(sed -n 's/.*32 × 1 threads, from \([0-9]*\) instructions .* to \([0-9]*\)\..*/\2 - \1/p' varying.html))) = 28 ]
result $? "map of cost: $(grep -o 'threads, from .*' varying.html | head -n 1)"
# 11 to 13 instructions by the four ways through two ifs: arriving at a join executes none.
check 0 err 'written to' "$warpbeam" report nested -o nested.html
grep -q '32 × 1 threads, from 11 instructions .* to 13\.' nested.html
result $? "a join counts once: $(grep -o 'threads, from [0-9]*' nested.html | head -n 1)"
silent 0 err 'Map of cost' "$warpbeam" report straight -o straight.html
! grep -q 'Map of cost' straight.html && ! grep -q 'Map of cost' triangle.html
result $? "no map of threads that are all alike, or of pixels"
if [ -n "$browser" ]; then
	click='function click(e, x, y) { e.dispatchEvent(new MouseEvent("click", {clientX: x, clientY: y})) }'
	does ifelse.s.html "$click
		var t = document.querySelector('.timeline'), b = t.querySelector('.split').getBoundingClientRect()
		click(t, b.x - 3, b.y + 1); said = document.querySelector('output').textContent" \
		'cycle [0-9]*, b0 w[01]: 0x[0-9a-f]* .*bra .*its lanes part here'
	does triangle.html "$click
		var p = document.getElementById('picture'), b = p.getBoundingClientRect()
		click(p, b.x + b.width * 25.5 / 64, b.y + b.height * 22.5 / 64)
		p.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))
		said = document.querySelector('.history').textContent" \
		'Pixel 26, 22, colour #[0-9a-f]*: warp 29 lane [0-9]*, which executed 6 of the 6 .*texauto'
	check 0 err 'written to' "$warpbeam" report quad-cost -o quads.html
	does quads.html "$click
		var p = document.getElementById('picture'), b = p.getBoundingClientRect()
		click(p, b.x + b.width * 33.5 / 64, b.y + b.height * 16.5 / 32)
		said = document.querySelector('.history').textContent" \
		'executed 15 of the 19 .*add f32 [^a]*branched off.*exit nopexecutes'
	does triangle.html "$click
		var p = document.getElementById('picture'), b = p.getBoundingClientRect()
		click(p, b.x + b.width - 2, b.y + b.height - 2)
		said = document.querySelector('.history').textContent" \
		'Pixel 63, 63: not covered'
	does varying.html "$click
		var p = document.getElementById('picture'), b = p.getBoundingClientRect()
		click(p, b.x + b.width * 9.5 / 32, b.y + b.height / 2)
		said = document.querySelector('.history').textContent" \
		'Thread 9 of block 0: warp 0 lane 9, which executed [0-9]* of the [0-9]* .*branched off'
fi
finish
