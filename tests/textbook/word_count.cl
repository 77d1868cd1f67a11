// Words, lines and the longest word by a state machine; a work-item takes the words that begin in its part.
__kernel void word_count(__global uint *counts, __global const char *text, int n, int part)
{
	int start = get_global_id(0) * part, end = min(start + part, n);
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
	atomic_add(&counts[0], words);
	atomic_add(&counts[1], lines);
	atomic_max(&counts[2], longest);
}
