#!/bin/sh
# Cases of graphics programs through the command line, in all ways to run them: the results are the same.
#   vectors_gfx.sh WARPBEAM
set -eu
warpbeam=$1
cases=$WB_SHARED/corpus/tesla/gfx/cases
passed=0
failed=0
while read -r options; do
	# shellcheck disable=SC2086
	if "$warpbeam" vectors "$cases"/*.json $options; then
		passed=$((passed + 1))
	else
		echo "failed with options: $options"
		failed=$((failed + 1))
	fi
done <<END

--timing off
--in-order
--no-threaded-code
--threads 4
--simd base
--diverge fall
--diverge random
--reconverge minpc
--reconverge none
--reconverge ipdom
--reconverge barriers
--quad-order morton
--quad-order 7
--share-vertices
--vertex-slots 5
--share-vertices --vertex-slots 9 --mps 2
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
