#!/bin/sh
# Are defects in comparisons of addresses noticed? Mutants of the headers' lines, each compiled with bounds.c in a
# folder of its own; mutants of AVX-512 only where the host has it.   bounds.sh ROOT CC
set -u
root=$1
cc=${2:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# FLAGS FILE SED WANTED: the exit code of bounds.c with the changed copy in front of the tree's headers. A mutant that
# does not compile leaves no program, and counts as a failure.
run() {
	rm -rf "$work/copy" "$work/bounds"
	mkdir -p "$work/copy/mem" "$work/copy/core/base"
	cp "$root"/mem/bounds.h "$root"/mem/lane_words.h "$work/copy/mem"
	cp "$root"/core/base/vector.h "$work/copy/core/base"
	[ -z "$3" ] || sed -i "$3" "$work/copy/$2"
	if [ -n "$3" ] && cmp -s "$root/$2" "$work/copy/$2"; then
		got='out of date'
	else
		# shellcheck disable=SC2086
		$cc -std=gnu11 -O1 $1 -I "$work/copy" -I "$root" "$root/tests/broken/bounds.c" -o "$work/bounds"
		"$work/bounds"
		got=$?
	fi
	if [ "$got" = "$4" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "exit $got, expected $4: $1 $2 $3"
	fi
}

inside='bytes >= width \&\& addr <= bytes - width'
run '' mem/bounds.h '' 0
run '' mem/bounds.h "s/$inside/addr + width <= bytes/" 1
run '' mem/bounds.h "s/$inside/addr + width <= bytes + 1/" 1
run '' mem/bounds.h "s/$inside/(uint32_t)(addr + width) <= bytes/" 1
run '' mem/bounds.h "s/$inside/(int64_t)addr <= (int64_t)(bytes - width)/" 1
run '' mem/bounds.h "s/$inside/addr < bytes/" 1
run '' mem/bounds.h "s/$inside/addr <= bytes - width/" 1
run '' mem/bounds.h 's/addr <= bytes - width/addr < bytes - width/' 1
run '' core/base/vector.h 's/return a > b;/return (vec_int)a > (vec_int)b;/' 1
run '' core/base/vector.h 's/return a > b;/return (vec_int)a < 0;/' 1
run '' mem/lane_words.h 's/highest = vec_all(bytes - width);/highest = vec_all(bytes);/' 1
run '' mem/lane_words.h 's/highest = vec_all(bytes - width);/highest = vec_all(bytes - width - 1);/' 1
run '' core/base/vector.h 's/return (a & b) != 0;/return (vec_mask){ 0 };/' 1
if grep -qw avx512f /proc/cpuinfo 2>/dev/null; then
	v='-mavx512f -mavx512bw -mavx512dq -mavx512vl'
	run "$v" mem/bounds.h '' 0
	run "$v" core/base/vector.h 's/_mm512_cmpgt_epu32_mask/_mm512_cmpgt_epi32_mask/' 1
	run "$v" core/base/vector.h 's/_mm512_cmpgt_epu32_mask/_mm512_cmpge_epu32_mask/' 1
	run "$v" core/base/vector.h 's/_mm512_test_epi32_mask((__m512i)a, (__m512i)b)/(__mmask16)0/' 1
	run "$v" mem/lane_words.h 's/__builtin_expect(bytes < width, 0)/0/' 1
	run "$v" mem/lane_words.h 's/!(bits & lanes)/!bits/' 1
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
