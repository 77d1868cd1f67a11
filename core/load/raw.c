/* Bare program words: as bytes, or as text of 8 hex digits a word. The caller's options stand in for the headers of a
 * program file. */
#include "core/load/loader.h"
#include "core/load/scan.h"

enum { DEFAULT_REGS = 64 };

static bool one_kernel(struct load *l, const uint8_t *code, size_t bytes)
{
	const struct load_options *o = l->options;
	if (o->entry >= bytes || o->entry % 4)
		return diag_set(l->diag, DIAG_USAGE,
				"entry 0x%x; expected a multiple of 4 below the program's %zu bytes", o->entry, bytes);
	if (bytes > UINT32_MAX)
		return diag_set(l->diag, DIAG_INPUT, "a program of %zu bytes; expected at most 0x%x", bytes,
				UINT32_MAX);
	struct image_kernel *k = image_push(&l->image->arena, &l->image->kernels, &l->image->nkernels);
	if (!k)
		return load_no_memory(l);
	if (o->machine) {
		l->image->machine = arena_strdup(&l->image->arena, o->machine);
		if (!l->image->machine)
			return load_no_memory(l);
	}
	k->name = "main";
	k->code = code;
	k->code_bytes = (uint32_t)bytes;
	k->entry = o->entry;
	k->regs = o->regs ? o->regs : DEFAULT_REGS;
	k->smem = o->smem;
	k->lmem = o->lmem;
	return true;
}

bool raw_load(struct load *l)
{
	if (l->size % 4)
		return diag_at(l->diag, (int64_t)(l->size & ~(size_t)3),
			       "raw words end in %zu odd bytes; expected words of 4", l->size % 4);
	return one_kernel(l, l->bytes, l->size);
}

bool hex_matches(const uint8_t *bytes, size_t size)
{
	struct scan s;
	uint32_t word, words = 0;
	for (scan_start(&s, bytes, size); scan_next(&s); words++) {
		if (!scan_hex(&s, 8, &word))
			return false;
	}
	return words > 0;
}

bool hex_load(struct load *l)
{
	struct { uint8_t byte[4]; } *code = NULL, *w;
	size_t words = 0;
	struct scan s;
	uint32_t word;
	for (scan_start(&s, l->bytes, l->size); scan_next(&s);) {
		if (!scan_hex(&s, 8, &word))
			return diag_text(l->diag, s.token_line, s.token_column,
					 "found `%.*s`; expected a word of 8 hex digits", SCAN_TEXT(&s));
		w = image_push(&l->image->arena, &code, &words);
		if (!w)
			return load_no_memory(l);
		for (int i = 0; i < 4; i++)
			w->byte[i] = (uint8_t)(word >> 8 * i);
	}
	if (!words)
		return diag_set(l->diag, DIAG_INPUT, "no words; expected words of 8 hex digits");
	return one_kernel(l, code[0].byte, 4 * words);
}
