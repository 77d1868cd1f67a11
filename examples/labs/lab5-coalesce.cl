// Lab 5: Neighbours write together
//
// question: 64 threads fill a table of 512 words, element i with 3 i + k. Thread n fills eight words beside each other,
// from 8 n on. Global memory moves whole segments of 32, 64 or 128 bytes; the 16 words that a half-warp stores at once
// share a segment only if they lie beside each other.
//
// How many bytes does the program move (dram_bytes) for the 2,048 bytes of the table? Change which thread fills which
// words, so that not a byte is moved for nothing.
//
// hint: In one store thread n writes word 8 n, its neighbour word 8 n + 8: 32 bytes apart. The 16 words of a half-warp
// lie in four segments of 128 bytes, so 512 bytes are moved for 64. Only the words of one store count, not those that a
// thread writes one after the other.
// hint: Let the threads stand side by side and walk together: thread n fills the words n, n + 64, n + 128 …
// hint: element = 64 * i + n.
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
// goal: All is done within 3,000 lane slots.
// expect: bill lane_slots <= 3000

// .chip g200
// .grid 1
// .block 64
// .arg zero=2048
// .arg u32=1

kernel void table(global uint *out, uint k)
{
	uint n = get_global_id(0);

	for (uint i = 0; i < 8; i++) {
		uint element = 8 * n + i;
		out[element] = 3 * element + k;
	}
}

// solution:
// // Lab 5: Neighbours write together, solved.
//
// // .chip g200
// // .grid 1
// // .block 64
// // .arg zero=2048
// // .arg u32=1
//
// kernel void table(global uint *out, uint k)
// {
// 	uint n = get_global_id(0);
//
// 	for (uint i = 0; i < 8; i++) {
// 		uint element = 64 * i + n;
// 		out[element] = 3 * element + k;
// 	}
// }
