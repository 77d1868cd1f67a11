#!/bin/sh
# No SSE-encoded code runs while upper halves of vector registers are in use: disassembles the library and follows each
# function (tests/house/upper_halves.awk).   upper_halves.sh AWK_PROGRAM LIBRARY SANITIZERS OPTIMIZATION
# The last two are meson's options of the build.
set -eu
program=$1
library=$2
sanitizers=$3
optimization=$4

skip() {
	echo "skipped: $1"
	exit 77
}

[ "$sanitizers" = none ] || skip "sanitizers call their runtime anywhere"
case $optimization in
2 | 3) ;;
*) skip "compilers place vzeroupper from -O2 on, found optimization=$optimization" ;;
esac
command -v objdump >/dev/null 2>&1 || skip "objdump (package binutils) is not there"
LC_ALL=C objdump -f "$library" | grep -q 'file format elf64-x86-64' || skip "the library is not for x86-64"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C objdump -d --no-show-raw-insn "$library" >"$work/list"
awk -f "$program" "$work/list" "$work/list"
