#!/bin/sh
# The public header and the library keep the ABI of the committed baseline, by the rule in warpbeam.h
# (docs/reference/abi.md): sizes, members, enumerators and functions (table.txt), symbols and soname of the library, and
# where abidiff is installed, the types of functions (warpbeam.abixml; of a library made of the header alone, as the
# project's own types are no part of the ABI and release builds have no debug information).
#
#   abi.sh check INCLUDE LIBRARY COMPILER...
#   abi.sh write INCLUDE COMPILER...            write the baseline
set -u
here=$(cd "$(dirname "$0")" && pwd)
command=$1
header=$2/warpbeam.h
shift 2
if [ "$command" = check ]; then
	library=$1
	shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

verdict() {   # STATUS WHAT
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		echo "failed: $2"
		failed=$((failed + 1))
	fi
}

skip() {
	echo "skipped: $1"
	skipped=$((skipped + 1))
}

table() {   # the header's table
	awk -f "$here/table.awk" "$header" >"$work/table.c" &&
		"$@" -std=c11 -w -I"$(dirname "$header")" -o "$work/table" "$work/table.c" && "$work/table"
}

stubs() {   # a library with the header's types
	awk -v stubs=1 -f "$here/table.awk" "$header" >"$work/stubs.c" &&
		"$@" -std=c11 -w -g -fPIC -shared -I"$(dirname "$header")" -o "$work/libwarpbeam.so" "$work/stubs.c"
}

# Functions of the header are exported, and no other name is but the linker's own, which come along with a library that
# exports them (libmpack); the soname has the ABI's number.
check_symbols() {
	sed -n 's/^function \([a-z_0-9]*\):.*/\1/p' "$work/now" | sort >"$work/declared"
	nm -D --defined-only "$library" | awk '$3 !~ /^__|^_edata$|^_end$/ { print $3 }' | sort >"$work/exported"
	diff "$work/declared" "$work/exported" >"$work/diff"
	verdict $? "functions that the header declares (<) are those that the library exports (>): $(cat "$work/diff")"
	soname=$(LC_ALL=C objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
	abi=$(sed -n 's/^abi //p' "$work/now")
	[ "$soname" = "libwarpbeam.so.$abi" ]
	verdict $? "found soname $soname, expected libwarpbeam.so.$abi"
}

# The rule allows: structs marked so grow at the end, functions are added.
allowed() {
	sed -n 's/^struct \(.*\):.* grows$/\1/p' "$here/table.txt" | while read -r name; do
		printf '[suppress_type]\nname = %s\nhas_data_member_inserted_at = end\n' "$name"
	done
}

check_types() {
	command -v abidiff >/dev/null 2>&1 || { skip "abidiff (package abigail-tools) is not there"; return; }
	grep -q "architecture='elf-.*-$(uname -m)'" "$here/warpbeam.abixml" ||
		{ skip "abidiff: the baseline is not of $(uname -m)"; return; }
	stubs "$@" && allowed >"$work/allowed" &&
		abidiff --suppressions "$work/allowed" --no-added-syms --no-show-locs "$here/warpbeam.abixml" \
			"$work/libwarpbeam.so" >"$work/types" 2>&1
	status=$?
	[ $status = 0 ] || cat "$work/types"
	verdict $status "abidiff: types differ from those of tests/abi/warpbeam.abixml"
}

table "$@" >"$work/now" || { echo "the header's table cannot be made"; echo "0 passed, 1 failed"; exit 1; }
case $command in
write)
	stubs "$@" && abidw --no-corpus-path --no-comp-dir-path --no-show-locs --out-file "$here/warpbeam.abixml" \
		"$work/libwarpbeam.so" && cp "$work/now" "$here/table.txt"
	exit
	;;
check) ;;
*) echo "found '$command', expected check or write"; exit 2 ;;
esac

if [ "$(getconf LONG_BIT)" = 64 ]; then
	awk -f "$here/compare.awk" "$here/table.txt" "$work/now"
	verdict $? "the header's table"
else
	skip "the table is that of hosts with 64-bit pointers"
fi
check_types "$@"
case $library in
*.so*) if command -v objdump >/dev/null 2>&1; then
		check_symbols
	else
		skip "objdump and nm (package binutils) are not there"
	fi ;;
*) skip "symbols: the library is static" ;;
esac
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
