// The compiler's clock(), twice: the register and its shift, which waits for it.
.kernel timed
.regs 32
.arg zero=8192
	cvt u32 $r15 u16 $r0l
	mov b32 $r14 0x0
	mov b32 $r11 0x2
again:
	bar inc wait 0x0 all
	mov $r12 $clock
	shl b32 $r12 $r12 0x1
	mov $r13 $clock
	shl b32 $r13 $r13 0x1
	add b32 $r14 $r14 0x1
	set $c3 # l u32 $r14 $r11
	(lg $c3) bra #again
	shl b32 $r15 $r15 0x3
	add b32 $r15 b32 s[0x10] $r15
	exit st b64 g14[$r15] $r12d
