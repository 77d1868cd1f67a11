/* Calls of the public header on a launch, in any order with any numbers, and any text where it takes one: every call
 * has a status, and a launch can always be freed. An input is a list of calls, each a byte with its arguments. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_image.h"
#include "warpbeam.h"

enum { CALLS_MAX = 40, TEXT_MAX = 64 };

struct input {
	const uint8_t *cursor;
	size_t remaining;
};

static uint32_t number(struct input *in)
{
	static const uint32_t special[] = {
		0, 1, 31, 32, 63, 64, 255, 4096, 65536, 0x7fffffff, 0xfffffffc, 0xffffffff
	};
	uint32_t byte = in->remaining ? *in->cursor : 0;

	in->cursor += in->remaining > 0;
	in->remaining -= in->remaining > 0;
	return byte < 240 ? byte % 16 : special[(byte - 240) % (sizeof special / sizeof *special)];
}

/* A text up to a byte that is no character of one. */
static const char *text(struct input *in, char to[TEXT_MAX])
{
	size_t n = 0;

	while (in->remaining && *in->cursor >= ' ' && n < TEXT_MAX - 1) {
		to[n++] = (char)*in->cursor++;
		in->remaining--;
	}
	to[n] = '\0';
	in->cursor += in->remaining > 0;
	in->remaining -= in->remaining > 0;
	return to;
}

static void call(struct wb_launch *l, struct input *in)
{
	struct wb_diag d = { 0 };
	struct wb_where where;
	char t[TEXT_MAX];
	uint32_t a, b, row[WB_LANES], bytes;
	uint64_t value;
	int id;
	uint8_t buffer[256] = { 0 };
	enum wb_status status = WB_OK;
	struct wb_goal goal = { 0 };

	switch (number(in)) {
	case 0: status = wb_launch_arg(l, text(in, t), &d); break;
	case 1:
		a = number(in);
		status = wb_launch_write(l, text(in, t), a, buffer, number(in) % sizeof buffer, &d);
		break;
	case 2:
		a = number(in);
		status = wb_launch_read(l, text(in, t), a, buffer, number(in) % sizeof buffer, &d);
		break;
	case 3:
		goal.issues = 1 + number(in) % 1000;
		goal.stops = number(in);
		goal.when = number(in) & 1 ? text(in, t) : NULL;
		status = wb_launch_forward(l, &goal, &where, &d);
		break;
	case 4:
		goal.issues = 1 + number(in) % 1000;
		status = wb_launch_back(l, &goal, &where, &d);
		break;
	case 5: status = wb_launch_goto(l, number(in), &where, &d); break;
	case 6: status = wb_launch_run(l, &d); break;
	case 7:
		a = number(in);
		b = number(in);
		status = wb_launch_break(l, number(in) & 1 ? WB_STOP_BREAK : WB_STOP_WATCH, text(in, t), a, b, &id, &d);
		if (status == WB_OK)
			wb_launch_break_place(l, id, t, TEXT_MAX);
		break;
	case 8:
		a = number(in);
		b = number(in);
		status = wb_launch_value(l, text(in, t), a, b, &value, &d);
		break;
	case 9:
		a = number(in);
		b = number(in);
		wb_launch_register(l, a, b, text(in, t), &(struct wb_register){ 0 }, NULL);
		status = wb_launch_read_register(l, a, b, t, row, &d);
		break;
	case 10: wb_launch_report(l); break;
	case 11:
		a = number(in);
		b = number(in);
		wb_launch_warp(l, a, b, &(struct wb_warp){ 0 });
		wb_launch_shared(l, a, b, &bytes);
		wb_launch_barrier(l, a, b, number(in), &(struct wb_barrier){ 0 });
		break;
	case 12: status = wb_launch_record(l, number(in), NULL, NULL, &d); break;
	case 13: status = wb_launch_start(l, &d); break;
	case 14: status = wb_launch_prepare(l, &d); break;
	default:
		a = number(in);
		status = wb_launch_read_arg(l, a, number(in), buffer, number(in) % sizeof buffer, &d);
		break;
	}
	if (status != WB_OK && !*d.text)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char program[] =
		".kernel k\n.chip g200\n.grid 2\n.block 64\n.smem 256\n.param u32 n\n.param ptr p\n.arg u32=3\n"
		".arg zero=4096\nshl b32 $r1 $r0 0x2\njoinat #end\nmov b32 $r2 b32 s[0x10]\n"
		"sub b32 $c0 # $r0 $r2\n(lg $c0) bra #end\n"
		"bar inc wait 0x0 all\nadd b32 $r1 b32 s[0x14] $r1\nst b32 g14[$r1] $r0\nend:\n(never) nop\n"
		"exit nop\n";
	struct input in = { bytes, size };
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	char t[TEXT_MAX];

	wb_config_set(c, "format", "asm", NULL);
	if (wb_program_load(program, sizeof program - 1, "calls", c, &p, &d) != WB_OK)
		abort();
	wb_config_set(c, "max-cycles", "20000", NULL);
	wb_config_set(c, "files", "none", NULL);
	if (number(&in) & 1)
		wb_config_set(c, "timing", "off", NULL);
	if (number(&in) & 1 && wb_config_set(c, "grid", text(&in, t), &d) != WB_OK && !*d.text)
		abort();
	if (wb_launch_new(p, NULL, c, &l, &d) == WB_OK) {
		for (unsigned i = 0; i < CALLS_MAX && in.remaining; i++)
			call(l, &in);
		wb_launch_free(l);
	} else if (!*d.text) {
		abort();
	}
	wb_program_free(p);
	wb_config_free(c);
	return 0;
}
