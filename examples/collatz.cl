// Collatz in OpenCL C: the counterpart of collatz.s for a machine that masks instead of keeping a stack.
//
// Each work-item halves v if it is even and takes 3 v + 1 if it is odd, until v is 1, and stores the number of steps.
//
// What to look for: `warpbeam annotate examples/collatz.cl` charges lost lanes to lines of C. The compiler makes a
// branch of the ?: below, whose two sides run one after the other; collatz.s predicates them. The loop's exit costs
// most: EXEC loses a lane whenever one is done.
// .grid 4
// .block 64
// .arg zero=1024                         out: steps of each work-item
// expect: arg 0 u32[0..11] = 0 1 7 2 5 8 16 3 19 6 14 9
// expect: arg 0 u32[255] = 8
__kernel void collatz(__global uint *out)
{
	uint v = get_global_id(0) + 1, steps = 0;

	while (v != 1 && steps < 1000) {
		v = (v & 1) ? 3 * v + 1 : v >> 1;
		steps++;
	}
	out[get_global_id(0)] = steps;
}
