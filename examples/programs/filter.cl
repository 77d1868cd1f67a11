constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

/* The mean of nine pixels; the sampler repeats the pixels of the border. */
kernel void blur(read_only image2d_t from, write_only image2d_t to)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	uint4 sum = 0;

	for (int y = -1; y <= 1; y++)
		for (int x = -1; x <= 1; x++)
			sum += read_imageui(from, nearest, at + (int2)(x, y));
	write_imageui(to, at, sum / 9);
}
