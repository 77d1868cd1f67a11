// 256 bins, 64 values a thread: a lock for each bin in shared memory, atomic additions to the result.

.kernel histogram
.chip g200
.smem 0x420                             // header and parameters, then 256 bins
.param ptr in
.param ptr out
.const 1 0x0: 1

	shl $a1 $r0 0x2
	mov b32 $r1 0x0
	st b32 s[$a1+0x20] $r1
	mov b32 $r1 u16 s[0xc]
	shl b32 $r1 $r1 0xe             // each block has 256 * 64 values
	add b32 $r1 $r1 $r0
	shl b32 $r1 $r1 0x2
	add b32 $r1 b32 s[0x10] $r1
	mov b32 $r2 0x40
	bar inc wait 0x0 all
value:
	ld b32 $r3 g14[$r1]
	and b32 $r3 $r3 0xff
	shl $a2 $r3 0x2
	joinat #counted
try:
	ld lock $c0 $r3 b32 s[$a2+0x20]
	(l $c0) add b32 $r3 $r3 c1[0x0]
	(l $c0) st unlock b32 s[$a2+0x20] $r3
	(geu $c0) bra #try
counted:
	join sub b32 $c1 $r2 $r2 c1[0x0]
	add b32 $r1 $r1 0x400
	(lg $c1) bra #value
	bar inc wait 0x0 all
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x14] $r1
	ld $r2 b32 s[$a1+0x20]
	exit red add u32 g14[$r1] $r2
