/* A switch with many cases, falling through, in a loop that leaves early and goes on early: an interpreter. */
__kernel void switches(__global uint *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0), r = i;
	if (i >= n)
		return;
	for (uint pc = 0, code = in[i]; pc < 40; pc++, code = code * 1103515245u + 12345u) {
		switch (code >> 28) {
		case 0: r += 3; break;
		case 1: r ^= code;
		case 2: r -= 7; break;
		case 3: r = r << 3 | r >> 29; break;
		case 4: pc += r & 3; continue;
		case 5: r *= 5; break;
		case 6: r = in[r % n]; break;
		case 7: r = ~r;
		case 8: r >>= 1;
		case 9: r += pc; break;
		case 10: code ^= r; break;
		case 11: if (r & 64) goto out; break;
		case 12: r /= (code & 15) + 1; break;
		default: r += code & 255;
		}
	}
out:
	out[i] = r;
}
