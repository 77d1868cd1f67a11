/* Descriptors of a texture and a sampler, memory and a warp's request, whatever the words: four words a lane or a
 * reason. Bytes: TIC, TSC, operation, flags, inputs, offsets, then coordinates and texels. */
#include <stdlib.h>
#include <string.h>

#include "mem/texture.h"
#include "tests/fuzz/fuzz_image.h"

enum { LANES_HERE = 32, HEAD_BYTES = 4 * (TIC_WORDS + TSC_WORDS) + 8, ROW_BYTES = 4 * LANES_HERE };

/* A row of words; the last bytes again and again if there are too few. */
static void put_row(uint32_t row[LANES_HERE], const uint8_t *bytes, size_t size)
{
	memset(row, 0, ROW_BYTES);
	for (size_t at = 0; size && at < ROW_BYTES; at += size)
		memcpy((uint8_t *)row + at, bytes, at + size < ROW_BYTES ? size : ROW_BYTES - at);
}

static void request(const struct texture *t, const struct sampler *s, const uint8_t *control, const uint8_t *bytes,
		    size_t size)
{
	uint32_t in[TEXTURE_INPUTS][LANES_HERE], words[4][LANES_HERE];
	uint64_t seen[16];
	struct texture_lines lines = { .most = 16, .line = seen };
	struct texture_rules rules = {
		.exact_weights = control[1] & 1, .seamless = control[1] & 2, .lod_query_bits = control[1] & 4 ? 6 : 8,
	};
	struct texture_request r = {
		.op = (enum texture_op)(control[0] % (TEXTURE_GATHER + 1)), .cube = control[1] & 8,
		.derivatives = control[1] & 16, .inputs = 1 + control[2] % TEXTURE_INPUTS,
		.offset = { (int8_t)(control[3] % 16 - 8), (int8_t)(control[4] % 16 - 8),
			    (int8_t)(control[5] % 16 - 8) },
		.lanes = LANES_HERE, .on = control[1] & 32 ? 0x8421fedc : lanes_first(LANES_HERE),
	};
	uint32_t *out[4] = { words[0], words[1], words[2], words[3] };
	struct texture_fault fault;
	enum texture_status status;

	for (unsigned i = 0; i < TEXTURE_INPUTS; i++) {
		size_t at = i * ROW_BYTES < size ? i * ROW_BYTES : 0;
		put_row(in[i], bytes + at, size - at < ROW_BYTES ? size - at : ROW_BYTES);
		r.in[i] = in[i];
	}
	status = texture_request(t, s, &rules, &r, out, control[1] & 64 ? &lines : NULL, &fault);
	if (status > TEXTURE_UNMAPPED || (status != TEXTURE_OK && !(fault.lanes & r.on)) || lines.n > lines.most)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint32_t tic[TIC_WORDS], tsc[TSC_WORDS];
	struct texture t;
	struct sampler s;

	if (size < HEAD_BYTES)
		return 0;
	memcpy(tic, bytes, sizeof tic);
	memcpy(tsc, bytes + sizeof tic, sizeof tsc);
	texture_from_tic(tic, &t);
	sampler_from_tsc(tsc, &s);
	t.bytes = bytes + HEAD_BYTES;
	t.size = size - HEAD_BYTES;
	if (t.refused > TEXTURE_BAD_OPERATION || (!t.refused && (!t.levels || !texture_bytes(&t))))
		abort();
	request(&t, &s, bytes + sizeof tic + sizeof tsc, bytes + HEAD_BYTES, size - HEAD_BYTES);
	return 0;
}
