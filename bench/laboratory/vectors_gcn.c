/* Vectors of GCN's texts, in three kinds of lines:
 *
 *   CHIP BYTES | TEXT            what the disassembler writes, in CLRX's syntax or, if any line of the file has a name
 *                                that ends in _e32, in LLVM's. A text with "ill_" must not assemble
 *   CHIP | TEXT | BYTES          what the assembler makes of a line
 *   CHIP | TEXT | ERR MESSAGE    a line that it refuses, with whatever message
 *
 * Bytes are hexadecimal in memory order. */
#include "bench/laboratory/vectors.h"

#include <stdlib.h>
#include <string.h>

enum { CHIPS = 4, MAX_WORDS = 4, TEXT = 512 };
static const char *const chips[CHIPS] = {"tahiti", "bonaire", "tonga", "gfx900"};

/* The chip that a line begins with; -1: none. */
static int chip_of(const char *line)
{
	for (int i = 0; i < CHIPS; i++) {
		size_t n = strlen(chips[i]);
		if (!strncmp(line, chips[i], n) && line[n] == ' ')
			return i;
	}
	return -1;
}

static const char *first_line(const char *text)
{
	while (*text == '#' && strchr(text, '\n'))
		text = strchr(text, '\n') + 1;
	return text;
}

static bool recognise(const char *text, size_t n)
{
	const char *line = first_line(text), *bar = strstr(line, " | "), *end = strchr(line, '\n');
	(void)n;
	return chip_of(line) >= 0 && bar && end && bar < end && !memmem(line, (size_t)(end - line), "seed", 4);
}

static unsigned read_words(const char *hex, uint32_t words[MAX_WORDS])
{
	unsigned n = 0, byte;
	memset(words, 0, MAX_WORDS * sizeof *words);
	for (; n < 4 * MAX_WORDS && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
		words[n / 4] |= (uint32_t)byte << n % 4 * 8;
	return n / 4;
}

static bool assemble(const struct wb_config *c, const char *text, char hex[8 * MAX_WORDS + 1], struct wb_diag *d)
{
	uint32_t words[MAX_WORDS];
	unsigned n = 0;
	if (wb_asm_line(c, text, words, &n, d) != WB_OK)
		return false;
	for (unsigned i = 0; i < 4 * n; i++)
		sprintf(hex + 2 * i, "%02x", words[i / 4] >> i % 4 * 8 & 0xff);
	return true;
}

static void run_source(struct tally *t, const struct wb_config *c, unsigned long line, const char *text,
		       const char *expected)
{
	char hex[8 * MAX_WORDS + 1] = "";
	struct wb_diag d = {0};
	bool made = assemble(c, text, hex, &d);
	if (!strncmp(expected, "ERR", 3) ? !made : made && !strcmp(hex, expected))
		tally_pass(t, GATED);
	else
		tally_mismatch(t, GATED, line, "'%s': expected %s, got %s", text, expected, made ? hex : d.text);
}

static void run_bytes(struct tally *t, const struct wb_config *c, unsigned long line, const char *bytes,
		      const char *expected)
{
	uint32_t words[MAX_WORDS];
	char text[TEXT], hex[8 * MAX_WORDS + 1];
	struct wb_diag d;
	wb_dis_words(c, words, read_words(bytes, words), 0, text, sizeof text);
	if (strcmp(text, expected) != 0)
		tally_mismatch(t, GATED, line, "%s: expected '%s', got '%s'", bytes, expected, text);
	else if (strstr(expected, "ill_") && assemble(c, text, hex, &d))
		tally_mismatch(t, GATED, line, "'%s': expected an error, got %s", expected, hex);
	else
		tally_pass(t, GATED);
}

/* "CHIP | TEXT | BYTES": the text may have bars. */
static bool run_line(struct tally *t, struct wb_config *const configs[CHIPS], unsigned long line, char *s)
{
	int chip = chip_of(s);
	char *first = chip < 0 ? NULL : strchr(s, ' ') + 1, *bar = NULL;
	bool source = first && !strncmp(first, "| ", 2);
	if (source)
		first += 2;
	for (char *p = first; p && (p = strstr(p, " | ")) && (source || !bar); p += 3)
		bar = p;
	if (!bar)
		return false;
	*bar = '\0';
	if (source)
		run_source(t, configs[chip], line, first, bar + 3);
	else
		run_bytes(t, configs[chip], line, first, bar + 3);
	return true;
}

static enum wb_status run(struct tally *t, char *text, size_t n)
{
	struct wb_config *configs[CHIPS];
	enum wb_status status = WB_OK;
	struct wb_diag d;
	unsigned long line = 0;
	bool llvm = strstr(text, "_e32 ") != NULL;
	for (int i = 0; i < CHIPS; i++) {
		configs[i] = wb_config_copy(t->cli->config);
		wb_config_set(configs[i], "chip", chips[i], &d);
		wb_config_set(configs[i], "syntax", llvm ? "llvm" : "clrx", &d);
	}
	for (char *s = text, *end; s < text + n && status == WB_OK; s = end + 1) {
		end = memchr(s, '\n', (size_t)(text + n - s));
		if (!end)
			end = text + n;
		*end = '\0';
		line++;
		if (*s && *s != '#' && !run_line(t, configs, line, s))
			status = complain(WB_INPUT, "%s:%lu: expected CHIP BYTES | TEXT or CHIP | TEXT | BYTES",
					  t->path, line);
		if (line % 1024 == 0)
			vectors_progress(t, "bytes", (size_t)(s - text), n);
	}
	for (int i = 0; i < CHIPS; i++)
		wb_config_free(configs[i]);
	return status;
}

const struct vectors_format vectors_gcn = {"texts of instructions", recognise, run};
