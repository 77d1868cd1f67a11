// Sums of 256 numbers, one a block: a tree in shared memory, the working threads side by side.

.kernel reduce
.chip g200
.smem 0x420                             // header and parameters, then 256 words
.param ptr in
.param ptr out

	mov b16 $r1l u16 s[0x2]
	mov b32 $r2 $r0
	add $r2 (mul u16 u16 s[0xc] $r1l) $r2
	shl b32 $r2 $r2 0x2
	add b32 $r2 b32 s[0x10] $r2
	shl $a1 $r0 0x2
	ld b32 $r3 g14[$r2]
	st b32 s[$a1+0x20] $r3
	bar inc wait 0x0 all
	mov b32 $r1 0x80                // stride
round:
	sub b32 $c0 # $r0 $r1
	joinat #joined
	(ge $c0) bra #joined
	add b32 $r2 $r0 $r1
	shl $a2 $r2 0x2
	ld $r2 b32 s[$a2+0x20]
	add rn f32 $r3 b32 s[$a1+0x20] $r2
	st b32 s[$a1+0x20] $r3
joined:
	join shr u32 $c0 $r1 $r1 0x1
	bar inc wait 0x0 all
	(lg $c0) bra #round
	and b32 $c0 # $r0 $r0
	(lg $c0) ret
	mov b32 $r1 u16 s[0xc]
	shl b32 $r1 $r1 0x2
	add b32 $r1 b32 s[0x14] $r1
	ld $r2 b32 s[0x20]
	exit st b32 g14[$r1] $r2
