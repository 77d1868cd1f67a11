#!/bin/sh
# A good guess: a compiler never reads a byte that the program does not read, for the buffer may end there.
# Really: for AMD, clang 15 and later read 12 bytes at an address aligned to 8 by s_load_dwordx4, 16 bytes, and a single
# byte of a __constant buffer aligned to 4 by s_load_dword. clang 14 reads 8 + 4 bytes, and 1. Memory of a real GPU is
# mapped in pages, so the bytes beyond do no harm there.
# Consequence: a checker of bounds that takes each byte of an access for the program's own reports correct programs.
. "$(dirname "$0")/packages.sh"
clangs 14 15 19

cat >three.cl <<'END'
kernel void three(global uint *out, const global ulong *restrict in)
{
	const global uint *words = (const global uint *)in;

	out[0] = words[0] + 3 * words[1] + 7 * words[2];
}
END
cat >one.cl <<'END'
kernel void one(global uint *out, constant uint *in, uint n)
{
	constant uchar *bytes = (constant uchar *)(in + n);

	out[0] = bytes[0];
}
END
cat three.cl one.cl

# Arguments come by s[4:5] in both kernels: the other loads are of the buffers.
loads() {   # MAJOR FILE
	amd "$1" "$2" | grep '^	s_load\|^	global_load' | grep -v 's\[4:5\], 0x' >loads
	cat loads >&2
	echo $(awk '{ print $1 }' loads)
}
for major in 14 15 19; do
	tool $major clang
	case $major in
	14)
		stated 'loads of 12 bytes' "$(loads 14 three.cl)" 's_load_dwordx2 s_load_dword'
		stated 'loads of 1 byte' "$(loads 14 one.cl)" 'global_load_ubyte'
		;;
	*)
		stated 'loads of 12 bytes' "$(loads $major three.cl)" 's_load_dwordx4'
		stated 'loads of 1 byte' "$(loads $major one.cl)" 's_load_dword'
		;;
	esac
done
exit $status
