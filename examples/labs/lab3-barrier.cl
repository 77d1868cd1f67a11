// Lab 3: A barrier is for the whole block
//
// question: A block of 128 threads adds up its numbers in local memory: in each round the threads below `stride` add
// the number that stands `stride` places further on, then the stride is halved. Thread 0 stores the sum at the end.
//
// The sum is wrong. Which warps arrive at the barrier, which do not, and what does a warp read that did not wait? Move
// the barrier to the place where it orders the rounds, and add the barrier that is missing.
//
// hint: The barrier stands inside the `if`: only lanes below `stride` reach it. A barrier counts warps, so the warps
// that pass it by run ahead, and warps that come with half of their lanes count as whole ones.
// hint: A barrier belongs where all threads of the block come by: behind the `if`. There, all sums of a round are stored
// before any thread begins the next round.
// hint: The other barrier is missing before the first round: a thread reads numbers that threads of other warps store.
//
// goal: The sum is right, for any k.
// expect: with chip=g200 grid=1 block=128 check=none -a zero=4 -a u32=5
// expect: arg 0 u32 = 41792
// expect: with chip=g200 grid=1 block=128 check=none -a zero=4 -a u32=1000
// expect: arg 0 u32 = 8129152
// goal: No warp arrives at a barrier with lanes missing.
// expect: counter barrier_diverged = 0
// goal: The checkers find neither a race nor a misused barrier.
// expect: with chip=g200 grid=1 block=128 check=race,barrier -a zero=4 -a u32=5
// expect: exit 0

// .chip g200
// .grid 1
// .block 128
// .arg zero=4
// .arg u32=5

kernel void sum(global uint *out, uint k)
{
	local uint part[128];
	uint n = get_local_id(0);

	part[n] = k * n + 9;
	for (uint stride = 64; stride; stride /= 2)
		if (n < stride) {
			part[n] += part[n + stride];
			barrier(CLK_LOCAL_MEM_FENCE);
		}
	if (n == 0)
		out[0] = part[0];
}

// solution:
// // Lab 3: A barrier is for the whole block, solved.
//
// // .chip g200
// // .grid 1
// // .block 128
// // .arg zero=4
// // .arg u32=5
//
// kernel void sum(global uint *out, uint k)
// {
// 	local uint part[128];
// 	uint n = get_local_id(0);
//
// 	part[n] = k * n + 9;
// 	barrier(CLK_LOCAL_MEM_FENCE);           // all numbers are there
// 	for (uint stride = 64; stride; stride /= 2) {
// 		if (n < stride)
// 			part[n] += part[n + stride];
// 		barrier(CLK_LOCAL_MEM_FENCE);   // all sums of the round are there
// 	}
// 	if (n == 0)
// 		out[0] = part[0];
// }
