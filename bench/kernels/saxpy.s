// y = a x + y: two loads, a multiply-add and a store for each element.

.kernel saxpy
.chip g200
.param ptr x
.param ptr y
.param f32 a
.param u32 n

	mov b16 $r1l u16 s[0x2]
	add $r0 (mul u16 u16 s[0xc] $r1l) $r0   // i
	sub b32 $c0 # b32 s[0x1c] $r0           // n - i
	(le $c0) ret
	shl b32 $r1 $r0 0x2
	add b32 $r2 b32 s[0x10] $r1
	add b32 $r3 b32 s[0x14] $r1
	ld b32 $r4 g14[$r2]
	ld b32 $r5 g14[$r3]
	add f32 $r5 (mul b32 s[0x18] $r4) $r5
	exit st b32 g14[$r3] $r5
