#!/bin/sh
# Kernels in OpenCL C for their writers: divergence and rejoining under EXEC, lines with costs, and views of both.
#   c_first.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
collatz=$root/examples/collatz.cl

if ! "$warpbeam" info "$collatz" >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi

# ---- divergence under a mask ----

# Lane 0 has v = 1 and never enters the loop; the others part in `if (v & 1)`, whose other side is a rejoin of all and a
# divergence behind it.
printf 'until divergence\nuntil divergence\nuntil rejoin\nuntil divergence\nquit\n' >walk
"$warpbeam" debug "$collatz" <walk >walked
ok 'the first divergence' grep -q '^diverged: .* lanes 0xfffffffffffffffe depth 1' walked
ok 'three divergences' test "$(grep -c '^diverged: ' walked)" = 3
ok 'one rejoin' test "$(grep -c '^rejoin: ' walked)" = 1
ok 'back to a divergence' sh -c '
	printf "until rejoin\nreverse-until divergence\nquit\n" | "$1" debug "$2" | grep -q "^diverged: "' \
	sh "$warpbeam" "$collatz"
"$warpbeam" shot "$collatz" -o first.svg >out
ok 'the picture is of a divergence' grep -q 'lanes[^<]*part:[^<]*EXEC[^<]*keeps' first.svg

# The bill's splits are the counted divergences, executed in both ways and recorded in both.
"$warpbeam" run "$collatz" --json --trace t.wbt >t.json
"$warpbeam" run "$collatz" --json --in-order --trace p.wbt >p.json
"$warpbeam" run "$collatz" --json --no-threaded-code >s.json
for how in t p s; do
	jq -r '.counters | .divergent_branch, .branch, .branch_efficiency' $how.json >$how.counts
	jq '[.per_pc[].diverged] | add' $how.json >>$how.counts
done
ok 'divergent_branch' test "$(sed -n 1p t.counts)" = "$(sed -n 4p t.counts)"
ok 'lanes part' test "$(sed -n 1p t.counts)" -gt 100
ok 'branches are traces' cmp t.counts p.counts
ok 'branches of the slow path' cmp t.counts s.counts
"$warpbeam" export t.wbt --format jsonl | tail -n +2 >t.events
"$warpbeam" export p.wbt --format jsonl | tail -n +2 >p.events
ok 'events of both ways' cmp t.events p.events
ok 'events that part lanes' test "$(grep -c '"flow":"[^"]*diverged' t.events)" = "$(sed -n 1p t.counts)"
"$warpbeam" export t.wbt --format perfetto >t.perfetto
ok 'divergences in Perfetto' test "$(grep -o '"name":"divergence"' t.perfetto | wc -l)" = "$(sed -n 1p t.counts)"
ok 'from divergence to rejoin in Perfetto' test "$(grep -o '"ph":"f"' t.perfetto | wc -l)" -gt 100

# ---- rows of the bill that never split: a wavefront whose lanes all skip a short if goes on without lanes ----

cat >masked.cl <<'END'
__kernel void masked(__global int *out, __global const int *in, int n)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	int v = in[i], s = 0;
	if (v & 1)
		s = v * 3;
	else
		s = v - 1;
	for (int k = 0; k < (i & 7); k++)
		s += k;
	out[i] = s;
}
END
set -- --grid 8 --block 64 -a zero=2048 -a zero=2048 -a s32=500
"$warpbeam" bill masked.cl "$@" >masked.bill
ok 'a row without splits has a word' grep -Eq '^ +1,500 +[0-9.]+ % +all +0x[0-9a-f]+ +s_and.*line 7: if' masked.bill
ok 'and an explanation' grep -q 'all: never split; every lane left' masked.bill
ok 'no row has 0 splits' test "$(grep -c '%  *0  *0x' masked.bill)" = 0
"$warpbeam" tui masked.cl "$@" --print --state 'wb1:pane=bill;alone=1' >masked.tui
ok 'in the pane' grep -Eq ' all +1,500 *$' masked.tui

# ---- costs stand on lines of C ----

# KERNEL LINE: each instruction has a line, the lines' lost slots are the bill's, and LINE has most of them.
stands_on() {
	"$warpbeam" annotate "$root/tests/c/$1.cl" --json >$1.json
	ok "$1: instructions of no line" test \
		"$(jq '[.per_pc[] | select(.issues > 0 and .line == 0)] | length' $1.json)" = 0
	ok "$1: the sum of the lines" test "$(jq '[.per_line[].lost] | add' $1.json)" = \
		"$(jq '.bill | .branched_off + .broke + .returned + .exited' $1.json)"
	ok "$1: lost on line $2" test "$(jq '.per_line | max_by(.lost).line' $1.json)" = "$2"
	ok "$1: most of it" test "$(jq '[.per_line[].lost] | 100 * max > 60 * add' $1.json)" = true
}
stands_on switch "$(grep -n 'switch (' "$root/tests/c/switch.cl" | cut -d: -f1)"
stands_on life "$(grep -n 'switch (' "$root/tests/c/life.cl" | cut -d: -f1)"
stands_on moved "$(grep -n 'switch (' "$root/tests/c/moved.cl" | cut -d: -f1)"
stands_on scan "$(grep -n 'if (l >= d)' "$root/tests/c/scan.cl" | cut -d: -f1)"
ok 'no slot is lost to a barrier' test \
	"$(jq '[.per_line[] | select(.text | test("barrier")) | .lost] | add' scan.json)" = 0

# ---- accesses beyond the end of a buffer ----

cat >over.cl <<'EOF'
// .grid 2
// .block 64
// .arg zero=512
// .arg zero=500
__kernel void over(__global uint *in, __global uint *out)
{
	uint i = get_global_id(0);

	out[i] = in[i] + 1;
}
EOF
beyond='block 1 warp 0 lane 61 accesses 4 bytes at offset 500 of argument 1.*, which has 500 bytes'
check 1 err "pc 0x.* (line 9): $beyond" "$warpbeam" run over.cl
check 1 err 'beyond the end of a buffer (--check none accepts that)' "$warpbeam" run over.cl --timing off
check 1 err 'bounds: store of 4 bytes at .* (line 9)' "$warpbeam" run over.cl --check bounds
silent 0 err beyond "$warpbeam" run over.cl --check none
sed -i 's/zero=500/zero=512/; s/in\[i\]/in[i + 1]/' over.cl
check 1 err 'lane 63 accesses 4 bytes at offset 512 of argument 0' "$warpbeam" run over.cl
printf '.chip g200\n.kernel over\n.block 64\n.regs 4\n.arg zero=200\n%s\n' \
	'	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	st b32 g14[$r1] $r0
	exit nop' >over.s
check 1 err '(line 8): block 0 warp 1 lane 18 accesses 4 bytes at offset 200' "$warpbeam" run over.s
silent 0 err beyond "$warpbeam" run over.s --check none

# ---- barriers, races and unwritten values ----

cat >bar.cl <<'EOF'
// .grid 1
// .block 128
// .arg zero=512
__kernel void bar(__global uint *out)
{
	__local uint s[128];
	uint l = get_local_id(0);

	s[l] = l;
	if (l < 70)
		barrier(CLK_LOCAL_MEM_FENCE);
	out[l] = s[127 - l];
}
EOF
check 0 err 'barriers executed while lanes of the warp were elsewhere, .* (line 11)' "$warpbeam" run bar.cl
check 1 err 'barrier: .* (line 11): block 0 warp 1 arrives with lanes 0x000000000000003f' \
	"$warpbeam" run bar.cl --check barrier
grep -v barrier bar.cl | grep -v 'if (' >race.cl
check 0 err 'found by --check race: .* (line 10) .* (line 9)' "$warpbeam" run race.cl
silent 0 err found "$warpbeam" run race.cl -q
check 1 err 'race: ' "$warpbeam" run race.cl --check race
# The load before a compare and swap is a guess, no race with atomics; with a store it is one, and so is a load alone.
cat >guess.cl <<'END'
// .grid 4
// .block 64
// .arg zero=4
__kernel void guess(volatile __global uint *out)
{
	uint old = *out, assumed;

	do {
		assumed = old;
		old = atomic_cmpxchg(out, assumed, as_uint(as_float(assumed) + 1.0f));
	} while (old != assumed);
}
END
sed 's/do {/if (get_global_id(0) == 3) *out = 5; &/' guess.cl >guess_store.cl
sed 's/^}/	if (get_local_id(0) == 7 \&\& *out == 1)\n\t\tout[0] = 0;\n}/' guess.cl >guess_look.cl
for chip in gfx900 g200 v100; do
	set -- --chip $chip --check race
	check 0 out ok "$warpbeam" run guess.cl "$@"
	check 1 err 'race: .* (line 8).* load at pc .* (line 6)' "$warpbeam" run guess_store.cl "$@"
	check 1 err 'race: .* (line 12) .* (line 10)' "$warpbeam" run guess_look.cl "$@"
done
sed 's/s\[l\] = l;/if (l \& 1) s[l] = l;/; s/if (l < 70)//' bar.cl >uninit.cl
check 0 err 'found by --check uninit: .* (line 12) reads s\[0x' "$warpbeam" run uninit.cl
# A slot of the compiler's own is no variable: at -O 0 clang reloads whole waves before their first spill.
silent 0 err found "$warpbeam" run "$root/examples/nqueens.cl" -O 0
cat >mine.cl <<'END'
// .block 64
// .arg zero=256
__kernel void mine(__global int *p) {
	int own[8];
	own[get_local_id(0) & 3] = 1;
	p[get_global_id(0)] = own[p[0] + 5];
}
END
check 0 err 'found by --check uninit: .* (line 6) reads l\[0x[0-9a-f]*\] (own\[5\])' "$warpbeam" run mine.cl -O 0
for example in collatz mandelbrot nqueens; do
	silent 0 err found "$warpbeam" run "$root/examples/$example.cl"
done
printf '.chip g200\n.kernel k\n.block 32\n.regs 2\n\tmov b32 $r9 $r1\n\texit nop\n' >regs.s
check 0 err 'regs.s:5:2: a register beyond the 2 of .regs: .* write .regs 10' "$warpbeam" run regs.s
not err 'names register'
check 1 out 'regs.s:5:2: a register beyond the 2 of .regs: .* write .regs 10' "$warpbeam" lint regs.s
silent 0 err regist "$warpbeam" run regs.s --regs 10
check 0 err '(line 5) names register 9, but a thread has 3' "$warpbeam" run regs.s --regs 3
sed 's/.regs 2/.regs 10/' regs.s >enough.s
silent 0 err regist "$warpbeam" run enough.s
# $r124 is the zero of compilers, ours among them; written, it is a register as any.
sed 's/\$r9 \$r1/$r1 $r124/' regs.s >zero.s
silent 0 err regist "$warpbeam" run zero.s
sed 's/\$r9 \$r1/$r124 $r1/' regs.s >zero.s
check 0 err 'zero.s:5:2: a register beyond the 2 of .regs' "$warpbeam" run zero.s
printf '.chip gfx900\n.kernel k\n.regs 4\n.block 64\nv_mov_b32 v9, v0\ns_endpgm\n' >waves.s
check 5 err 'waves.s:5:1: a register beyond the 4 of .regs' "$warpbeam" run waves.s

# ---- the source is open beside the instructions ----

"$warpbeam" shot "$root/tests/c/switch.cl" -o view.svg
for text in Source Annotate masked; do
	ok "the view shows '$text'" grep -q "$text" view.svg
done
ok 'rows of the bill have the line' test "$(grep -c 'switch' view.svg)" -ge 8
for text in broke returned rejoining; do
	ok "EXEC knows no '$text'" sh -c '! grep -q "$1" view.svg' sh "$text"
done
"$warpbeam" shot "$root/examples/ifelse.s" -o tesla.svg
ok 'the states of Tesla' grep -q broke tesla.svg
ok 'assembly has one listing' sh -c '! grep -q "heat line" tesla.svg'
"$warpbeam" report "$root/tests/c/switch.cl" -o switch.html 2>err
ok 'the report has the text of C' grep -q '(line 9: <code>switch (v &gt;&gt; 29) {</code>)' switch.html

# ---- five questions, at most four keys each (docs/how-to/walk-through-a-run.md) ----

# asks KEYS ANSWER FILE OPTION...: what the terminal shows after the keys has the answer.
asks() {
	keys=$1
	answer=$2
	shift 2
	"$warpbeam" tui --print --size 160x60 --keys "$keys" "$@" >shown 2>err
	LC_ALL=C grep -a -q -e "$answer" shown
	result $? "$*, keys '$keys': no '$answer'"
}
switch=$root/tests/c/switch.cl scan=$root/examples/scan.cl
bill_row() {
	LC_ALL=C grep -a -A 1 'by branch' "$1" | tail -n 1 | grep -a -o '0x0[0-9a-f]* *[0-9]*: [a-z]* *(.*' | tail -n 1
}
for one in "$collatz|17: while (v" "$scan|24: if (i >=" "$switch|9: switch (v"; do
	"$warpbeam" tui --print --size 160x60 "${one%%|*}" >shown 2>err
	bill_row shown >row
	ok "the dearest line of ${one%%|*}" grep -q -F "${one#*|}" row
done
asks T ' 1 of [0-9]*: 0x[0-9a-f]* waited [0-9,]* cycles, mostly for operand: .* (1[78]: ' "$collatz"
asks T ' 1 of [0-9]*: 0x[0-9a-f]* waited .*, mostly for fetch: .* ([0-9]*: ' "$scan"
asks T ' 1 of [0-9]*: 0x[0-9a-f]* waited .* cycles, mostly for .* ([0-9]*: ' "$switch"
sed 's/far \*= 2/far *= 4/' "$scan" >other.cl
asks z 'the runs part at cycle [0-9,]*: w[0-3] issues 0x' "$scan" --against other.cl
asks z 'the two runs are the same' "$switch" --against "$switch"
for file in "$collatz" "$scan" "$switch"; do
	asks 8 ' would fit' "$file"
	asks 8 'measured: [14].0 warps resident on average' "$file"
done
waits=0
for cycle in 540 560 580 600 650 700 800 1000 2000; do
	"$warpbeam" tui --print --size 160x60 --state "wb1:c=$cycle;w=0;mp=0" --keys 'w w w 7' "$scan" >shown 2>err
	LC_ALL=C grep -a -q 'w3 waits for [a-z ]* since [0-9,]*' shown && waits=$((waits + 1))
done
ok 'why w3 waits' test $waits -gt 0

finish
