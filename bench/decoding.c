#include "bench/decoding.h"

#include <stdlib.h>

#include "core/isa/table.h"
#include "core/isa/tesla/tesla.h"

struct decoding {
	struct isa_target target;
	const uint8_t *code;
	size_t size;
	struct insn insn[];         /* up to a short word each */
};

struct decoding *decoding_new(const void *code, size_t size)
{
	static const struct isa_ops isa = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
	struct decoding *d = calloc(1, sizeof *d + (size / tesla_table.unit + 1) * sizeof *d->insn);

	if (!d)
		return NULL;
	d->target = (struct isa_target){ .isa = &isa, .features = FEAT_SM11 | FEAT_SM12 | FEAT_FP64, .mode = MODE_CP };
	d->code = code;
	d->size = size;
	return d;
}

unsigned decoding_run(struct decoding *d)
{
	uint32_t pc = 0;
	unsigned n = 0;

	while (pc < d->size && d->target.isa->decode(&d->target, d->code, d->size, pc, &d->insn[n]))
		pc += d->insn[n++].length;
	return n;
}
