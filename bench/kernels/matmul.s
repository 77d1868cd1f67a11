// C = A B in tiles of 16 by 16: each thread loads one element of two tiles, then multiplies a row with a column.

.kernel matmul
.chip g200
.smem 0x820                             // header and parameters, then the tiles, 0x400 bytes each
.param ptr a
.param ptr b
.param ptr c
.param u32 n
.const 1 0x0: 16 64

	cvt u32 $r1 u16 $r0l            // x
	shr u32 $r2 $r0 0x10            // y
	mov b32 $r3 u16 s[0xc]
	mov b32 $r4 u16 s[0xe]
	shl b32 $r3 $r3 0x4
	shl b32 $r4 $r4 0x4
	add b32 $r3 $r3 $r1             // column of C
	add b32 $r4 $r4 $r2             // row of C
	shl b32 $r5 $r2 0x4
	add b32 $r5 $r5 $r1
	shl $a1 $r5 0x2                 // this thread's place in a tile: (16 y + x) words
	shl b32 $r5 $r2 0x6
	add b32 $r5 $r5 0x20
	shl $a2 $r5 0x0                 // row y of A's tile
	shl $a3 $r1 0x2                 // column x of B's tile, less 0x420
	mov b32 $r7 b32 s[0x1c]         // n
	mul $r5 u24 $r4 $r7
	add b32 $r6 $r5 $r3             // row * n + column
	add b32 $r5 $r5 $r1             // A: row * n + x
	mul $r8 u24 $r2 $r7
	add b32 $r8 $r8 $r3             // B: y * n + column
	shl b32 $r5 $r5 0x2
	shl b32 $r8 $r8 0x2
	shl b32 $r6 $r6 0x2
	add b32 $r5 b32 s[0x10] $r5
	add b32 $r8 b32 s[0x14] $r8
	add b32 $r6 b32 s[0x18] $r6
	shl b32 $r9 $r7 0x6             // 16 rows of B
	mov b32 $r4 0x0                 // the sum
tile:
	ld b32 $r1 g14[$r5]
	ld b32 $r2 g14[$r8]
	st b32 s[$a1+0x20] $r1
	st b32 s[$a1+0x420] $r2
	add b32 $r5 $r5 c1[0x4]
	add b32 $r8 $r8 $r9
	bar inc wait 0x0 all
	ld $r1 b32 s[$a3+0x420]
	ld $r2 b32 s[$a3+0x460]
	add f32 $r4 (mul b32 s[$a2] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x4] $r2) $r4
	ld $r1 b32 s[$a3+0x4a0]
	ld $r2 b32 s[$a3+0x4e0]
	add f32 $r4 (mul b32 s[$a2+0x8] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0xc] $r2) $r4
	ld $r1 b32 s[$a3+0x520]
	ld $r2 b32 s[$a3+0x560]
	add f32 $r4 (mul b32 s[$a2+0x10] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x14] $r2) $r4
	ld $r1 b32 s[$a3+0x5a0]
	ld $r2 b32 s[$a3+0x5e0]
	add f32 $r4 (mul b32 s[$a2+0x18] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x1c] $r2) $r4
	ld $r1 b32 s[$a3+0x620]
	ld $r2 b32 s[$a3+0x660]
	add f32 $r4 (mul b32 s[$a2+0x20] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x24] $r2) $r4
	ld $r1 b32 s[$a3+0x6a0]
	ld $r2 b32 s[$a3+0x6e0]
	add f32 $r4 (mul b32 s[$a2+0x28] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x2c] $r2) $r4
	ld $r1 b32 s[$a3+0x720]
	ld $r2 b32 s[$a3+0x760]
	add f32 $r4 (mul b32 s[$a2+0x30] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x34] $r2) $r4
	ld $r1 b32 s[$a3+0x7a0]
	ld $r2 b32 s[$a3+0x7e0]
	add f32 $r4 (mul b32 s[$a2+0x38] $r1) $r4
	add f32 $r4 (mul b32 s[$a2+0x3c] $r2) $r4
	bar inc wait 0x0 all
	sub b32 $c0 $r7 $r7 c1[0x0]
	(lg $c0) bra #tile
	exit st b32 g14[$r6] $r4
