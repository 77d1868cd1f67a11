// Fields, quoted fields and unfinished quotes of CSV lines, by a table-driven machine in __constant memory.
__constant uchar next_state[4][4] = {
	/* other, comma, quote, end of line */
	{ 1, 0, 2, 0 }, { 1, 0, 1, 0 }, { 2, 2, 3, 2 }, { 1, 0, 2, 0 },
};
__kernel void csv_fields(__global uint4 *out, __global const char *text, int width)
{
	__global const char *p = text + get_global_id(0) * width;
	uint state = 0, fields = 0, quoted = 0, lines = 0;

	for (int i = 0; i < width; i++) {
		char c = p[i];
		uint kind = c == ',' ? 1 : c == '"' ? 2 : c == ';' ? 3 : 0;
		uint next = next_state[state][kind];
		if (kind == 1 && state != 2)
			fields++;
		if (kind == 3 && state != 2) {
			fields++;
			lines++;
		}
		quoted += state == 0 && next == 2;
		state = next;
	}
	out[get_global_id(0)] = (uint4)(fields, quoted, lines, state);
}
