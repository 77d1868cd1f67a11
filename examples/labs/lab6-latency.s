// Lab 6: Wait once
//
// question: 32 threads store four words each in global memory, and then add up, each by itself, what lies
// there. A load takes some 440 cycles on this chip, and there is one warp: while it waits, nothing else runs.
//
// Where do the cycles go (the pane Why, or `warpbeam annotate`)? The four loads stay, and so does the sum.
// Change the order of the instructions, so that the warp waits for memory once and not four times.
//
// hint: A load does not stop the warp. The warp stops at the first instruction that needs the loaded word: here
// the `add` right behind each load.
// hint: Loads that are all under way at the same time take hardly longer than one. For that each needs a
// register of its own; an address that is not needed any more may be overwritten: `ld b32 $r4 g14[$r4]`.
// hint: First all four `ld`, then the additions.
//
// goal: The sums are right, for any k.
// expect: with chip=g200 grid=1 block=32 -a zero=512 -a zero=128 -a u32=10
// expect: arg 1 u32[0..7] = 150 165 180 195 210 225 240 255
// expect: arg 1 crc32 = 88c7578a
// expect: with chip=g200 grid=1 block=32 -a zero=512 -a zero=128 -a u32=3000
// expect: arg 1 u32[0..7] = 45000 45015 45030 45045 45060 45075 45090 45105
// expect: arg 1 crc32 = d9a696e5
// goal: All 128 words are loaded from global memory: eight transactions of 64 bytes.
// expect: counter gld_64b = 8
// goal: The program ends within 1,500 cycles.
// expect: counter cycles <= 1500
// goal: It takes no more instructions than before.
// expect: counter instructions <= 24

.kernel latency
.chip g200
.grid 1
.block 32
.arg zero=512                           // words: 32 of each of four rows
.arg zero=128                           // out: one sum a thread
.arg u32=10                             // k

	shl b32 $r1 $r0 0x2
	add b32 $r4 b32 s[0x10] $r1     // places of this thread's words in the four rows
	add b32 $r5 $r4 0x80
	add b32 $r6 $r4 0x100
	add b32 $r7 $r4 0x180
	add b32 $r3 b32 s[0x18] $r0     // n + k, in the next rows twice as much each time
	st b32 g14[$r4] $r3
	add b32 $r3 $r3 $r3
	st b32 g14[$r5] $r3
	add b32 $r3 $r3 $r3
	st b32 g14[$r6] $r3
	add b32 $r3 $r3 $r3
	st b32 g14[$r7] $r3

	mov b32 $r3 0x0                 // the sum
	ld b32 $r2 g14[$r4]
	add b32 $r3 $r3 $r2
	ld b32 $r2 g14[$r5]
	add b32 $r3 $r3 $r2
	ld b32 $r2 g14[$r6]
	add b32 $r3 $r3 $r2
	ld b32 $r2 g14[$r7]
	add b32 $r3 $r3 $r2

	add b32 $r1 b32 s[0x14] $r1
	exit st b32 g14[$r1] $r3

// solution:
// // Lab 6, solved: all loads are under way before the first word is needed.
//
// .kernel latency
// .chip g200
// .grid 1
// .block 32
// .arg zero=512
// .arg zero=128
// .arg u32=10
//
// 	shl b32 $r1 $r0 0x2
// 	add b32 $r4 b32 s[0x10] $r1     // places of this thread's words in the four rows
// 	add b32 $r5 $r4 0x80
// 	add b32 $r6 $r4 0x100
// 	add b32 $r7 $r4 0x180
// 	add b32 $r3 b32 s[0x18] $r0     // n + k, in the next rows twice as much each time
// 	st b32 g14[$r4] $r3
// 	add b32 $r3 $r3 $r3
// 	st b32 g14[$r5] $r3
// 	add b32 $r3 $r3 $r3
// 	st b32 g14[$r6] $r3
// 	add b32 $r3 $r3 $r3
// 	st b32 g14[$r7] $r3
//
// 	mov b32 $r3 0x0                 // the sum
// 	ld b32 $r4 g14[$r4]             // a load may overwrite its address
// 	ld b32 $r5 g14[$r5]
// 	ld b32 $r6 g14[$r6]
// 	ld b32 $r7 g14[$r7]             // four words are under way
// 	add b32 $r3 $r3 $r4             // the only wait
// 	add b32 $r3 $r3 $r5
// 	add b32 $r3 $r3 $r6
// 	add b32 $r3 $r3 $r7
//
// 	add b32 $r1 b32 s[0x14] $r1
// 	exit st b32 g14[$r1] $r3
