#!/bin/sh
# A good guess: an assembler refuses a number that does not fit into its field. Really: llvm-mc for AMD, 14 and 19,
# takes `offset:4096` where the field has 12 bits, and `s_nop 65536`, `s_sleep 65536` where it has 16, with no message:
# the listing repeats the number, the encoding has 0. Other fields (ds offsets, s_movk_i32, branches) are checked.
# Consequence: agreement of an assembler with llvm-mc is a good test only for numbers within the fields.
. "$(dirname "$0")/packages.sh"
llvms 14 19

assemble() {   # MAJOR TEXT
	echo "$2" | llvm "$1" llvm-mc -triple=amdgcn -mcpu=gfx900 -show-encoding 2>message | tee -a listing |
		sed -n 's/.*encoding: \[\(.*\)\]/\1/p'
	grep -q 'error: ' message && echo refused || :
}
for major in 14 19; do
	: >listing
	tool $major llvm-mc
	stated 'offset:4095' "$(assemble $major 'buffer_load_dword v1, off, s[4:7], s1 offset:4095')" \
		0xff,0x0f,0x50,0xe0,0x00,0x01,0x01,0x01
	stated 'offset:4096' "$(assemble $major 'buffer_load_dword v1, off, s[4:7], s1 offset:4096')" \
		0x00,0x00,0x50,0xe0,0x00,0x01,0x01,0x01
	stated 's_nop 65536' "$(assemble $major 's_nop 65536')" 0x00,0x00,0x80,0xbf
	stated 's_sleep 65536' "$(assemble $major 's_sleep 65536')" 0x00,0x00,0x8e,0xbf
	stated 'ds_read_b32 with offset:65536' "$(assemble $major 'ds_read_b32 v1, v0 offset:65536')" refused
	grep encoding listing
done
exit $status
