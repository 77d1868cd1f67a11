// Lab 1: A branch that costs nothing
//
// question: Each of 128 threads makes a number of its own number n. The threads from 64 on go through a first loop;
// then odd threads go through a loop of their own, and even threads through another. There are two branches, `whole`
// and `half`.
//
// Which of them costs lane slots, and why does the other not? Look at the bill, or step with `d` to the next
// divergence. Then change the program so that no lane ever waits for lanes on another side.
//
// hint: A branch costs nothing if all lanes of a warp agree. A warp is 32 neighbours: `whole` asks for bit 6 of the
// thread's number, which is the same for all of them; `half` asks for bit 0.
// hint: Results belong to numbers, not to threads: any thread may do the work of number n, if each n is done once.
// hint: There are four warps, and four kinds of n: give warp w the numbers whose bit 6 and bit 0 make w, and let the lane
// be the bits between.
//
// goal: The results are those of the program as it was handed out, for any k.
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=7
// expect: arg 0 u32[0..7] = 0 97656 3 253906 7 410156 11 566406
// expect: arg 0 crc32 = fa50cf38
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=20
// expect: arg 0 u32[0..7] = 0 2472250301 3 2132883487 7 1793516673 11 1454149859
// expect: arg 0 crc32 = 47a6d67f
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=7
// goal: No branch splits a warp.
// expect: counter divergent_branch = 0
// goal: No lane slot is lost to lanes that branched off, nor to arrivals at a join.
// expect: bill branched_off = 0
// expect: bill rejoin = 0
// goal: All is done within 13,000 lane slots.
// expect: bill lane_slots <= 13000

// .chip g200
// .grid 1
// .block 128
// .arg zero=512
// .arg u32=7

kernel void branch(global uint *out, uint k)
{
	uint n = get_global_id(0), x = n;

	if (n & 64)                     // whole
		for (uint i = 0; i < k; i++)
			x = x * 3 + k;
	if (n & 1)                      // half
		for (uint i = 0; i < k; i++)
			x = x * 5 + 1;
	else
		for (uint i = 0; i < k; i++)
			x = (x >> 1) + n;
	out[n] = x;
}

// solution:
// // Lab 1: A branch that costs nothing, solved.
//
// // .chip g200
// // .grid 1
// // .block 128
// // .arg zero=512
// // .arg u32=7
//
// kernel void branch(global uint *out, uint k)
// {
// 	uint thread = get_global_id(0), warp = thread / 32, lane = thread % 32;
// 	uint n = 64 * (warp / 2) + 2 * lane + warp % 2;         // bits 6 and 0 are the warp's
// 	uint x = n;
//
// 	if (n & 64)                     // whole
// 		for (uint i = 0; i < k; i++)
// 			x = x * 3 + k;
// 	if (n & 1)                      // half
// 		for (uint i = 0; i < k; i++)
// 			x = x * 5 + 1;
// 	else
// 		for (uint i = 0; i < k; i++)
// 			x = (x >> 1) + n;
// 	out[n] = x;
// }
