// Matrix product in tiles: each value loaded into shared memory is used 16 times.
//
// C = A B with 32 by 32 matrices, blocks of 16 by 16 threads, one element of C a thread. A block walks along a row of
// tiles of A and a column of tiles of B; between two barriers every thread multiplies a row of one with a column of
// the other. So that the file needs no input, the elements are made where a real program would load them: A[i][k] = i
// - k, B[k][j] = k + 2 j, small whole numbers whose products and sums are exact.
//
// What to look for: no divergence at all. The inner loop is unrolled and takes one operand of each multiply-add
// straight from shared memory; only one operand of an instruction can come from there, so the other one is loaded. All
// 16 lanes of a half-warp read the same word of A's tile (a broadcast, one pass) and 16 neighbouring words of B's (16
// banks): warp_serialize stays 0.

.kernel matmul
.chip g200
.grid 2,2
.block 16,16
.smem 0x820                             // 0x20 bytes for launch header and parameters, then the tiles, 0x400 each
.arg zero=4096                          // C
.arg u32=32                             // rows and columns
.const 1 0x0: 16

	cvt u32 $r1 u16 $r0l            // x
	shr u32 $r2 $r0 0x10            // y
	mov b32 $r3 u16 s[0xc]
	mov b32 $r4 u16 s[0xe]
	shl b32 $r3 $r3 0x4
	shl b32 $r4 $r4 0x4
	add b32 $r3 $r3 $r1             // j, the column of C
	add b32 $r4 $r4 $r2             // i, its row
	shl b32 $r5 $r2 0x4
	add b32 $r5 $r5 $r1
	shl $a1 $r5 0x2                 // where this thread stores in each tile: (16 y + x) words
	shl b32 $r5 $r2 0x6
	add b32 $r5 $r5 0x20
	shl $a2 $r5 0x0                 // row y of A's tile
	shl $a3 $r1 0x2                 // column x of B's tile, less 0x420
	sub b32 $r5 $r4 $r1             // i - k, k = x in the first tile
	add b32 $r6 $r3 $r3
	add b32 $r6 $r6 $r2             // k + 2 j, k = y in the first tile
	mov b32 $r7 b32 s[0x14]         // columns of A that are left
	mov b32 $r8 0x0                 // the sum
tile:
	cvt rn f32 $r9 s32 $r5
	cvt rn f32 $r10 s32 $r6
	st b32 s[$a1+0x20] $r9
	st b32 s[$a1+0x420] $r10
	sub b32 $r5 $r5 c1[0x0]
	add b32 $r6 $r6 c1[0x0]
	bar inc wait 0x0 all            // the tiles are there
	ld $r9 b32 s[$a3+0x420]            // B[k][x], k = 0, 1
	ld $r10 b32 s[$a3+0x460]
	add f32 $r8 (mul b32 s[$a2] $r9) $r8   // += A[y][k] * B[k][x]
	add f32 $r8 (mul b32 s[$a2+0x4] $r10) $r8
	ld $r9 b32 s[$a3+0x4a0]
	ld $r10 b32 s[$a3+0x4e0]
	add f32 $r8 (mul b32 s[$a2+0x8] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0xc] $r10) $r8
	ld $r9 b32 s[$a3+0x520]
	ld $r10 b32 s[$a3+0x560]
	add f32 $r8 (mul b32 s[$a2+0x10] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0x14] $r10) $r8
	ld $r9 b32 s[$a3+0x5a0]
	ld $r10 b32 s[$a3+0x5e0]
	add f32 $r8 (mul b32 s[$a2+0x18] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0x1c] $r10) $r8
	ld $r9 b32 s[$a3+0x620]
	ld $r10 b32 s[$a3+0x660]
	add f32 $r8 (mul b32 s[$a2+0x20] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0x24] $r10) $r8
	ld $r9 b32 s[$a3+0x6a0]
	ld $r10 b32 s[$a3+0x6e0]
	add f32 $r8 (mul b32 s[$a2+0x28] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0x2c] $r10) $r8
	ld $r9 b32 s[$a3+0x720]
	ld $r10 b32 s[$a3+0x760]
	add f32 $r8 (mul b32 s[$a2+0x30] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0x34] $r10) $r8
	ld $r9 b32 s[$a3+0x7a0]
	ld $r10 b32 s[$a3+0x7e0]
	add f32 $r8 (mul b32 s[$a2+0x38] $r9) $r8
	add f32 $r8 (mul b32 s[$a2+0x3c] $r10) $r8
	bar inc wait 0x0 all            // no warp needs these tiles any more
	sub b32 $c0 $r7 $r7 c1[0x0]
	(lg $c0) bra #tile
	mul $r4 u24 b32 s[0x14] $r4
	add b32 $r4 $r4 $r3
	shl b32 $r4 $r4 0x2
	add b32 $r4 b32 s[0x10] $r4
	exit st b32 g14[$r4] $r8

// expect: arg 0 f32[0..1] = -10416 -11408
// expect: arg 0 f32[32] = -9920
// expect: arg 0 f32[1023] = 35712
// expect: arg 0 crc32 = 2ed65375
// expect: counter divergent_branch = 0
// expect: counter warp_serialize = 0
// expect: bill branched_off = 0
