#!/bin/sh
# Programs on several host threads under the thread sanitizer, whose build this wants (-Db_sanitize=thread, gcc): the
# examples, in every way of executing, on blocks for all threads. Races of programs in their own memory are no report
# (mem/global.c).   tsan.sh WARPBEAM SOURCE_ROOT TEST_THREADS
set -u
warpbeam=$(realpath "$1")
root=$(realpath "$2")
threads=$(realpath "$3")
passed=0
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
TSAN_OPTIONS='exitcode=66 halt_on_error=0 history_size=4'
export TSAN_OPTIONS

limit=300   # seconds
races() {   # COMMAND...
	timeout $limit "$@" >"$out" 2>&1
	status=$?
	if [ $status != 66 ] && [ $status != 124 ] && ! grep -q 'ThreadSanitizer' "$out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "exit $status: $*"
		grep -m 40 -A 12 'ThreadSanitizer' "$out"
	fi
}

for example in "$root"/examples/*.s "$root"/examples/*.?sh; do
	for way in '--timing on' '--timing on --in-order' '--timing off' '--timing off --no-threaded-code'; do
		# shellcheck disable=SC2086
		races "$warpbeam" run "$example" -q --threads 4 --mps 4 --max-cycles 20000 --max-insns 50000 $way
	done
done
for example in saxpy histogram matmul lock-ok; do
	races "$warpbeam" run "$root/examples/$example.s" -q --threads 3 --mps 8 --grid 24 --max-cycles 20000
	races "$warpbeam" run "$root/examples/$example.s" -q --threads 3 --mps 8 --grid 24 --timing off
done
limit=3600
races "$threads"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
