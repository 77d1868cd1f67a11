kernel void square(global uint *data)
{
	data[get_global_id(0)] *= data[get_global_id(0)];
}

kernel void sum(global const uint *a, global const uint *b, global uint *to)
{
	uint i = get_global_id(0);

	to[i] = a[i] + b[i];
}
