#!/bin/sh
# Healthy and broken programs with the same vectors and the same kernel: the healthy ones pass, the broken ones fail.
#   notice.sh WARPBEAM LABORATORY BROKEN_WARPBEAM BROKEN_LABORATORY VECTORS KERNEL
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

ends 0 "$2" vectors "$5"
ends 1 "$4" vectors "$5"
ends 0 "$1" run --check-expect "$6"
ends 1 "$3" run --check-expect "$6"
ends 0 "$2" vectors "$WB_SHARED/vectors/tesla/int.vec.gz"
ends 1 "$4" vectors "$WB_SHARED/vectors/tesla/int.vec.gz"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
