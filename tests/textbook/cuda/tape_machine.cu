// A machine with a tape and eight instructions of one character, loops found by counting brackets.
typedef unsigned char uchar;

extern "C" __global__ void tape_machine(uchar *out, const char *program, int length, int limit)
{
	uchar tape[16];
	int head = 0, written = 0, g = blockIdx.x * blockDim.x + threadIdx.x;

	for (int i = 0; i < 16; i++)
		tape[i] = i == 0 ? g % 13 : 0;
	for (int pc = 0, steps = 0; pc < length && steps < limit; pc++, steps++) {
		char c = program[pc];
		if (c == '>') {
			head = (head + 1) & 15;
		} else if (c == '<') {
			head = (head - 1) & 15;
		} else if (c == '+') {
			tape[head]++;
		} else if (c == '-') {
			tape[head]--;
		} else if (c == '.') {
			if (written < 4)
				out[g * 4 + written++] = tape[head];
		} else if (c == '[') {
			if (tape[head])
				continue;
			for (int depth = 1; depth > 0;) {
				pc++;
				if (program[pc] == '[')
					depth++;
				if (program[pc] == ']')
					depth--;
			}
		} else if (c == ']') {
			if (!tape[head])
				continue;
			for (int depth = 1; depth > 0;) {
				pc--;
				if (program[pc] == ']')
					depth++;
				if (program[pc] == '[')
					depth--;
			}
		}
	}
	while (written < 4)
		out[g * 4 + written++] = 0xee;
}
