// Branches that all lanes take.

.kernel branch
.chip g200
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r12 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	cvt rn f32 $r2 u32 $r0
trip:
	bra #b0
b0:
	bra #b1
b1:
	bra #b2
b2:
	bra #b3
b3:
	bra #b4
b4:
	bra #b5
b5:
	bra #b6
b6:
	bra #b7
b7:
	bra #b8
b8:
	bra #b9
b9:
	bra #b10
b10:
	bra #b11
b11:
	bra #b12
b12:
	bra #b13
b13:
	bra #b14
b14:
	bra #b15
b15:
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
