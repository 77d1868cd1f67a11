// Lab 6: Wait once
//
// question: 32 threads store four words each in global memory, and then add up, each by itself, what lies there. A load
// takes some 440 cycles on this chip, and there is one warp: while it waits, nothing else runs. The compiler is asked
// not to unroll the loop.
//
// Where do the cycles go (the pane Why, or `warpbeam annotate`)? The four loads stay, and so does the sum. Change the
// program, so that the warp waits for memory once and not four times.
//
// hint: A load does not stop the warp. The warp stops at the first instruction that needs the loaded word: here the
// addition in each trip.
// hint: Loads that are all under way at the same time take hardly longer than one. For that each needs a variable of its
// own.
// hint: First all four loads, then the additions.
//
// goal: The sums are right, for any k.
// expect: with chip=g200 grid=1 block=32 -a zero=512 -a zero=128 -a u32=10
// expect: arg 1 u32[0..7] = 70 74 78 82 86 90 94 98
// expect: arg 1 crc32 = e774440b
// expect: with chip=g200 grid=1 block=32 -a zero=512 -a zero=128 -a u32=3000
// expect: arg 1 u32[0..7] = 12030 12034 12038 12042 12046 12050 12054 12058
// expect: arg 1 crc32 = 1b41aa7b
// goal: All 128 words are loaded from global memory: eight transactions of 64 bytes.
// expect: counter gld_64b = 8
// goal: The program ends within 1,500 cycles.
// expect: counter cycles <= 1500
// goal: It takes no more instructions than before.
// expect: counter instructions <= 44

// .chip g200
// .grid 1
// .block 32
// .arg zero=512
// .arg zero=128
// .arg u32=10

kernel void four(global uint *words, global uint *out, uint k)
{
	uint n = get_global_id(0), sum = 0;

	for (uint i = 0; i < 4; i++)
		words[32 * i + n] = k + n + 5 * i;
	mem_fence(CLK_GLOBAL_MEM_FENCE);
#pragma unroll 1
	for (uint i = 0; i < 4; i++)
		sum += words[32 * i + n];
	out[n] = sum;
}

// solution:
// // Lab 6: Wait once, solved.
//
// // .chip g200
// // .grid 1
// // .block 32
// // .arg zero=512
// // .arg zero=128
// // .arg u32=10
//
// kernel void four(global uint *words, global uint *out, uint k)
// {
// 	uint n = get_global_id(0);
//
// 	for (uint i = 0; i < 4; i++)
// 		words[32 * i + n] = k + n + 5 * i;
// 	mem_fence(CLK_GLOBAL_MEM_FENCE);
// 	uint a = words[n], b = words[32 + n], c = words[64 + n], d = words[96 + n];     // all under way
// 	out[n] = a + b + c + d;
// }
