/* Texts of programs: disassembly, assembly, the reference of an instruction set. */
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "core/base/host_floats.h"
#include "core/base/near.h"
#include "core/base/text.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"
#include "core/isa/table.h"

const char *wb_version(void)
{
	return WB_VERSION;
}

unsigned wb_abi(void)
{
	return WB_ABI_VERSION;
}

void wb_text_free(struct wb_text *t)
{
	if (!t)
		return;
	free(t->data);
	*t = (struct wb_text){ 0 };
}

static bool word_target(const struct wb_config *c, struct isa_target *t, struct diag *d)
{
	const struct isa_ops *isa = c && config_given(c, OPT_CHIP) ? isa_of_chip(config_text(c, OPT_CHIP)) : NULL;
	const struct image words = { .machine = c && config_given(c, OPT_ISA) ? config_text(c, OPT_ISA)
						: isa ? isa->name : isa_at(0)->name };
	const struct chip *chip;

	return target_of(&words, c, t, &chip, d);
}

enum wb_status wb_dis_words(const struct wb_config *c, const uint32_t *words, unsigned n, unsigned flags, char *text,
			    size_t size)
{
	USUAL_FLOATS;
	struct isa_target t;
	struct diag d = { 0 };
	struct insn in;

	if (!word_target(c, &t, &d))
		return public_diag(NULL, &d);
	t.undoc = flags & WB_LIST_UNDOC;
	isa_decode_word(&t, words[0] | (n > 1 ? (uint64_t)words[1] << 32 : 0), &in);
	isa_print(&t, &in, text, size);
	return strncmp(text, "???", 3) ? WB_OK : WB_INPUT;
}

enum wb_status wb_asm_line(const struct wb_config *c, const char *text, uint32_t words[4], unsigned *n,
			   struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct isa_target t;
	struct isa_code code;
	struct diag d = { 0 };

	if (!word_target(c, &t, &d) || !isa_parse(&t, text, false, NULL, &code, &d))
		return public_diag(wd, &d);
	*n = code.length / 4;
	for (unsigned i = 0; i < *n; i++)
		words[i] = (uint32_t)(code.word >> 32 * i);
	return WB_OK;
}

const char *wb_nearest(const char *word, const char *const *names)
{
	struct near near = { .word = word, .n = strlen(word) };

	for (; *names; names++)
		near_try(&near, *names, strlen(*names));
	return near.best;
}

size_t wb_clean(const void *bytes, size_t n, const char *kept, char *out, size_t size)
{
	return text_clean(bytes, n, kept, out, size);
}
