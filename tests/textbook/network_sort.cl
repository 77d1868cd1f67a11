// Eight elements of a vector sorted by a network of minima and maxima.
#define CAS(i, j) { int t = min(v[i], v[j]); v[j] = max(v[i], v[j]); v[i] = t; }
__kernel void network_sort(__global int8 *data)
{
	int v[8];

	vstore8(data[get_global_id(0)], 0, v);
	CAS(0, 1) CAS(2, 3) CAS(4, 5) CAS(6, 7)
	CAS(0, 2) CAS(1, 3) CAS(4, 6) CAS(5, 7)
	CAS(1, 2) CAS(5, 6) CAS(0, 4) CAS(3, 7)
	CAS(1, 5) CAS(2, 6)
	CAS(1, 4) CAS(3, 6)
	CAS(2, 4) CAS(3, 5)
	CAS(3, 4)
	data[get_global_id(0)] = vload8(0, v);
}
