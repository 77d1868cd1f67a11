/* A text of several units, apart at lines UNIT_LINE: programs that a host program compiled by themselves and links.
 * Each unit becomes bitcode with the units before it linked in, unoptimised; the last is compiled like any source, with
 * the bitcode of all others. So macros, types and static names are a unit's own. */
#include "toolchain/opencl/compiler.h"

#include <stdio.h>

static const char separator[] = "\n" UNIT_LINE "\n";
enum { SEPARATOR = sizeof separator - 1 };

bool name_source(struct compiler *c, const char *prologue)
{
	char *p = malloc(strlen(prologue) + 2 * strlen(c->name) + 32 + c->size);

	free(c->named.bytes);
	c->named.bytes = p;
	if (!p)
		return false;
	p += sprintf(p, "%s#line 1 \"", prologue);
	for (const char *s = c->name; *s; s++) {
		if (*s == '"' || *s == '\\')
			*p++ = '\\';
		*p++ = (unsigned char)*s < ' ' ? '?' : *s;
	}
	p += sprintf(p, "\"\n");
	memcpy(p, c->source, c->size);
	c->named.size = (size_t)(p - c->named.bytes) + c->size;
	return true;
}

bool next_unit(struct compiler *c, const struct child_text *all, struct child_text *unit)
{
	char *end = all->bytes + all->size, *stop;
	char *from = unit->bytes ? unit->bytes + unit->size + SEPARATOR : all->bytes;

	if (from > end)
		return false;
	stop = memmem(from, (size_t)(end - from), separator, SEPARATOR);
	*unit = (struct child_text){ from, (size_t)((stop ? stop : end) - from) };
	c->source = unit->bytes;
	c->size = unit->size;
	return true;
}

bool has_units(const struct compiler *c)
{
	return c->target->language == OPENCL_C && memmem(c->source, c->size, separator, SEPARATOR);
}

bool is_last_unit(const struct child_text *all, const struct child_text *unit)
{
	return unit->bytes + unit->size == all->bytes + all->size;
}

/* The bitcode of the source, with the units before; takes the place of theirs. */
static bool add_unit(struct compiler *c, struct child_text *linked)
{
	struct child_outputs o = { 0 };

	c->child.result = "unit";
	bool ok = run_step(c, unit_command, c->named, &o) && take_warnings(c, o.errors.bytes);
	if (ok) {
		free(linked->bytes);
		*linked = o.result;
		o.result = (struct child_text){ NULL, 0 };
		c->child.input[CHILD_UNITS] = (struct child_file){ "units.bc", linked->bytes, linked->size };
	}
	child_free(&o);
	return ok;
}

bool make_units(struct compiler *c, struct child_text *linked)
{
	const struct child_text all = { (char *)(uintptr_t)c->source, c->size };
	struct child_text unit = { NULL, 0 };
	bool ok = true;

	if (!has_units(c))
		return true;
	while (ok && next_unit(c, &all, &unit)) {
		ok = name_source(c, c->builtins.prologue);
		if (is_last_unit(&all, &unit))
			break;
		ok = ok && add_unit(c, linked);
	}
	c->source = all.bytes;
	c->size = all.size;
	return ok;
}
