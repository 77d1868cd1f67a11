/* Saved runs: a launch that stands still as bytes, and a launch that goes on from bytes. */
#include "device/saving.h"
#include "host/output.h"

enum wb_status wb_launch_save_at(struct wb_launch *l, uint64_t instructions, struct wb_diag *wd)
{
	struct diag d = { 0 };
	struct saving *s = saving_of(l, &d);

	if (!s)
		return public_diag(wd, &d);
	s->stop = instructions;
	return WB_OK;
}

void wb_launch_pause(struct wb_launch *l)
{
	if (l->saving)
		l->saving->asked = true;
}

enum wb_status wb_launch_save(struct wb_launch *l, struct wb_text *out, struct wb_diag *wd)
{
	struct diag d = { 0 };
	uint8_t *bytes;
	size_t n;

	*out = (struct wb_text){ 0 };
	if (!l->machine.paused)
		diag_set(&d, DIAG_USAGE, "the run of this launch does not stand still, so it cannot be saved");
	else if (saving_write(l, &bytes, &n, &d))
		*out = (struct wb_text){ (char *)bytes, n };
	return public_diag(wd, &d);
}

/* Whether the outputs of all arguments can be written. */
static bool outputs_check(const struct wb_launch *l, struct diag *d)
{
	const struct inputs *in = l->inputs;

	for (size_t i = 0; i < in->nargs + in->nbound; i++) {
		const struct argument *a = i < in->nargs ? &in->arg[i] : &in->bound[i - in->nargs];
		if (a->out_file && !output_check(a->out_file, d))
			return false;
	}
	return true;
}

enum wb_status wb_launch_resume(struct wb_launch *l, const void *bytes, size_t n, bool writes, struct wb_diag *wd)
{
	struct diag d = { 0 };
	struct saving *s = saving_of(l, &d);

	if (!s || !saving_check(bytes, n, &d) || (writes && !outputs_check(l, &d)))
		return public_diag(wd, &d);
	s->bytes = bytes;
	s->size = n;
	s->writes = writes;
	return WB_OK;
}
