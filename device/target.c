/* The decoder of a kernel: instruction set, chip and program type, by the image's words and a configuration's. A
 * machine lists the options that it obeys and not every machine (struct isa_ops). */
#include <stdio.h>
#include <string.h>

#include "device/launch.h"
#include "core/isa/table.h"

uint8_t syntax_of(const struct wb_config *c)
{
	return (uint8_t)(config_number(c, OPT_SYNTAX) | (config_number(c, OPT_BUGGY_FP_LIT) ? ISA_OLD_FLOATS : 0));
}

/* Refuse code for a chip with instructions that the chosen chip lacks, or has in other words. */
static bool runs_code_of(const struct image *im, const struct isa_target *t, const struct chip *chip, struct diag *d)
{
	const struct isa_table *table = t->isa->table;
	char with[64] = "";
	uint32_t built;
	bool text;

	if (!im->chip || !isa_name_find(table->chips, im->chip, strlen(im->chip), &built) || !(built & ~t->features))
		return true;
	text = !strcmp(im->format, "asm") || !strcmp(im->format, "opencl") || !strcmp(im->format, "ptx");
	if (table->compiler && chip->capability)
		snprintf(with, sizeof with, " with %ssm_%u", table->compiler, chip->capability);
	else if (table->compiler)
		snprintf(with, sizeof with, " with %s%s", table->compiler, chip->name);
	return diag_set(d, DIAG_USAGE, "is for %s; %s it for %s%s", im->chip,
			text ? "load" : "compile", chip->name, text ? " (the option chip of the load)" : with);
}

/* The entry of a list, "NAME" or "NAME: reason"; NULL: none. */
static const char *entry_of(const char *const *list, const char *name)
{
	size_t n = strlen(name);

	for (; list && *list; list++)
		if (!strncmp(*list, name, n) && (!(*list)[n] || (*list)[n] == ':'))
			return *list;
	return NULL;
}

/* The names of the machines that list an option; "": every machine obeys the option. */
static void takers(const char *option, char *names, size_t size)
{
	const struct isa_ops *isa;

	*names = '\0';
	for (unsigned m = 0; (isa = isa_at(m)); m++)
		if (entry_of(isa->options, option))
			snprintf(names + strlen(names), size - strlen(names), "%s%s", *names ? ", " : "", isa->name);
}

/* An option of other machines may be set to its default alone. */
static bool obeys(const struct isa_ops *isa, const struct wb_config *c, struct diag *d)
{
	const struct wb_option_info *o;
	const char *reason;
	char names[64];

	for (unsigned i = 0; (o = wb_option(i)); i++) {
		const char *text = config_text(c, (enum option)i);
		if (!strcmp(text, o->fallback) || entry_of(isa->options, o->name))
			continue;
		takers(o->name, names, sizeof names);
		reason = entry_of(isa->reasons, o->name);
		if (*names)
			return diag_set(d, DIAG_USAGE,
					"--%s means nothing on machine %s (found \"%s\")%s; it is for %s", o->name,
					isa->name, text, reason ? reason + strlen(o->name) : "", names);
	}
	return true;
}

bool target_of(const struct image *im, const struct wb_config *c, struct isa_target *t, const struct chip **chip,
	       struct diag *d)
{
	const struct isa_ops *isa = isa_find(im->machine), *other;
	const char *name = im->chip ? im->chip : isa && isa->table->chip ? isa->table->chip : "g200";
	const char *mode = im->mode ? im->mode : isa && isa->table->mode ? isa->table->mode : "cp";

	name = c && config_given(c, OPT_CHIP) ? config_text(c, OPT_CHIP) : name;
	mode = c && config_given(c, OPT_MODE) ? config_text(c, OPT_MODE) : mode;
	*chip = chip_find(name, d);
	if (!*chip)
		return false;
	*t = (struct isa_target){ .isa = isa, .syntax = c ? syntax_of(c) : 0 };
	if (!isa)
		return isa_unknown(im->machine, d);
	other = isa_of_chip((*chip)->name);
	if (other && other != isa)
		return diag_set(d, DIAG_USAGE, "is for machine %s; chip %s is of machine %s", isa->name, name,
				other->name) || diag_in_file(d, im->file);
	if (!isa_name_find(t->isa->table->chips, (*chip)->name, strlen((*chip)->name), &t->features) ||
	    !isa_name_find(t->isa->table->modes, mode, strlen(mode), &t->mode))
		return diag_set(d, DIAG_USAGE, "machine %s has no chip \"%s\" with program type \"%s\"", im->machine,
				name, mode);
	return (runs_code_of(im, t, *chip, d) && (!c || obeys(isa, c, d))) || diag_in_file(d, im->file);
}
