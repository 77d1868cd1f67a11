#!/bin/sh
# A host without memory: each allocation of two dozen commands fails in turn. The command then either does the same as
# with all memory, or ends with exit 3 and a line with the reason; no file is left half written.
#   oom.sh WARPBEAM SOURCE_ROOT FAIL_ALLOC.so [all|SAMPLES]        (how many of a command's calls are tried; default 12,
#                                                  with WB_TEST_ALL=1 60)
set -u
warpbeam=$(realpath "$1")
root=$(realpath "$2")
library=$(realpath "$3")
samples=${4:-12}
[ $# -gt 3 ] || [ -z "${WB_TEST_ALL:-}" ] || samples=60
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
export TMPDIR=$work/tmp
export LC_ALL=C   # a locale that fails to load is replaced by another, with other bars
passed=0
failed=0
runs=0

report() {   # WHAT: a finding
	failed=$((failed + 1))
	echo "$1"
	sed 's/^/    /' err | head -n 4
}

# A run with its n-th call failing. Status 0: as expected.
try() {   # N COMMAND...
	n=$1
	shift
	rm -f out.file out.file.csv*
	WB_FAIL_AT=$n LD_PRELOAD=$library timeout 60 "$warpbeam" "$@" >out 2>err </dev/null
	got=$?
	runs=$((runs + 1))
	if [ $got = 3 ] && [ $want != 3 ]; then
		[ ! -e out.file ] || cmp -s out.file want.file || { report "call $n: a part is left by: $*"; return; }
		[ "$(sort -u err | grep -c '^warpbeam: ')" = 1 ] || { report "call $n: expected one line of: $*"; \
			return; }
	elif [ "$1" = sweep ] && [ $got = 1 ] && grep -q 'worker ended with exit code 3' out.file.csv; then
		:   # a worker: the point's row has the failure, and --resume tries the point again
	elif [ $got != $want ]; then
		report "call $n: exit $got, expected $want or 3, of: $*"
		return
	else
		cmp -s out want.out || { report "call $n: the answer is another, of: $*"; return; }
		[ ! -e want.file ] || cmp -s out.file want.file || { report "call $n: the file is another, of: $*"; \
			return; }
	fi
}

check() {   # COMMAND...
	before=$failed
	rm -f out.file want.file
	rm -f count
	WB_FAIL_COUNT=count LD_PRELOAD=$library "$warpbeam" "$@" >want.out 2>err </dev/null
	want=$?
	[ -e out.file ] && mv out.file want.file
	calls=$(cat count) || exit 1
	[ "$calls" -gt 10 ] || { report "only $calls calls are seen of: $*"; return; }
	step=1
	[ "$samples" = all ] || step=$((calls / samples + 1))
	# a new beginning each time, by the command's length: all runs together cover more calls
	n=$((1 + $(echo "$*" | wc -c) % step))
	while [ $n -le "$calls" ]; do
		try $n "$@"
		n=$((n + step))
	done
	[ -z "$(ls tmp)" ] || report "the folder for temporary files keeps $(ls tmp | head -n 3) of: $*"
	[ $failed = $before ] && passed=$((passed + 1))
}

example=$root/examples/ifelse.s
"$warpbeam" run "$example" -q --trace a.trace >/dev/null
"$warpbeam" run "$example" -q --diverge fall --trace b.trace >/dev/null
printf '{"file": "%s", "axes": {"policy": ["rr", "gto"]}, "columns": ["cycles"]}' "$example" >plan.json
printf 'step 5\ninfo stack\nprint $r1\n' >steps
cat >k.ptx <<'END'
.version 1.4
.target sm_10
.entry k (.param .u32 p)
{
	.reg .u32 %r<4>;
	.reg .pred %c;
	cvt.u32.u16 %r1, %tid.x;
	ld.param.u32 %r2, [p];
	setp.lt.u32 %c, %r1, 7;
	@%c bra Low;
	mul.lo.u32 %r1, %r1, 100;
Low:
	shl.b32 %r3, %r1, 2;
	add.u32 %r2, %r2, %r3;
	st.global.u32 [%r2], %r1;
	exit;
}
END

seq 1000000 | head -c 1500000 >numbers    # memory beyond the first room of a saved run
check run "$root/examples/collatz.s" -a in=numbers --save-at 1000 --save out.file
# Without kept pages (fail_alloc.c) the state lies elsewhere, in the same shape.
"$warpbeam" run "$root/examples/collatz.s" -a in=numbers --save-at 1000 --save saved.wbs >/dev/null 2>&1
check run saved.wbs
[ "$want" = 0 ] || report "exit $want, expected 0, of a saved run on a host without kept pages"
check run "$example"
check run "$example" --json --timing off
check run "$root/examples/lights.vsh" --out out.file
check run "$example" -q --trace out.file
check bill "$example"
check annotate "$example"
check compare "$example" --policy rr,gto
check dis --source "$example"
check dis --json "$example"
check asm "$example" -o out.file --format cubin
check asm "$root/examples/lights.vsh" -o out.file --format shbin
check info "$example"
check diff a.trace b.trace
check export a.trace --format perfetto -o out.file
check export a.trace --format csv -o out.file
check export "$example" --format perfetto -o out.file
check shot "$example" -q -o out.file --size 320x200
check sweep plan.json -q -j 1 -o out.file.csv
check compile k.ptx -o out.file
check lab 1 "$root/examples/labs/lab1-branch.s"
check run "$example" --check-expect
check debug "$example" --batch -x steps
check report "$example" -q -o out.file
check occ --chip g200 --threads 64 --regs 8 --smem 64

echo "$passed passed, $failed failed ($runs runs)"
[ $failed = 0 ]
