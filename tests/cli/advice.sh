#!/bin/sh
# Advice at the end of a report is taken, rule by rule: the changed program gains at least half of the estimate and at
# most the estimate. advice.sh WARPBEAM SOURCE
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1") source=$(realpath "$2")
cd "$work"

# The percents of the line of a report with these words; nothing: no such advice.
advised() {   # WORDS ARGUMENT...
	words=$1
	shift
	"$warpbeam" run "$@" --accesses 2>/dev/null | sed -n "s/^ *\([0-9]*\) %  of the [a-z ]*: .*$words.*/\1/p"
}
number() {   # EXPRESSION OF JQ, ARGUMENT...
	expression=$1
	shift
	"$warpbeam" run "$@" --json 2>/dev/null | jq "$expression"
}
gains() {   # WHAT ESTIMATE BEFORE AFTER
	verdict=$(awk -v e="$2" -v a="$3" -v b="$4" 'BEGIN {
		g = a ? 100 * (1 - b / a) : 0
		ok = e != "" && g >= e / 2 && g <= e + 1
		print ok ? "yes" : "estimate " e " %, gain " g " %"
	}')
	[ "$verdict" = yes ]
	result $? "$1: $verdict"
}

kernel() {   # FILE BLOCK: the head of a kernel; its text comes from the standard input
	{
		printf '.kernel k\n.chip g200\n.grid 1\n.block %s\n.smem 0x1000\n.arg zero=65536\n' "$2"
		printf '.const 1 0x0: 1\n'
		cat
		printf '\tshl b32 $r3 $r0 0x2\n\tadd b32 $r3 b32 s[0x10] $r3\n\texit st b32 g14[$r3] $r2\n'
	} >"$1"
}

gains "code: a second launch" "$(advised 'first way into the caches' "$source/examples/ifelse.s")" \
	"$(number .counters.cycles "$source/examples/ifelse.s")" \
	"$(number .counters.cycles "$source/examples/ifelse.s" --warm)"

trips() {   # FILE INSTRUCTION: r1, the trips of a thread
	kernel "$1" 256 <<END
	$2
	add b32 \$r1 \$r1 0x1
	mov b32 \$r2 0x0
	breakaddr #done
loop:
	add b32 \$r2 \$r2 \$r1
	sub b32 \$c0 \$r1 \$r1 c1[0x0]
	(e \$c0) break
	bra #loop
done:
END
}
trips mixed.s 'and b32 $r1 $r0 0x7'
trips sorted.s 'shr u32 $r1 $r0 0x5'
gains "loop: sorted by length" "$(advised 'wait for the longest' mixed.s)" "$(number .bill.lane_slots mixed.s)" \
	"$(number .bill.lane_slots sorted.s)"
[ -z "$(advised 'wait for the longest' sorted.s)" ]
result $? "loop: nothing to say of sorted work"

sides() {   # FILE BIT
	kernel "$1" 64 <<END
	mov b32 \$r4 $2
	and b32 \$c0 \$r1 \$r0 \$r4
	joinat #both
	(lg \$c0) bra #odd
	mul \$r2 u24 \$r0 0x3
	mul \$r2 u24 \$r2 0x3
	mul \$r2 u24 \$r2 0x3
	mul \$r2 u24 \$r2 0x3
	bra #both
odd:
	mul \$r2 u24 \$r0 0x5
	mul \$r2 u24 \$r2 0x5
	mul \$r2 u24 \$r2 0x5
	mul \$r2 u24 \$r2 0x5
both:
	(e \$c0) nop
END
}
sides lanes.s 0x1
sides warps.s 0x20
gains "branch: by whole warps" "$(advised 'one side waits for the other' lanes.s)" \
	"$(number .bill.lane_slots lanes.s)" "$(number .bill.lane_slots warps.s)"

rows() {   # FILE STRIDE OF NEIGHBOURS IN s[], in bytes
	kernel "$1" 32 <<END
	mul \$r4 u24 \$r0 $2
	shl \$a1 \$r4 0x0
$(i=0
while [ $i -lt 24 ]; do
	printf '\tst b32 s[$a1+0x20] $r0\n\tmov b32 $r2 b32 s[$a1+0x20]\n'
	i=$((i + 1))
done)
END
}
rows met.s 0x40
rows padded.s 0x44
gains "banks: rows padded by a word" "$(advised 'meet in banks' met.s --warm)" \
	"$(number .counters.cycles met.s --warm)" "$(number .counters.cycles padded.s --warm)"

loads() {   # FILE SHIFT OF A THREAD'S NUMBER, of its address, and bytes from one load to the next
	kernel "$1" 256 <<END
	shl b32 \$r4 \$r0 $2
	add b32 \$r4 b32 s[0x10] \$r4
	mov b32 \$r5 $3
$(i=5
while [ $i -lt 13 ]; do
	printf '\tadd b32 $r4 $r4 $r5\n\tld b32 $r%d g14[$r4]\n' $((i + 1))
	i=$((i + 1))
done)
	add b32 \$r2 \$r6 \$r13
END
}
loads far.s 0x7 0x4
loads near.s 0x2 0x400
gains "spare: neighbours read neighbouring words" "$(advised 'no lane asked for' far.s --warm)" \
	"$(number .counters.cycles far.s --warm)" "$(number .counters.cycles near.s --warm)"

gains "warps: a larger block" "$(advised 'too few others' "$source/examples/latency-hiding.s" --block 64)" \
	"$(number '.counters.cycles / 2' "$source/examples/latency-hiding.s" --block 64)" \
	"$(number '.counters.cycles / 16' "$source/examples/latency-hiding.s" --block 512)"

"$warpbeam" report "$source/examples/ifelse.s" -o ifelse.html -q
grep -q '72&nbsp;% of the warp cycles: warps wait for code' ifelse.html
result $? "report: the advice of run"
"$warpbeam" shot "$source/examples/ifelse.s" --pane explain --at 9999 -o end.svg -q 2>/dev/null
tr '\302\240' '  ' <end.svg | tr -s ' ' | grep -q 'Up to 72 % of the warp cycles'
result $? "Explain: at the end"
"$warpbeam" shot "$source/examples/ifelse.s" --pane explain --at 9 -o begin.svg -q 2>/dev/null
grep -q Explain begin.svg && ! grep -q second begin.svg
result $? "Explain: not before"

# Rows as JavaScript find the same as rows as C.
if command -v node >/dev/null; then
	(
		cd "$source"
		awk -f frontends/web/words.awk inspect/counter.def sched/stall.def frontends/cli/bill.def \
			frontends/cli/advice.def
		cat frontends/web/report.js
		echo 'for (const a of reports.advice(JSON.parse(require("fs").readFileSync(0))))'
		echo '	console.log(`${Math.round(100 * a.gain)} %  of the ${a.of}: ${a.cause}`);'
	) >page.js
	for file in "$source"/examples/*.s "$source"/examples/*.vsh "$source"/examples/*.cl "$work"/*.s; do
		"$warpbeam" run "$file" --accesses --max-seconds 20 2>/dev/null |
			sed -n 's/^ *\([0-9]* %  of the [a-z ]*: .*\)/\1/p' >found
		"$warpbeam" run "$file" --accesses --max-seconds 20 --json 2>/dev/null >run.json
		node page.js <run.json >pages
		cmp -s found pages
		result $? "page: $(basename "$file"): $(diff found pages | head -4)"
	done
fi
finish
