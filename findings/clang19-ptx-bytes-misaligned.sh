#!/bin/sh
# A good guess: sixteen bytes at any address are loaded so that a GPU, which wants an access aligned to its size, loads
# them.
# Really: LLVM 18 and 19 make one load of 16 bytes of a vector of sixteen bytes for nvptx, whatever its alignment (16
# loads bytes; LLVM 20 has pull request 107919). The store of the vector is right. Sources in C++ get such vectors by
# the vectorizer of straight-line code.
# Consequence: CUB's sort of bytes reads at 19 bytes times the thread, and ends at a misaligned address.
. "$(dirname "$0")/packages.sh"
clangs 16 19

cat >bytes.ll <<'END'
target triple = "nvptx64-nvidia-cuda"
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load <16 x i8>, ptr addrspace(1) %p, align 1
  store <16 x i8> %v, ptr addrspace(1) %q, align 1
  ret void
}
END
tail -n 5 bytes.ll
for major in 16 19; do
	tool $major clang
	llvm $major clang --target=nvptx64-nvidia-cuda -O2 -S -x ir bytes.ll -o bytes.s 2>messages
	found=$(awk '/ld.global.u8/ { bytes++ } /ld.global.v4.u32/ { wide++ }
		END { printf "%d loads of a byte, %d of 16 bytes", bytes, wide }' bytes.s)
	case $major in
	16) stated 'align 1' "$found" '16 loads of a byte, 0 of 16 bytes' ;;
	*) stated 'align 1' "$found" '0 loads of a byte, 1 of 16 bytes' ;;
	esac
done
exit $status
