/* Texts in picasso's language, one or several files in each, whatever the bytes: a shader whose words, entry points and
 * names are sound, or a diagnostic with a text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/pica/picasso.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { FILES = 8 };

static void check(int holds)
{
	if (!holds)
		abort();
}

static void check_entry(const struct shader *s, const struct shader_entry *e)
{
	check(e->main <= e->endmain && e->endmain <= s->ncode);
	for (uint32_t i = 0; i < e->nlabels; i++)
		check(e->label[i].offset + e->label[i].size <= s->ncode && e->label[i].name[0]);
	for (uint32_t i = 0; i < e->nuniforms; i++)
		check(e->uniform[i].first_register <= e->uniform[i].last_register &&
		      e->uniform[i].last_register < UNIFORM_END);
	for (uint32_t i = 0; i < e->noutputs; i++)
		check(e->output[i].reg < SHADER_VECTORS && e->output[i].mask < 16);
	for (uint32_t i = 0; i < e->nconstants; i++)
		check(e->constant[i].type <= SHADER_FLOAT && e->constant[i].reg < SHADER_FLOATS);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct picasso_source file[FILES];
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct shader s;
	char *text = malloc(size ? size : 1);   /* no byte behind the text */

	if (!text)
		return 0;
	memcpy(text, bytes, size);
	unsigned n = picasso_files(&a, "fuzz.v.pica", text, size, file, FILES);
	picasso_sniff(text, size);
	if (picasso_assemble(&s, &a, file, n, NULL, &d)) {
		check(s.ncode <= SHADER_MAX_CODE && s.ndesc <= SHADER_MAX_DESC && s.nentries);
		for (uint32_t i = 0; i < s.nentries; i++)
			check_entry(&s, &s.entry[i]);
	} else {
		check(d.kind != DIAG_OK && d.text[0]);
	}
	arena_free(&a);
	free(text);
	return 0;
}
