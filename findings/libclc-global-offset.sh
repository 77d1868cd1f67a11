#!/bin/sh
# A good guess: get_global_offset of the OpenCL library gives a launch's offset, and get_global_id adds the offset.
# Really: on AMD, libclc reads 32-bit words 1, 2 and 3 behind the kernel's own arguments for x, y and z. In code objects
# of version 4 the offsets are three numbers of 64 bits from byte 0 on, so x is the upper half of x, y is y, and z the
# upper half of y: of an offset 5, 6, 7 a kernel sees 0, 6, 0. In version 5, the default of clang 19, words 1, 2 and 3
# are the number of blocks in y, in z, and the sizes of a block in x and y side by side; the offsets begin at byte 40.
# Consequence: an offset of a launch needs a get_global_offset and a get_global_id in front of the library's.
. "$(dirname "$0")/packages.sh"

cat >offset.cl <<'END'
kernel void offset(global uint *out) { *out = get_global_offset(DIMENSION); }
END
cat offset.cl

# The bytes behind the kernel's own argument, a pointer of 8 bytes, that a dimension's offset is read from.
bytes_read() {   # MAJOR DIMENSION
	amd "$1" offset.cl "-DDIMENSION=$2" -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang \
		"$work/usr/lib/clc/amdgcn--amdhsa.bc" 2>message |
		sed -n 's/.*s_load_dword s[0-9]*, s\[[0-9]*:[0-9]*\], \(0x[0-9a-f]*\)$/\1/p' >loads
	printf '%d' $(($(cat loads) - 8))
}

for major in 14 19; do
	rm -rf usr
	clangs $major
	unpack "libclc-$major=$(version_of $major)"
	tool $major clang
	version=$(amd $major offset.cl -DDIMENSION=0 -Xclang -finclude-default-header 2>message |
		sed -n 's/.*amdhsa_code_object_version \([0-9]*\).*/\1/p')
	[ $major = 14 ] || stated 'version of code objects' "$version" 5
	stated 'offset of x from byte' "$(bytes_read $major 0)" 4
	stated 'offset of y from byte' "$(bytes_read $major 1)" 8
	stated 'offset of z from byte' "$(bytes_read $major 2)" 12
done
exit $status
