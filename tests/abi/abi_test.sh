#!/bin/sh
# The check of the ABI finds what breaks it, and lets pass what the rule allows.   abi_test.sh INCLUDE COMPILER...
set -u
here=$(cd "$(dirname "$0")" && pwd)
include=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

changed() {   # WHAT EXPECTED-EXIT EXPECTED-TEXT SED-PROGRAM; then the compiler
	what=$1
	exit=$2
	text=$3
	sed "$4" "$include/warpbeam.h" >"$work/warpbeam.h"
	shift 4
	if cmp -s "$include/warpbeam.h" "$work/warpbeam.h"; then
		echo "$what: the header has no such line"
		failed=$((failed + 1))
		return
	fi
	sh "$here/abi.sh" check "$work" none.a "$@" >"$work/out" 2>&1
	status=$?
	if [ $status = "$exit" ] && grep -qF "$text" "$work/out"; then
		passed=$((passed + 1))
	else
		echo "$what: found exit $status, expected $exit and \"$text\":"
		cat "$work/out"
		failed=$((failed + 1))
	fi
}

breaks() { what=$1; text=$2; program=$3; shift 3; changed "$what" 1 "$text" "$program" "$@"; }
passes() { what=$1; program=$2; shift 2; changed "$what" 0 "as in the baseline" "$program" "$@"; }

breaks "a member goes" 'found nothing, expected "member wb_bill.brk' '/uint64_t brk;/d' "$@"
breaks "a member comes into a fixed struct" "struct wb_bill has a new member more" \
	's|uint64_t rejoin;|uint64_t rejoin; uint64_t more;|' "$@"
breaks "a member comes into the middle of a struct that grows" "new member more that is not its last" \
	's|struct wb_bill bill;|& uint32_t more[6];|' "$@"
breaks "a member changes its type, not its size" "expected \"member wb_break.id at 0, 4 bytes: int\"" \
	'/from 1/s/int id/unsigned id/' "$@"
breaks "an enumerator changes its value" 'expected "enumerator WB_WAIT_DONE = 3"' \
	's/WB_WAIT_LOCK,/WB_WAIT_LOCK, WB_WAIT_MORE,/' "$@"
breaks "an array gets longer" 'expected "enumerator WB_STALLS = 16"' 's/WB_STALLS = 16/WB_STALLS = 17/' "$@"
breaks "a parameter changes its type" 'expected "function wb_launch_cycle' \
	'/wb_launch_cycle/s/uint32_t mp/uint64_t mp/' "$@"
breaks "a function goes" 'found nothing, expected "function wb_abi' '/wb_abi(void)/d' "$@"
breaks "a struct grows no longer" 'expected "struct wb_report' '/^struct wb_report {/s|/\* grows \*/||' "$@"
breaks "the number is raised, the baseline is not" "WB_ABI_VERSION is 99, the baseline is of" \
	's/WB_ABI_VERSION [0-9]*/WB_ABI_VERSION 99/' "$@"
breaks "two members on a line" "expected one member a line" 's|uint64_t rejoin;|uint64_t rejoin, more;|' "$@"

! command -v abidiff >/dev/null 2>&1 ||
	breaks "abidiff sees it too" "failed: abidiff" '/wb_launch_cycle/s/uint32_t mp/uint64_t mp/' "$@"

passes "a member at the end of a struct that grows" \
	'/^struct wb_report {/,/^};/s|^};|\tconst char *more;\n};|' "$@"
passes "a function more" \
	's|^WB_API unsigned wb_abi(void);|& WB_API int wb_more(int (*f)(int a, char *b), int c[4]);|' "$@"
passes "an enumerator more" 's/WB_STOP_INTERRUPTED = 1024,/& WB_STOP_MORE = 2048,/' "$@"
passes "a struct more" 's|^struct wb_events;|struct wb_more { int a; };\n&|' "$@"
passes "a parameter has another name" '/wb_launch_cycle/s/uint32_t mp/uint32_t multiprocessor/' "$@"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
