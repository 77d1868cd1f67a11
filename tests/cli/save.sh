#!/bin/sh
# A saved run goes on to the bytes of a run without a stop, on every machine; a damaged file is refused.
#   save.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

# The report as text and JSON, without the name of the file and why the host executed each instruction, and the exit
# code.
report() {      # FILE OPTION...: the files text and json
	"$warpbeam" run "$@" >text 2>err </dev/null
	echo "exit $?" >>text
	"$warpbeam" run "$@" --json >json 2>>err </dev/null
	for file in text json err; do
		sed -i "s|$1|PROGRAM|g; s|examples/PROGRAM|PROGRAM|g; /^  .precise_reason/d" $file
	done
}

# goes_on PARTS FILE OPTION...: saved at PARTS hundredths of all instructions, on the host threads of $threads, twice to
# the same bytes, the run goes on to the report of the run without a stop. A stop comes at the end of a turn, so a
# short run may be over before.
threads=
goes_on() {
	parts=$1
	shift
	what="$* $threads"
	report "$@" --threads 1 --in-order
	mv text text.whole
	mv json json.whole
	all=$(sed -n 's/^ *"instructions": \([0-9]*\),*$/\1/p' json.whole | head -1)
	saved=0
	for part in $parts; do
		at=$((all * part / 100 + 1))
		# shellcheck disable=SC2086
		"$warpbeam" run "$@" $threads --save-at $at --save a.wbs >out 2>said </dev/null
		status=$?
		if [ ! -e a.wbs ]; then
			[ "exit $status" = "$(tail -1 text.whole)" ]
			result $? "$what: neither saved at $at of $all nor run to its end: exit $status, $(cat said)"
			continue
		fi
		saved=$((saved + 1))
		[ $status = 6 ] && [ ! -s out ] && grep -q "$line" said
		result $? "$what: saved at $at of $all: exit $status, $(cat said)"
		# shellcheck disable=SC2086
		"$warpbeam" run "$@" $threads --save-at $at --save b.wbs >out 2>said </dev/null
		cmp -s a.wbs b.wbs
		result $? "$what: saved twice at $at of $all, to other bytes: an address is in the file"
		report a.wbs
		cmp -s text text.whole && cmp -s json json.whole
		result $? "$what: from $at of $all to another end: $(diff text text.whole | head -5
			diff json json.whole | head -5
			head -3 err)"
		rm -f a.wbs b.wbs
	done
	[ $saved != 0 ]
	result $? "$what: $all instructions are over before the first stop"
}
line='^warpbeam: saved in a.wbs after [0-9]* instructions, [0-9]* of [0-9]* blocks*; go on with: warpbeam run a.wbs$'

# Tesla: precise and without timing, with checks, statistics, locks, a livelock, scenes with threads of a stage.
for example in nested lock-ok lock-livelock histogram matmul; do
	goes_on '1 60' "$root/examples/$example.s" --grid 9 --mps 2
	goes_on '40' "$root/examples/$example.s" --grid 9 --mps 2 --timing off --slice 8
done
# between the hash of a state and the repetition that proves a livelock
goes_on '95' "$root/examples/lock-livelock.s"
goes_on '2 80' "$root/examples/foliage.s"
goes_on '50' "$root/examples/textured-triangle.s" --timing off --slice 8
for options in '--check race,uninit,barrier,bounds' '--producers --accesses --perfect' '--stats-level none' \
	'--policy random' '--policy two-level' '--reconverge minpc' '--reconverge barriers' '--chip gt215'; do
	# shellcheck disable=SC2086
	goes_on '30' "$root/examples/nested.s" --grid 20 --mps 3 $options
done

# Several host threads, timed and not.
threads='--threads 3'
for example in histogram matmul; do
	goes_on '20 60' "$root/examples/$example.s" --grid 20 --mps 5
done
goes_on '40' "$root/examples/matmul.s" --grid 20 --mps 5 --timing off
goes_on '50' "$root/examples/matmul.s" --grid 20 --mps 5 --in-order
threads=

# PICA: vertices, and the primitives of a geometry shader.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%d.5,%d,3,1\n", i, i % 7 }' >v.csv
goes_on '1 60' "$root/examples/lights.vsh" --in v.csv
goes_on '60' "$root/examples/lights.vsh" --in v.csv --timing off
goes_on '1 60' "$root/examples/quads.gsh" --in v.csv
goes_on '60' "$root/examples/quads.gsh" --in v.csv --timing off
"$warpbeam" run "$root/examples/quads.gsh" --in v.csv --out whole.json >out 2>err
"$warpbeam" run "$root/examples/quads.gsh" --in v.csv --save-at 700 --save a.wbs >out 2>err
"$warpbeam" run a.wbs --out got.json >out 2>err
cmp -s whole.json got.json
result $? "primitives of a shader that went on: $(cat err)"

# GCN: registers of both kinds, s[] and a barrier; arguments in memory.
cat >gcn.s <<'END'
.kernel k
.chip tonga
.grid 40
.block 256
.mps 2
	s_mov_b32 m0, -1
	s_mov_b32 s4, 0
	v_mov_b32 v1, v0
again:
	v_mul_lo_u32 v1, v1, v0
	v_add_f32 v2, v1, v0
	s_add_u32 s4, s4, 1
	s_cmp_lt_u32 s4, 20
	s_cbranch_scc1 again
	v_lshlrev_b32 v3, 2, v0
	v_cmp_gt_u32 vcc, 33, v0
	s_and_saveexec_b64 s[6:7], vcc
	ds_write_b32 v3, v1
	s_mov_b64 exec, s[6:7]
	s_barrier
	ds_read_b32 v4, v3
	s_waitcnt lgkmcnt(0)
	s_endpgm
END
goes_on '1 60' gcn.s --smem 1024
goes_on '60' gcn.s --smem 1024 --timing off --slice 8
goes_on '60' gcn.s --smem 1024 --check race,uninit
goes_on '50' "$root/tests/clrx/amd.asm" --grid 90 --mps 1

# Levels of SIMD: saved at one, gone on with at another.
for program in "$root/examples/matmul.s" gcn.s; do
	options=
	[ $program != gcn.s ] || options='--smem 1024'
	# shellcheck disable=SC2086
	report "$program" $options --threads 1 --in-order --simd base
	mv text text.whole
	# shellcheck disable=SC2086
	check 6 err 'saved in a.wbs' "$warpbeam" run "$program" $options --save-at 2000 --save a.wbs
	report a.wbs --simd base
	cmp -s text text.whole
	result $? "$program at another level of SIMD: $(diff text text.whole | head -5)"
done

# A run that has gone on is saved again, after a time as well; signals save; buffers go to their files.
cat >long.s <<'END'
.kernel k
.block 64
	mov b32 $r0 0x0
	mov b32 $r1 0x0
	mov b32 $r2 0x200000
l:	add b32 $r1 $r1 0x1
	sub b32 $c0 # $r1 $r2
	(lg $c0) bra #l
	add b32 $r3 b32 s[0x10] $r0
	st b32 g14[$r3] $r1
	exit nop
END
"$warpbeam" run long.s --timing off -a out=whole.bin:256 >whole 2>err
result $? "a run with a file for results: $(cat err)"
check 6 err 'go on with: warpbeam run a.wbs --files any$' \
	"$warpbeam" run long.s --timing off -a out=got.bin:256 --save-at 1000 --save a.wbs
check 6 err 'saved in a.wbs after ' "$warpbeam" run a.wbs --save-at 2000000 --save a.wbs
check 0 out 'saved run of long.s, kernel k' "$warpbeam" info a.wbs
check 0 out '"instructions": 2000' "$warpbeam" info --json a.wbs
check 0 err 'with --files any alone' "$warpbeam" run a.wbs
[ ! -e got.bin ]
result $? "a saved run writes a file that nobody has allowed"
"$warpbeam" run a.wbs --files any >got 2>err
result $? "a saved run that may write: $(cat err)"
cmp -s whole.bin got.bin
result $? "the buffer of a run that went on"
sed -i 's/0x200000/0x7fffffff/' long.s
check 6 err 'saved in s.wbs after ' "$warpbeam" run long.s -a zero=256 --save-at 2s --save s.wbs
for signal in INT TERM; do
	rm -f s.wbs
	timeout --preserve-status -s $signal 5 "$warpbeam" run long.s -a zero=256 --save s.wbs >out 2>err
	[ $? = 130 ] && [ -s s.wbs ]
	result $? "SIG$signal saves: $(cat err)"
done

# Wrong uses.
check 2 err "expects a number of instructions above 0, or of seconds.*found '0'" \
	"$warpbeam" run long.s -a zero=256 --save-at 0 --save s.wbs
check 2 err "found '5m'" "$warpbeam" run long.s -a zero=256 --save-at 5m --save s.wbs
check 2 err 'needs --save FILE' "$warpbeam" run long.s -a zero=256 --save-at 5
check 2 err 'for the run of one kernel' "$warpbeam" run long.s -a zero=256 --save s.wbs --check-expect
check 2 err 'for the run of one kernel' "$warpbeam" run --save s.wbs -- true
check 2 err 'a recorded run cannot be saved' "$warpbeam" run long.s -a zero=256 --save s.wbs --trace t.trace
check 2 err 'goes on with the options that it began with: --slice is too late' "$warpbeam" run a.wbs --slice 8
check 2 err '--arg: a.wbs is a saved run' "$warpbeam" run a.wbs -a zero=256
check 2 err 'issued 2[0-9]* instructions already' "$warpbeam" run a.wbs --save-at 5 --save s.wbs
check 2 err 'is a saved run: `warpbeam run`' "$warpbeam" tui --print a.wbs
check 4 err 'is a saved run, which has no events' "$warpbeam" export --format csv a.wbs

# A run that ends before the stop, by itself or at another limit, says that nothing is saved, and its own reason.
rm -f s.wbs
check 0 err 'nothing is saved in s.wbs: the run ended after 26 instructions, before --save-at 1000' \
	"$warpbeam" run ifelse --save-at 1000 --save s.wbs
check 6 err 'nothing is saved in s.wbs: the run ended after 5 instructions, before --save-at 30s' \
	"$warpbeam" run ifelse --max-insns 5 --save-at 30s --save s.wbs
grep -q 'the instruction limit (--max-insns) was reached' err && ! grep -q 'stand still' err && [ ! -e s.wbs ]
result $? "the limit is the reason: $(sed -n 2p err)"

# Damage: each kind of change is refused in words, without a crash.
cp a.wbs whole.wbs
gzip -dc <a.wbs >plain
damaged() {     # WHAT TEXT: the present a.wbs is refused
	check 4 err "$2" "$warpbeam" run a.wbs
	[ $? = 0 ] || echo "    $1"
}
changed() {     # WHAT TEXT SED-SCRIPT: bytes of the stream, with a checksum of gzip that holds
	LC_ALL=C sed "$3" plain | gzip >a.wbs
	damaged "$1" "$2"
}
changed 'a later form' 'saved run in form 2; expected form 1' '1s/ 1$/ 2/'
changed 'another version' 'was saved by version 9.9 of Warpbeam; this is version' '2s/"writer":"[^"]*"/"writer":"9.9"/'
changed 'the state is said to be shorter' 'ends early or is damaged' '2s/"saved":{"bytes":[0-9]*/"saved":{"bytes":40/'
changed 'the state is said to be longer' 'ends early or is damaged' '2s/"saved":{"bytes":/"saved":{"bytes":9/'
bytes=$(sed -n '2s/.*"name":"long.s","bytes":\([0-9]*\).*/\1/p' plain)
changed 'another program' 'another launch' \
	's/^	exit nop$/&\n&/; 2s/"long.s","bytes":[0-9]*/"long.s","bytes":'$((bytes + 10))/
"$warpbeam" run a.wbs --json >out 2>err
[ $? = 4 ] && [ ! -s out ] && ! grep -q 'JSON document' err
result $? "a run that cannot go on has no document: $(cat err)"
size=$(wc -c <plain)
for place in 100 60 33 8 1; do  # in the state and in its sum, from the end
	{ head -c $((size - place)) plain; printf '\125\252' | head -c 1; tail -c $((place - 1)) plain; } | gzip >a.wbs
	gzip -dc <a.wbs | cmp -s - plain || damaged "byte $place from the end" 'checksum does not hold'
done
size=$(wc -c <whole.wbs)
for n in 0 1 2 10 20 40 100 $((size / 4)) $((size / 2)) $((size - 9)) $((size - 8)) $((size - 1)); do
	head -c "$n" whole.wbs >a.wbs
	"$warpbeam" run a.wbs >out 2>err
	[ $? = 4 ] && [ -s err ]
	result $? "cut at byte $n of $size: $(cat err)"
done
finish
