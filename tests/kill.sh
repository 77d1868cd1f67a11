#!/bin/sh
# What is there when a command is killed at any moment: the old output or the new one, whole, and beside it nothing but
# perhaps another whole one.
#   kill.sh WARPBEAM SOURCE_ROOT [ROUNDS]
set -u
warpbeam=$(realpath "$1")
root=$(realpath "$2")
rounds=${3:-12}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

check() {   # OUT COMMAND...: kill it after part after part of the time that it takes
	out=$1
	shift
	begun=$(date +%s%N)
	"$@" >/dev/null 2>&1
	took=$(($(date +%s%N) - begun))
	mv "$out" new
	i=0
	while [ $i -lt "$rounds" ]; do
		echo 'what was there' >"$out"
		"$@" >/dev/null 2>&1 &
		pid=$!
		sleep "$(awk "BEGIN { printf \"%.4f\", $took * $i / $rounds / 1e9 }")"
		kill -KILL $pid 2>/dev/null
		wait $pid 2>/dev/null
		if [ "$(cat "$out" | tr -d '\0')" = 'what was there' ] 2>/dev/null || cmp -s "$out" new; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "after part $i of $rounds: '$out' is neither the old nor the new one: $*"
		fi
		# Between its name beside the output and its name as the output, the new one is whole.
		for left in ./*.part; do
			[ -e "$left" ] && ! cmp -s "$left" new && { failed=$((failed + 1)); echo "left by $*: $left"; }
			rm -f "$left"
		done
		i=$((i + 1))
	done
	rm -f "$out" "$out.points"
}

example=$root/examples/mandelbrot.s
cp "$root/examples/ifelse.s" source.s
printf '{"file": "%s", "axes": {"policy": ["rr", "gto", "oldest"]}, "columns": ["cycles"]}' \
	"$root/examples/ifelse.s" >plan.json
check a.trace "$warpbeam" run "$example" -q --trace a.trace
check a.png "$warpbeam" shot "$root/examples/ifelse.s" -o a.png
check a.bin "$warpbeam" asm source.s -o a.bin
check a.csv "$warpbeam" sweep plan.json -j 2 -o a.csv

echo "$passed passed, $failed failed"
[ $failed = 0 ]
