#!/bin/sh
# A healthy and a broken command line with the same vectors and the same program: the one passes, the other fails.
#   notice.sh WARPBEAM BROKEN VECTORS PROGRAM
set -u
passed=0 failed=0

ends() {
	want=$1
	shift
	"$@" >/dev/null 2>&1
	got=$?
	if [ $got -eq "$want" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "exit $got, expected $want: $*"
	fi
}

ends 0 "$1" vectors "$3"
ends 1 "$2" vectors "$3"
ends 0 "$1" run --check-expect "$4"
ends 1 "$2" run --check-expect "$4"
if [ -r "${WB_SHARED:-}/vectors/tesla/int.vec.gz" ]; then
	ends 0 "$1" vectors "$WB_SHARED/vectors/tesla/int.vec.gz"
	ends 1 "$2" vectors "$WB_SHARED/vectors/tesla/int.vec.gz"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
