/* CLRX: a file's statements in order, each a label, an assignment, a pseudo-operation, a macro or an instruction. */
#include "core/isa/gcn/clrx_asm.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/image.h"
#include "core/isa.h"
#include "core/isa/gcn/clrx_impl.h"
#include "core/isa/table.h"

/* What encoding an instruction asks of the machine. */
static const struct isa_ops machine = { .name = "gcn", .table = &gcn_table, .decode = gcn_decode };

/* The chip at hand, when the first instruction or register asks. */
static bool choose_target(struct clrx *c)
{
	if (c->chosen.target_of == c->chosen.chip)
		return true;
	c->chosen.target_of = c->chosen.chip;
	return isa_name_find(gcn_table.chips, c->chosen.chip, strlen(c->chosen.chip), &c->target.features) ||
	       clrx_error(c, NULL, "unknown chip %s, expected tahiti, bonaire, tonga or gfx900", c->chosen.chip);
}

/* Labels at the beginning of *p; *p moves behind. */
static bool labels(struct clrx *c, const char **p)
{
	for (;; *p = clrx_skip(*p)) {
		size_t n = isdigit((unsigned char)**p) ? strspn(*p, "0123456789") : clrx_path_length(*p);
		const char *behind = clrx_skip(*p + n);
		if (!n || *behind != ':' || behind[1] == ':')
			return true;
		if (!clrx_label(c, *p, n))
			return false;
		*p = behind + 1;
	}
}

static bool statement(struct clrx *c)
{
	const char *p = c->now.text;
	size_t n;
	bool mine;

	if (!choose_target(c) || !labels(c, &p) || !*p)
		return !c->d->kind;
	n = clrx_path_length(p);
	const char *behind = clrx_skip(p + n);
	if (n == 1 && *p == '.' && *behind == '=' && behind[1] != '=')
		return clrx_op(c, "org", 3, behind + 1);
	if (n && *behind == '=' && behind[1] != '=')
		return clrx_assign(c, p, n, behind + 1, false, false);
	if (*p == '.' && n > 1) {
		if (!clrx_flow_op(c, p + 1, clrx_skip(p + n), &mine) || mine)
			return mine && !c->d->kind;
		return clrx_op(c, p + 1, n - 1, p + n);
	}
	n = clrx_name_length(p);
	if (!n)
		return clrx_error(c, p, "found `%.20s`, expected an instruction, a label, NAME=VALUE or a "
				  "pseudo-operation", p);
	if (c->flow.alternate && clrx_word_is(p, n, "local"))
		return clrx_flow_op(c, p, clrx_skip(p + n), &mine);
	if (!clrx_call_macro(c, p, n, p + n, &mine) || mine)
		return mine && !c->d->kind;
	return clrx_instruction(c, p);
}

static bool run(struct clrx *c)
{
	bool end = false;

	while (!c->ended) {
		if (!clrx_next(c, &end))
			return false;
		if (end)
			return true;
		if (!statement(c))
			return false;
	}
	return true;
}

static bool start(struct clrx *c)
{
	c->names.root = c->names.scope = clrx_new_scope(c, "", 0, NULL);
	c->main.text = clrx_section(c, ".text", SECTION_CODE, -1);
	c->main.absolute = clrx_section(c, "*ABS*", SECTION_ABSOLUTE, -1);
	if (!c->names.root || c->main.text == SECTION_NONE || c->main.absolute == SECTION_NONE)
		return false;
	c->here = c->main.latest = c->main.text;
	c->main.rodata = c->main.rwdata = c->main.bss = SECTION_NONE;
	c->kernel = -1;
	c->last_variable = &c->variables;
	if (!c->source->chip)
		return true;
	bool found = clrx_gpu_named(c->source->chip, strlen(c->source->chip)) >= 0;
	if (found)
		found = clrx_choose_gpu(c, c->source->chip);
	c->chosen.chip_said = true;
	return found || clrx_error(c, NULL, "unknown chip %s, expected tahiti, bonaire, tonga or gfx900",
				   c->source->chip);
}

bool clrx_assemble(const struct isa_source *source, struct image *im, struct diag *d)
{
	struct diag own = { 0 };
	struct clrx c = {
		.im = im, .source = source, .d = &own, .target = { .syntax = source->syntax, .isa = &machine },
		.chosen = { .chip = "tahiti", .arch = 0, .gpu = 2, .format = FORMAT_AMD, .separate_layout = true,
			    .policy = 109 },
	};
	bool ok = start(&c) && clrx_open_file(&c, NULL, source->text, source->size) && run(&c) && clrx_finish(&c);

	clrx_free_flow(&c);
	clrx_free_scopes(&c);
	arena_free(&c.arena);
	if (!ok && d)
		*d = own;
	return ok;
}
