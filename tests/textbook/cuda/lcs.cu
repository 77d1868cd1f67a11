// Longest common subsequence of a text with a pattern of each thread, with one row in private memory.
typedef unsigned char uchar;

#define M 16
extern "C" __global__ void lcs(int *out, const uchar *patterns, const uchar *text, int n)
{
	ushort row[M + 1];
	uchar p[M];
	int g = blockIdx.x * blockDim.x + threadIdx.x;

	for (int j = 0; j <= M; j++)
		row[j] = 0;
	for (int j = 0; j < M; j++)
		p[j] = patterns[g * M + j];
	for (int i = 0; i < n; i++) {
		ushort diagonal = 0;
		uchar c = text[i];
		for (int j = 1; j <= M; j++) {
			ushort above = row[j];
			if (p[j - 1] == c)
				row[j] = diagonal + 1;
			else
				row[j] = max(row[j], row[j - 1]);
			diagonal = above;
		}
	}
	out[g] = row[M];
}
