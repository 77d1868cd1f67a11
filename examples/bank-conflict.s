// Shared memory has 16 banks: a half-warp reads 16 words at once only from 16 different banks.
//
// One warp stores and loads words at four strides. Word w lies in bank w mod 16. With stride 1 the 16 lanes of a
// half-warp use 16 banks. With stride 2 they use the 8 even ones, twice each. With stride 16 all of them want the same
// bank. With stride 17 lane i is in bank 17 i mod 16 = i: one word of padding a row, and the conflict is gone.
//
// What to look for: warp_serialize counts the extra passes. A k-way conflict takes k passes, so each access adds 2 *
// (k - 1) for its two half-warps: 0, 2, 30 and 0. Each stride is stored and loaded: 2 * (0 + 2 + 30 + 0) = 64.

.kernel bank_conflict
.chip g200
.grid 1
.block 32
.smem 0x880                             // 0x20 bytes for launch header and parameters, then 31 * 17 + 1 words
.arg zero=128                           // out: one word a thread

	shl $a1 $r0 0x2                 // stride 1: 4 n bytes
	st b32 s[$a1+0x20] $r0
	mov b32 $r1 b32 s[$a1+0x20]

	shl $a1 $r0 0x3                 // stride 2: 8 n
	st b32 s[$a1+0x20] $r0
	mov b32 $r2 b32 s[$a1+0x20]

	shl $a1 $r0 0x6                 // stride 16: 64 n
	st b32 s[$a1+0x20] $r0
	mov b32 $r3 b32 s[$a1+0x20]

	mul $r4 u24 $r0 0x44
	shl $a1 $r4 0x0                 // stride 17: 68 n
	st b32 s[$a1+0x20] $r0
	mov b32 $r4 b32 s[$a1+0x20]

	add b32 $r1 $r1 $r2
	add b32 $r3 $r3 $r4
	add b32 $r1 $r1 $r3             // 4 n, if all four came back
	shl b32 $r2 $r0 0x2
	add b32 $r2 b32 s[0x10] $r2
	exit st b32 g14[$r2] $r1

// expect: arg 0 u32[0..3] = 0 4 8 12
// expect: arg 0 u32[31] = 124
// expect: counter warp_serialize = 64
