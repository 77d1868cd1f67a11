// Lanes go as many ways as the mask has numbers, each for the same eight instructions.

.kernel diverge
.chip g200
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r12 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	cvt rn f32 $r2 u32 $r0
	mov b32 $r2 b32 s[0x18]
	and b32 $r2 $r2 $r0
trip:
	mov b32 $r3 0x0
	joinat #joined
way:
	sub b32 $c0 # $r3 $r2
	(e $c0) bra #mine
	add b32 $r3 $r3 c1[0x0]
	bra #way
mine:
	add b32 $r4 $r4 $r1
	add b32 $r5 $r5 $r1
	add b32 $r6 $r6 $r1
	add b32 $r7 $r7 $r1
	add b32 $r8 $r8 $r1
	add b32 $r9 $r9 $r1
	add b32 $r10 $r10 $r1
	add b32 $r11 $r11 $r1
joined:
	join add b32 $r4 $r4 c1[0x0]
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
