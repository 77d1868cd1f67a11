// Global memory is read in segments: a segment read by neighbours together costs once.
//
// One warp loads words with stride 1, 2 and 32, and stores one word a thread with stride 1.
//
// What to look for on g200: 16 neighbouring words are one segment of 64 bytes, so the first load takes two
// transactions, one for each half-warp. With stride 2 a half-warp spans 128 bytes: one transaction each, twice the
// bytes for the same words. With stride 32 every word is in a segment of its own: 32 transactions of 32 bytes, 1024
// bytes moved for 128. On g80 a half-warp coalesces only if lane i reads word i of an aligned segment; otherwise each
// lane pays alone, so already stride 2 costs 32 transactions (gld_incoherent counts the half-warps that failed).

.kernel coalesce
.chip g200
.grid 1
.block 32
.arg zero=4096                          // in: 32 rows of 32 words
.arg zero=128                           // out: one word a thread

	mov b32 $r1 b32 s[0x10]
	shl b32 $r2 $r0 0x2
	shl b32 $r3 $r0 0x3
	shl b32 $r4 $r0 0x7
	add b32 $r5 $r1 $r2
	ld b32 $r5 g14[$r5]             // stride 1
	add b32 $r6 $r1 $r3
	ld b32 $r6 g14[$r6]             // stride 2
	add b32 $r7 $r1 $r4
	ld b32 $r7 g14[$r7]             // stride 32
	add b32 $r5 $r5 $r6
	add b32 $r5 $r5 $r7
	add b32 $r5 $r5 0x1             // the buffer is zero, so each thread stores 1
	mov b32 $r1 b32 s[0x14]
	add b32 $r1 $r1 $r2
	exit st b32 g14[$r1] $r5

// expect: arg 1 u32[0..31] = 1
// expect: counter gld_64b = 2
// expect: counter gld_128b = 2
// expect: counter gld_32b = 32
// expect: counter gst_64b = 2
// expect: with chip=g80
// expect: arg 1 u32[0..31] = 1
// expect: counter gld_64b = 2
// expect: counter gld_coherent = 2
// expect: counter gld_incoherent = 4
// expect: counter gld_32b = 64
