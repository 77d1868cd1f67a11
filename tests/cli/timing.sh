#!/bin/sh
# Every experiment of bench timing is inside its tolerance, on each chip with experiments; other chips have none, and
# say so.   timing.sh WARPBEAM
warpbeam=$1 passed=0 failed=0
result() { # DESCRIPTION STATUS
	[ "$2" = 0 ] && passed=$((passed + 1)) || { echo "FAIL: $1"; failed=$((failed + 1)); }
}
for chip in g200 tahiti bonaire tonga gfx900; do
	"$warpbeam" bench timing --chip $chip
	result "experiments of $chip" $?
done
for chip in pica g80; do
	"$warpbeam" bench timing --chip $chip 2>&1 | grep -q "there are no experiments for $chip, but for g200, tahiti"
	result "no experiments for $chip" $?
done
# numbers that nobody knows have a range, and compare shows what they change
for key in compare.latency smem.latency g.latency s.latency bar.latency; do
	"$warpbeam" bench timing --sources --chip tonga | grep "^$key .*ours .*range [0-9]* to [0-9]*" >/dev/null
	result "$key has a range on tonga" $?
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
