// Words, lines and the longest word by a state machine; a thread takes the words that begin in its part.
extern "C" __global__ void word_count(uint *counts, const char *text, int n, int part)
{
	int start = (blockIdx.x * blockDim.x + threadIdx.x) * part, end = min(start + part, n);
	uint words = 0, lines = 0, longest = 0;

	for (int i = start; i < end; i++) {
		char c = text[i];
		if (c == '\n') {
			lines++;
			continue;
		}
		if (c == ' ' || c == '\t')
			continue;
		if (i > 0 && text[i - 1] != ' ' && text[i - 1] != '\t' && text[i - 1] != '\n')
			continue;
		uint length = 0;
		for (int k = i; k < n; k++, length++) {
			if (text[k] == ' ' || text[k] == '\t' || text[k] == '\n')
				break;
		}
		words++;
		longest = max(longest, length);
	}
	atomicAdd(&counts[0], words);
	atomicAdd(&counts[1], lines);
	atomicMax(&counts[2], longest);
}
