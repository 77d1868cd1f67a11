/* The instruction sets of this build. */
#include "core/machines/registry.h"

#include <stdio.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/table.h"
#include "core/machines/built.h"

#define MACHINE(name) extern const struct isa_ops name##_isa;
#include "core/machines/registry.def"

static const struct isa_ops *const known[] = {
#define MACHINE(name) &name##_isa,
#include "core/machines/registry.def"
};

const struct isa_ops *isa_at(unsigned index)
{
	return index < sizeof known / sizeof *known ? known[index] : NULL;
}

const struct isa_ops *isa_find(const char *name)
{
	const struct isa_ops *isa;

	for (unsigned i = 0; (isa = isa_at(i)); i++)
		if (!strcmp(isa->name, name))
			return isa;
	return NULL;
}

const struct isa_ops *isa_of_file(const char *name, uint32_t *mode)
{
	const struct isa_ops *isa;
	size_t n = name ? strlen(name) : 0;

	for (unsigned i = 0; (isa = isa_at(i)); i++)
		for (const struct isa_name *e = isa->text.endings; e && e->name; e++)
			if (n > strlen(e->name) && !strcmp(name + n - strlen(e->name), e->name)) {
				*mode = e->value;
				return isa;
			}
	return NULL;
}

const struct isa_ops *isa_of_chip(const char *name)
{
	const struct isa_ops *isa;
	uint32_t features;

	for (unsigned i = 0; (isa = isa_at(i)); i++)
		if (isa_name_find(isa->table->chips, name, strlen(name), &features))
			return isa;
	return NULL;
}

bool isa_unknown(const char *name, struct diag *d)
{
	const struct isa_ops *isa;
	char names[128] = "";

	for (unsigned i = 0; (isa = isa_at(i)); i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", isa->name);
	return diag_set(d, DIAG_USAGE, "found machine \"%s\", expected one of %s", name, names);
}
