#!/bin/sh
# The debugger does what a script says, and says what it did.   debug.sh WARPBEAM SOURCE_ROOT
# Each script is for the example of its name. Without timing, so that new latencies change nothing here. Expected output:
# tests/debug/*.expected; WB_UPDATE=1 writes them anew.
set -u
warpbeam=$1
root=$2
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

result() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$2"
	fi
}

for script in "$root"/tests/debug/*.commands; do
	name=$(basename "$script" .commands)
	"$warpbeam" debug "$root/examples/$name.s" --timing off --batch -x "$script" >"$work/out" 2>&1
	[ -n "${WB_UPDATE:-}" ] && cp "$work/out" "$root/tests/debug/$name.expected"
	diff -u "$root/tests/debug/$name.expected" "$work/out"
	result $? "$name: the output differs"
done

# Every command has its help, and one that fails ends a batch.
for command in step reverse-step next finish continue reverse-continue until goto break watch print x info why disassemble list; do
	echo "help $command" | "$warpbeam" debug "$root/examples/ifelse.s" --batch | grep -q "^$command"
	result $? "help $command"
done
for line in 'nonsense' 'break nowhere' 'until' 'p $r3[7:2]' 'p 1 +' 'step 0' 'warp w77' 'x/4 q[0]' 'info nothing' 'goto x'; do
	printf '%s\nprint 1\n' "$line" | "$warpbeam" debug "$root/examples/ifelse.s" --batch >"$work/out" 2>"$work/err"
	[ $? = 2 ] && [ -s "$work/err" ] && ! grep -q 'print' "$work/out"
	result $? "$line: expected a message and exit 2"
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
