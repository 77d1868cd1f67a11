#!/bin/sh
# Traces and exports keep the rules of the tools that read them.   export.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$1
root=$2

# An event a line: slices of a thread follow each other, spans and arrows have both ends, and no other events exist.
check_perfetto() {
	awk '
	function value(key, skip) {
		skip = length(key) + 3
		return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + skip, RLENGTH - skip) + 0 : -1
	}
	NR == 1 && $0 !~ /^{"traceEvents":\[/ { print "traceEvents is not first"; bad = 1 }
	/displayTimeUnit/ { print "displayTimeUnit"; bad = 1 }
	/"ph":"X"/ {
		thread = value("pid") "." value("tid")
		if (value("ts") < end[thread]) { print "overlap: " $0; bad = 1 }
		end[thread] = value("ts") + value("dur")
		slices++
	}
	/"ph":"X"/ && /"cat":"wait"/ { waits++ }
	/"ph":"C"/ { cycle = value("ts"); lanes[value("pid")] = value("lanes") }
	/"ph":"b"|"ph":"e"/ { print "a wait that is not in the row of its warp"; bad = 1 }
	/^"otherData":{"kernel":"[^"]+","version":"[0-9.]+","unit":"1 us is 1 cycle/ { about++ }
	/"ph":"f"/ && !/"bp":"e"/ { print "arrow without bp"; bad = 1 }
	/"ph":"f"/ && !(value("id") in start) { print "arrow from nowhere"; bad = 1 }
	/"ph":"s"/ { start[value("id")] = 1; arrows++ }
	/"ph":"f"/ { arrows-- }
	END {
		if (arrows) { print "arrow to nowhere"; bad = 1 }
		for (mp in lanes) if (lanes[mp]) { print "lanes of MP " mp " end with " lanes[mp]; bad = 1 }
		if (!waits || about != 1) { print waits + 0 " waits, " about + 0 " lines of otherData"; bad = 1 }
		exit bad || !slices
	}' "$1"
}

# Every instruction: I first, then its lines, each stage ended, R last.
check_kanata() {
	awk -F '\t' '
	NR == 1 { if ($0 != "Kanata\t0004") bad = 1; next }
	NR == 2 { if ($1 != "C=") bad = 1; next }
	$1 == "C" { if ($2 < 1) bad = 1; next }
	$1 == "I" { if ($2 != n++) bad = 1; alive[$2] = 1; next }
	!($2 in alive) { print "line " NR ": not begun or retired"; bad = 1 }
	$1 == "S" { stage[$2 "." $3] = $4 }
	$1 == "E" && stage[$2 "." $3] != $4 { print "line " NR ": ends what did not start"; bad = 1 }
	$1 == "E" { delete stage[$2 "." $3] }
	$1 == "R" { delete alive[$2]; retired++ }
	END { exit bad || !n || n != retired }' "$1"
}

check_vcd() {
	awk '
	/^\$var/ { known[$4] = 1; next }
	/^\$/ { next }
	/^#/ { t = substr($0, 2) + 0; if (seen && t <= last) bad = 1; last = t; seen = 1; next }
	/^b/ { if (!($2 in known)) { print "unknown wire " $0; bad = 1 }; next }
	/^[01]/ { if (!(substr($0, 2) in known)) { print "unknown wire " $0; bad = 1 } }
	END { exit bad || !seen }' "$1" || return 1
	! command -v vcd2fst >/dev/null || vcd2fst "$1" "$work/fst" >/dev/null 2>&1
}

for name in ifelse nested loop-varying barrier mandelbrot; do
	[ -f "$root/examples/$name.s" ] || continue
	trace=$work/$name.trace
	"$warpbeam" run "$root/examples/$name.s" --json --trace "$trace" >"$work/report" 2>/dev/null
	for format in perfetto kanata vcd folded jsonl csv; do
		"$warpbeam" export --format $format "$trace" -o "$work/$name.$format"
		result $? "$name: export --format $format"
	done
	for format in perfetto kanata vcd; do
		check_$format "$work/$name.$format"
		result $? "$name: rules of $format"
	done
	issues=$(grep -c '^issue,' "$work/$name.csv")
	grep -q "\"instructions\": $issues," "$work/report" &&
		[ "$issues" = "$(grep -c '"event":"issue"' "$work/$name.jsonl")" ]
	result $? "$name: $issues issues, another number in the report"
	"$warpbeam" run "$root/examples/$name.s" --trace "$work/again" >/dev/null 2>&1
	cmp -s "$trace" "$work/again"
	result $? "$name: the same run, another trace"
done

# Losses in the folded stacks are the losses of the bill; the rows of --sample sum to the counters.
for name in nested lock-ok call-ret early-exit loop-varying partial-warp mandelbrot; do
	"$warpbeam" run "$root/examples/$name.s" --json --sample 777 --trace "$work/sums.trace" \
		>"$work/report" 2>"$work/samples"
	number() { sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" "$work/report" | head -n 1; }
	lost=$(($(number lane_slots) - $(number useful)))
	[ "$("$warpbeam" export --format folded "$work/sums.trace" | awk '{ n += $NF } END { print n + 0 }')" = $lost ]
	result $? "$name: the folded stacks do not sum to $lost"
	sums=$(awk -F, 'NR > 1 { a += $2; b += $3; c += $6; d += $7; e += $8 }
		END { print a, b, c, d, e }' "$work/samples")
	[ "$sums" = "$(for counter in instructions thread_instructions branch divergent_branch join_arrivals; do
		number $counter
	done | paste -s -d ' ' -)" ]
	result $? "$name: the rows of --sample sum to $sums"
done
for bad in 0 -1 x; do
	"$warpbeam" run "$root/examples/nested.s" --sample $bad >"$work/out" 2>"$work/err"
	[ $? = 2 ] && [ ! -s "$work/out" ] && grep -q 'sample' "$work/err"
	result $? "--sample $bad: expected exit 2"
done

# Lanes that leave a loop rejoin behind the loop: an arrow for each split.
"$warpbeam" run "$root/examples/loop-varying.s" --trace "$work/loop.trace" >/dev/null
"$warpbeam" export --format perfetto "$work/loop.trace" >"$work/loop.json"
[ "$(grep -c '"divergence"' "$work/loop.json")" = "$(grep -c '"ph":"f"' "$work/loop.json")" ]
result $? "loop-varying: a split without an arrow"

# An endless wait is shown: in Perfetto a span, in a VCD the state and the count of the barrier.
printf '.kernel k\n.chip g200\n.block 64\n\tbar inc wait 0x0 0x3\n\texit (never) nop\n' >"$work/dead.s"
"$warpbeam" run "$work/dead.s" --trace "$work/dead.trace" >/dev/null 2>&1
"$warpbeam" export --format perfetto "$work/dead.trace" | grep -q '"ph":"X".*"cat":"wait","name":"barrier"'
result $? "a deadlock: no span at the barrier"
"$warpbeam" export --format vcd "$work/dead.trace" | tail -n 4 | grep -q '^b0011 '
result $? "a deadlock: a slot does not end at the barrier"

# For any order of multiprocessors: events go by cycle, in a cycle by multiprocessor.
for name in mandelbrot histogram collatz; do
	"$warpbeam" run "$root/examples/$name.s" --mps 3 --trace "$work/order.trace" >/dev/null
	"$warpbeam" export --format csv "$work/order.trace" |
		awk -F, 'NR > 1 && ($2 < cycle || ($2 == cycle && $3 < mp)) { bad = 1 }
			{ cycle = $2 + 0; mp = $3 + 0 }
			END { exit bad || NR < 1000 }'
	result $? "$name on three multiprocessors: events out of order"
done

# Locks have events under both rules: each taken lock is released, and no warp waits for a flag.
for rule in warp flag; do
	"$warpbeam" run "$root/examples/lock-ok.s" --lock $rule --trace "$work/lock.trace" >/dev/null
	"$warpbeam" export --format jsonl "$work/lock.trace" >"$work/lock.jsonl"
	taken=$(grep -c '"lock-take"' "$work/lock.jsonl")
	[ "$taken" -gt 0 ] && [ "$taken" = "$(grep -c '"lock-release"' "$work/lock.jsonl")" ]
	result $? "--lock $rule: $taken locks taken, another number let go"
	waits=$(grep -c '"lock-wait"' "$work/lock.jsonl")
	[ $rule = flag ] && [ "$waits" = 0 ] || [ $rule = warp -a "$waits" -gt 0 ]
	result $? "--lock $rule: $waits waits"
	printf 'break critical\ncontinue\ninfo locks\n' >"$work/script"
	"$warpbeam" debug "$root/examples/lock-ok.s" --lock $rule --batch -x "$work/script" >"$work/out" 2>&1
	grep -q 'held by w0' "$work/out"
	result $? "--lock $rule: info locks: $(cat "$work/out")"
done

# diff finds the first difference between events of two runs.
"$warpbeam" run "$root/examples/nested.s" --diverge fall --trace "$work/fall" >/dev/null 2>&1
"$warpbeam" diff "$work/nested.trace" "$work/nested.trace" >"$work/out"
[ $? = 0 ] && grep -q '^the same' "$work/out"
result $? "a run and itself: expected no difference"
"$warpbeam" diff "$work/nested.trace" "$work/fall" >"$work/out"
[ $? = 1 ] && grep -q '^- .*issue' "$work/out" && grep -q '^+ .*issue' "$work/out"
result $? "two rules of divergence: expected exit 1 and both events"

# The limits of a run hold for its export, written during the run: in time, in memory, and whole until then. The
# limits hold for a trace, too.
peak() {   # COMMAND...: the greatest size of the process, in KiB
	"$warpbeam" "$@" >/dev/null 2>&1 &
	most=0
	while size=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$!/status 2>/dev/null) && [ "$size" ]; do
		most=$size
		sleep 0.1
	done
	wait $!
	status=$?
}
printf '.kernel k\n.block 64\nl:\tadd b32 $r1 $r1 0x1\n\tbra #l\n\texit nop\n' >"$work/endless.s"
peak run "$work/endless.s" --max-seconds 1 --trace "$work/endless.trace"
plain=$most
# A sanitizer keeps freed memory: the size says nothing.
[ ! "${WB_SANITIZED:-}" ] || plain=100000000
for format in perfetto kanata vcd jsonl; do
	began=$(date +%s)
	peak export --format $format "$work/endless.s" --max-seconds 1 --max-memory 100M -o "$work/endless.$format"
	seconds=$(($(date +%s) - began))
	[ $status = 6 ] && [ $seconds -le 10 ] && [ "$most" -lt $((plain + 60000)) ] && [ -s "$work/endless.$format" ]
	result $? "an endless loop, --format $format: exit $status, $seconds s, $most KiB; with a trace $plain KiB"
	# A second's output is long: its end is looked at here, its rules in a shorter one.
	[ -z "$(tail -c 1 "$work/endless.$format" | tr -d '\n')" ] &&
		{ [ $format != perfetto ] || [ "$(tail -c 2 "$work/endless.$format" | head -c 1)" = '}' ]; }
	result $? "an endless loop, --format $format: ends with $(tail -c 80 "$work/endless.$format")"
	"$warpbeam" export --format $format "$work/endless.s" --max-insns 20000 -o "$work/endless.$format" 2>/dev/null
	[ $? = 6 ]
	result $? "an endless loop of 20,000 instructions, --format $format: expected exit 6"
done
check_vcd "$work/endless.vcd" && check_kanata "$work/endless.kanata" && check_perfetto "$work/endless.perfetto"
result $? "a run that a limit ends: rules of the formats"
"$warpbeam" run "$work/endless.s" --max-insns 200000 --trace "$work/endless.trace" >/dev/null 2>&1
"$warpbeam" export "$work/endless.trace" -o "$work/part.vcd" --max-insns 1000 2>"$work/err"
[ $? = 6 ] && grep -q 'ends at cycle .*max-insns' "$work/err" && check_vcd "$work/part.vcd"
result $? "a trace with --max-insns: $(cat "$work/err")"
"$warpbeam" export "$work/endless.trace" -o "$work/whole.vcd" && cmp -s "$work/part.vcd" "$work/whole.vcd"
[ $? = 1 ]
result $? "the whole trace is more"
# Without timing, multiprocessors come one after another: all lines wait.
"$warpbeam" export --format vcd "$work/endless.s" --max-insns 3000 --timing off --mps 2 --grid 2 --max-memory 1M \
	-o "$work/held.vcd" 2>"$work/err"
[ $? = 6 ] && grep -q 'max-memory' "$work/err"
result $? "too little memory for what waits: $(cat "$work/err")"
"$warpbeam" export "$work/endless.trace" -o "$work/x" 2>"$work/err"
[ $? = 2 ] && grep -q 'needs --format' "$work/err"
result $? "no format: $(cat "$work/err")"

"$warpbeam" export --format png "$work/nested.trace" 2>/dev/null
[ $? = 2 ]
result $? "an unknown format: expected exit 2"

finish
