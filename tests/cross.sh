#!/bin/sh
# A build for another architecture gives the results of one for this: examples with and without timing, and vectors
# where they are.   cross.sh WARPBEAM EXAMPLES SHARED OTHER_WARPBEAM...
set -u
warpbeam=$1
examples=$2
shared=$3
shift 3
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() {   # STATUS WHAT
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$2"
	fi
}

for example in "$examples"/*.s "$examples"/*.vsh "$examples"/*.gsh; do
	for options in '--mps 2' '--timing off --mps 2'; do
		# shellcheck disable=SC2086
		"$warpbeam" run "$example" $options --json >"$work/here" 2>/dev/null
		here=$?
		# shellcheck disable=SC2086
		"$@" run "$example" $options --json >"$work/there" 2>/dev/null
		verdict $((here - $?)) "$example $options: another exit code than $here"
		cmp -s "$work/here" "$work/there"
		verdict $? "$example $options: $(diff "$work/here" "$work/there" | head -n 4)"
	done
done
for file in tesla/int tesla/fp32 tesla/cvt32 tesla/sfu tesla/control.json pica/units.json; do
	for path in "$shared/vectors/$file.vec.gz" "$shared/vectors/$file.gz"; do
		[ -f "$path" ] || continue
		"$@" vectors "$path" >"$work/out" 2>&1
		verdict $? "$file: $(tail -n 1 "$work/out")"
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
