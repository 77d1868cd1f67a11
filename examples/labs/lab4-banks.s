// Lab 4: Sixteen banks
//
// question: A block of 256 threads turns a tile of 16 by 16 words over its diagonal, by way of shared memory:
// each thread stores one word in its row and loads one from its column. Word w of shared memory is in bank w
// mod 16, and a bank gives one word in a pass.
//
// How many passes more than one does each access take (warp_serialize)? Change where the words lie, so that
// rows and columns are both free of conflicts. The words still go through shared memory, row 0 at 0x20.
//
// hint: The 16 words of a row are in 16 banks. The words of a column are 16 words apart, so all of them are in
// one bank: 16 passes for one half-warp.
// hint: Give each row one word more than it needs: rows then begin in banks 0, 1, 2 …, and so do the words of a
// column. A row takes 17 words, 0x44 bytes; the tile needs 0x440 bytes behind the first 0x20: `.smem 0x460`.
// hint: Both addresses are row * 64 + column * 4 now. Add the row once more, `shl b32 $r6 $r1 0x2`, to the
// address of the store, and the column, which is the row there, to that of the load.
//
// goal: The tile is turned over its diagonal, for any k.
// expect: with chip=g200 grid=1 block=256 -a zero=1024 -a u32=100
// expect: arg 0 u32[0..15] = 100 116 132 148 164 180 196 212 228 244 260 276 292 308 324 340
// expect: arg 0 crc32 = 5bce1970
// expect: with chip=g200 grid=1 block=256 -a zero=1024 -a u32=5000
// expect: arg 0 u32[0..15] = 5000 5016 5032 5048 5064 5080 5096 5112 5128 5144 5160 5176 5192 5208 5224 5240
// expect: arg 0 crc32 = f790a6c1
// goal: The words have gone through shared memory: row 0 lies at 0x20.
// expect: s[0x20] u32[0..15] = 5000..5015
// goal: No access takes more than one pass for a half-warp.
// expect: counter warp_serialize = 0
// goal: All is done within 8,192 lane slots.
// expect: bill lane_slots <= 8192

.kernel tile
.chip g200
.grid 1
.block 256
.smem 0x420                             // 0x20 bytes for launch header and parameters, then 256 words
.arg zero=1024                          // out: 16 rows of 16 words
.arg u32=100                            // k

	shr u32 $r1 $r0 0x4             // row
	and b32 $r2 $r0 0xf             // column
	add b32 $r3 b32 s[0x14] $r0     // the word: k + n

	shl b32 $r4 $r1 0x6
	shl b32 $r5 $r2 0x2
	add b32 $r4 $r4 $r5             // row * 64 + column * 4
	shl $a1 $r4 0x0
	st b32 s[$a1+0x20] $r3
	bar inc wait 0x0 all

	shl b32 $r4 $r2 0x6
	shl b32 $r5 $r1 0x2
	add b32 $r4 $r4 $r5             // column * 64 + row * 4
	shl $a1 $r4 0x0
	mov b32 $r3 b32 s[$a1+0x20]

	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	exit st b32 g14[$r1] $r3

// solution:
// // Lab 4, solved: a row takes 17 words, so that a column goes through all banks as well.
//
// .kernel tile
// .chip g200
// .grid 1
// .block 256
// .smem 0x460                          // 16 rows of 17 words
// .arg zero=1024
// .arg u32=100
//
// 	shr u32 $r1 $r0 0x4
// 	and b32 $r2 $r0 0xf
// 	add b32 $r3 b32 s[0x14] $r0
//
// 	shl b32 $r4 $r1 0x6
// 	shl b32 $r6 $r1 0x2
// 	add b32 $r4 $r4 $r6             // row * 68
// 	shl b32 $r5 $r2 0x2
// 	add b32 $r4 $r4 $r5
// 	shl $a1 $r4 0x0
// 	st b32 s[$a1+0x20] $r3
// 	bar inc wait 0x0 all
//
// 	shl b32 $r4 $r2 0x6
// 	add b32 $r4 $r4 $r5             // column * 68
// 	add b32 $r4 $r4 $r6
// 	shl $a1 $r4 0x0
// 	mov b32 $r3 b32 s[$a1+0x20]
//
// 	shl b32 $r1 $r0 0x2
// 	add b32 $r1 b32 s[0x10] $r1
// 	exit st b32 g14[$r1] $r3
