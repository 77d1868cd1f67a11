#!/bin/sh
# Pairs of adjacent instructions are counted where control cannot come between them.   pairs.sh PAIRS
set -u
pairs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

row() {   # TEXT: the table has this line
	if grep -qxF -- "$1" "$work/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "no line '$1' in:"
		cat "$work/out"
	fi
}

cat >"$work/loop.s" <<'END'
.kernel loop
.chip g200
.const 1 0x0: 1
	mov b32 $r1 0x3
again:
	add b32 $r2 $r2 $r1
	xor b32 $r3 $r3 $r2
	sub b32 $c0 $r1 $r1 c1[0x0]
	(lg $c0) bra #again
	exit nop
END
cp "$work/loop.s" "$work/same.s"
"$pairs" "$work/loop.s" "$work/same.s" >"$work/out" || echo "exit $?" >>"$work/out"
row '2 files of 12 instructions; 2 of them ran, 28 warp instructions'
row '| add b32 | xor b32 | 16.7 % | 21.4 % |'
row '| xor b32 | sub b32 $c c[] | 16.7 % | 21.4 % |'
row '| sub b32 $c c[] | (c) bra | 16.7 % | 21.4 % |'
if grep -q -e 'mov b32 |' -e '| exit' "$work/out"; then
	failed=$((failed + 1))
	echo "a pair with a jump between its two"
else
	passed=$((passed + 1))
fi
"$pairs" "$work/none.s" >"$work/out" 2>&1
echo "exit $?" >>"$work/out"
row 'exit 3'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
