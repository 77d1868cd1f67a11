// Each function against sums over bytes and bits written out here, for words of a generator. Counts of differences.
// .block 64
// .grid 2
// .arg zero=96
// expect: arg 0 u32[0..23] = 0*24
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable
uint next(uint *s) { return *s = *s * 1664525u + 1013904223u; }
int bytes(uint a, uint b, int masked)
{
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		uchar x = a >> 8 * i, y = b >> 8 * i;
		sum += masked && !y ? 0 : x > y ? x - y : y - x;
	}
	return sum;
}
#define CHECK(n, got, want) if ((got) != (want)) atomic_inc(d + n)
kernel void k(global uint *d)
{
	uint s = get_global_id(0) * 7919 + 1;
	for (int i = 0; i < 4; i++) {
		uint a = next(&s), b = next(&s) & next(&s), c = next(&s);
		uint from = c & 31, bits = c >> 8 & 31, r = 0;
		for (uint j = 0; j < 32; j++)
			r |= (j + from < 32 ? b >> (j + from) & 1 : a >> (j + from - 32) & 1) << j;
		CHECK(0, amd_bitalign(a, b, c), r);
		r = 0;
		for (uint j = 0; j < 4; j++)
			r |= (j + (c & 3) < 4 ? b >> 8 * (j + (c & 3)) & 255 : a >> 8 * (j + (c & 3) - 4) & 255)
				<< 8 * j;
		CHECK(1, amd_bytealign(a, b, c), r);
		r = 0;
		for (uint j = 0; j < 4; j++)
			r |= (((a >> 8 * j & 255) + (b >> 8 * j & 255) + (c >> 8 * j & 1)) / 2) << 8 * j;
		CHECK(2, amd_lerp(a, b, c), r);
		CHECK(3, amd_sad(a, b, c), c + bytes(a, b, 0));
		CHECK(4, amd_sadhi(a, b, c), c + bytes(a, b, 0) * 65536);
		CHECK(5, amd_msad(a, b, c), c + bytes(a, b, 1));
		CHECK(6, amd_sadd(a, b, c), c + (a > b ? a - b : b - a));
		uint al = a & 0xffff, bl = b & 0xffff, ah = a >> 16, bh = b >> 16;
		CHECK(7, amd_sadw(a, b, c), c + (al > bl ? al - bl : bl - al) + (ah > bh ? ah - bh : bh - ah));
		CHECK(8, amd_sad4((uint4)(a, b, c, a), (uint4)(b, c, a, ~a), 5u),
		      5 + bytes(a, b, 0) + bytes(b, c, 0) + bytes(c, a, 0) + bytes(a, ~a, 0));
		ulong q = (ulong)a << 32 | c, sums = (ulong)c << 32 | a, want = 0, masked = 0;
		for (int j = 0; j < 4; j++) {
			want |= (ulong)(ushort)((ushort)(sums >> 16 * j) + bytes((uint)(q >> 8 * j), b, 0)) << 16 * j;
			masked |= (ulong)(ushort)((ushort)(sums >> 16 * j) + bytes((uint)(q >> 8 * j), b, 1)) << 16 * j;
		}
		CHECK(9, amd_qsad(q, b, sums), want);
		CHECK(10, amd_mqsad(q, b, sums), masked);
		r = 0;
		for (uint j = 0; j < bits && j + from < 32; j++)
			r |= (a >> (j + from) & 1) << j;
		CHECK(11, amd_bfe(a, from, bits), r);
		if (bits && bits < 32 && from + bits <= 32 && r >> (bits - 1))
			r |= ~0u << (bits - 1);
		else if (bits && from + bits > 32)
			r = (uint)((int)a >> from);
		CHECK(12, (uint)amd_bfe((int)a, from, bits), r);
		r = 0;
		for (uint j = 0; j < bits && j + from < 32; j++)
			r |= 1u << (j + from);
		CHECK(13, amd_bfm(bits, from), r);
		float4 f = (float4)(amd_unpack0(a), amd_unpack1(a), amd_unpack2(a), amd_unpack3(a));
		CHECK(14, amd_pack(f), a);
		CHECK(15, (uint)f.z, a >> 16 & 255);
		CHECK(16, amd_min3(a, b, c), min(a, min(b, c)));
		CHECK(17, amd_max3((int)a, (int)b, (int)c), max((int)a, max((int)b, (int)c)));
		float x = (int)a, y = (int)b, z = (int)c;
		CHECK(18, amd_median3(x, y, z), x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y));
		CHECK(19, amd_median3((int)a, (int)b, (int)c),
		      max(min((int)a, (int)b), min(max((int)a, (int)b), (int)c)));
		uint3 v = amd_bitalign((uint3)(a, b, c), (uint3)(b, c, a), (uint3)(c, a, b));
		CHECK(20, v.y, amd_bitalign(b, c, a));
		CHECK(21, v.z, amd_bitalign(c, a, b));
		CHECK(22, amd_lerp((uint16)(a), (uint16)(b), (uint16)(c)).s9, amd_lerp(a, b, c));
		CHECK(23, amd_qsad((ulong4)(q), (uint4)(b), (ulong4)(sums)).w, want);
	}
}
