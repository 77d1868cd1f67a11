#!/bin/sh
# A good guess: a function that returns two bytes returns two bytes.
# Really: LLVM 19 declares the result of a function of <2 x i8> for nvptx with 2 bytes, and stores and loads a word of
# 4 bytes there, with a byte in each half (16 stores two bytes).
# Consequence: pocl's test_short16, compiled for Tesla, was refused as an access beyond a parameter.
. "$(dirname "$0")/packages.sh"
clangs 16 19

cat >two.ll <<'END_OF_TEXT'
target triple = "nvptx64-nvidia-cuda"
define <2 x i8> @f(<2 x i8> %v) noinline {
  %w = add <2 x i8> %v, %v
  ret <2 x i8> %w
}
END_OF_TEXT
tail -n 4 two.ll
for major in 16 19; do
	tool $major clang
	llvm $major clang --target=nvptx64-nvidia-cuda -O2 -S -x ir two.ll -o two.s 2>messages
	grep -E 'func_retval0' two.s
	found="$(sed -n 's/.*func_retval0\[\([0-9]*\)\].*/\1 bytes declared/p' two.s | head -n 1), $(
		sed -n 's/.*st\.param\.\([^ \t]*\)[ \t].*func_retval0.*/\1/p' two.s | tr '\n' ' ')stored"
	case $major in
	16) stated result "$found" '2 bytes declared, v2.b8 stored' ;;
	*) stated result "$found" '2 bytes declared, b32 stored' ;;
	esac
done
exit $status
