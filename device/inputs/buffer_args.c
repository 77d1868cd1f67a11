/* Buffers of arguments: their words, their memory, their files. */
#include "device/inputs/buffer_args.h"

#include <string.h>

#include "device/state.h"
#include "host/output.h"

bool buffer_size(const char *text, uint64_t *bytes, struct diag *d)
{
	if (!wb_size(text, bytes))
		return diag_set(d, DIAG_USAGE, "found \"%s\", expected bytes such as 4096, 0x1000 or 4K", text);
	return *bytes <= 1ull << 32 ||
	       diag_set(d, DIAG_USAGE, "a buffer of %s bytes does not fit 32-bit global memory", text);
}

bool buffer_parse(const char *key, char *value, struct buffer_text *b, struct diag *d)
{
	char *colon = strrchr(value, ':');

	*b = (struct buffer_text){ 0 };
	if (!strcmp(key, "in")) {
		b->in = value;
		return true;
	}
	if (!strcmp(key, "zero"))
		return buffer_size(value, &b->bytes, d);
	if (!colon)
		return diag_set(d, DIAG_USAGE, "%s=%s: found no colon, expected %s", key, value,
				!strcmp(key, "out") ? "out=FILE:BYTES" : "inout=IN:OUT");
	*colon = '\0';
	if (!strcmp(key, "out")) {
		b->out = value;
		return buffer_size(colon + 1, &b->bytes, d);
	}
	b->in = value;
	b->out = colon + 1;
	return true;
}

bool buffer_make(struct wb_launch *l, struct argument *a, const struct buffer_text *b, struct diag *d)
{
	const struct inputs *in = l->inputs;
	uint8_t *bytes = NULL;
	size_t n = (size_t)b->bytes;

	if (in->by_program && ((b->in && !files_may(in->config, in->program->image_name, b->in, false, d)) ||
			       (b->out && !files_may(in->config, in->program->image_name, b->out, true, d))))
		return false;
	if (b->out && !in->config->files && !output_check(b->out, d))
		return false;
	if (b->in && !read_file(l->inputs->config, &l->inputs->files, &l->arena, b->in, &bytes, &n, d))
		return false;
	if (!global_buffer(l->machine.global, n, l->plan.ends_exact, &a->addr, d))
		return false;
	a->is_buffer = true;
	a->bytes = (uint32_t)n;
	a->out_file = b->out;
	return !bytes || !n || global_write(l->machine.global, a->addr, bytes, n);
}
