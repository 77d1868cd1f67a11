// Prefix sums: the compiler gives the instruction that narrows EXEC for the `if` the line of the barrier before it.
// .grid 2
// .block 128
// .arg zero=1024
__kernel void scan(__global uint *out)
{
	__local uint s[128];
	uint l = get_local_id(0);

	s[l] = l;
	for (uint d = 1; d < 128; d *= 2) {
		uint v = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l >= d)
			v = s[l - d];
		barrier(CLK_LOCAL_MEM_FENCE);
		s[l] += v;
	}
	out[get_global_id(0)] = s[l];
}
