/* GCN texts: whatever the line, an instruction or a diagnostic; what was assembled disassembles to a text of
 * the same row. The first byte picks the generation. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/gcn/gcn.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool no_symbol(void *context, const char *name, size_t len, int64_t *value)
{
	*value = (int64_t)len * 4;
	return len < 3;
}

static void one_line(const struct isa_target *t, const char *line)
{
	const struct isa_symbols symbols = { no_symbol, NULL, 0 };
	char text[ISA_LINE];
	struct isa_code code, again;
	struct insn in;
	struct diag d = { 0 };
	if (!isa_parse(t, line, false, &symbols, &code, &d)) {
		if (d.kind == DIAG_OK || !*d.text)
			abort();
		return;
	}
	if (!isa_decode_word(t, code.word, &in) || in.row != code.row || in.length != code.length || in.loose)
		abort();
	isa_print(t, &in, text, sizeof text);
	if (isa_parse(t, text, false, NULL, &again, NULL) && again.row != code.row)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct isa_ops ops = {
		.name = "gcn", .table = &gcn_table, .decode = gcn_decode,
		.text = { .print = gcn_print, .parse = gcn_parse },
	};
	char *text = malloc(size + 1);
	if (!text || !size) {
		free(text);
		return 0;
	}
	memcpy(text, bytes, size);
	text[size] = 0;
	struct isa_target t = { .isa = &ops, .features = gcn_table.chips[*bytes % 4].value, .mode = 1 };
	for (char *line = text + 1, *end; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = 0;
		one_line(&t, line);
	}
	free(text);
	return 0;
}
