// Lab 5: Neighbours write together
//
// question: 64 threads fill a table of 512 words, element i with 3 i + k. Thread n fills eight words beside
// each other, from 8 n on. Global memory moves whole segments of 32, 64 or 128 bytes; the 16 words that a
// half-warp stores at once share a segment only if they lie beside each other.
//
// How many bytes does the program move (dram_bytes) for the 2,048 bytes of the table? Change which thread fills
// which words, so that not a byte is moved for nothing.
//
// hint: In one store thread n writes word 8 n, its neighbour word 8 n + 8: 32 bytes apart. The 16 words of a
// half-warp lie in four segments of 128 bytes, so 512 bytes are moved for 64. Only the words of one store count,
// not those that a thread writes one after the other.
// hint: Let the threads stand side by side and walk together: thread n fills the words n, n + 64, n + 128 …
// hint: The first element is n instead of 8 n, the step from one to the next is 64 words (0x100 bytes, 3 * 64
// in the value, 0xc0) instead of one.
//
// goal: Each element of the table is right, for any k.
// expect: with chip=g200 grid=1 block=64 -a zero=2048 -a u32=1
// expect: arg 0 u32[0..15] = 1 4 7 10 13 16 19 22 25 28 31 34 37 40 43 46
// expect: arg 0 crc32 = c375738e
// expect: with chip=g200 grid=1 block=64 -a zero=2048 -a u32=77
// expect: arg 0 u32[0..15] = 77 80 83 86 89 92 95 98 101 104 107 110 113 116 119 122
// expect: arg 0 crc32 = f39aa6ef
// goal: Global memory moves no byte that is not of the table: 2,048 bytes.
// expect: counter dram_bytes <= 2048
// goal: All is done within 4,500 lane slots.
// expect: bill lane_slots <= 4500

.kernel table
.chip g200
.grid 1
.block 64
.arg zero=2048                          // out: the table
.arg u32=1                              // k
.const 1 0x0: 1

	shl b32 $r1 $r0 0x3             // the first element, i = 8 n
	add b32 $r2 $r1 $r1
	add b32 $r2 $r2 $r1
	add b32 $r2 b32 s[0x14] $r2     // 3 i + k
	shl b32 $r3 $r1 0x2
	add b32 $r3 b32 s[0x10] $r3     // address of element i
	mov b32 $r4 0x8                 // elements of a thread
next:
	st b32 g14[$r3] $r2
	add b32 $r2 $r2 0x3             // the next element's value
	add b32 $r3 $r3 0x4             // and address
	sub b32 $c0 $r4 $r4 c1[0x0]
	(lg $c0) bra #next
	exit nop

// solution:
// // Lab 5, solved: in each store neighbours write neighbouring words.
//
// .kernel table
// .chip g200
// .grid 1
// .block 64
// .arg zero=2048
// .arg u32=1
// .const 1 0x0: 1
//
// 	mov b32 $r1 $r0                 // the first element, i = n
// 	add b32 $r2 $r1 $r1
// 	add b32 $r2 $r2 $r1
// 	add b32 $r2 b32 s[0x14] $r2
// 	shl b32 $r3 $r1 0x2
// 	add b32 $r3 b32 s[0x10] $r3
// 	mov b32 $r4 0x8
// next:
// 	st b32 g14[$r3] $r2
// 	add b32 $r2 $r2 0xc0            // 64 elements further: 3 * 64
// 	add b32 $r3 $r3 0x100           // 4 * 64 bytes
// 	sub b32 $c0 $r4 $r4 c1[0x0]
// 	(lg $c0) bra #next
// 	exit nop
