/* Every Tesla word of the evidence against its text: texts by envydis, words rejected by envydis, words run by hardware
 * models. */
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

#include <glob.h>
#include <stdbool.h>
#include <string.h>

#include <zlib.h>

#include "core/base/diag.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"
#include "core/isa/tesla/tesla.h"

enum { SHOWN = 20, PATH = 512 };

static const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };

struct line {
	struct isa_target target;
	uint64_t word;
	const char *words, *text;
};

/* "mode variant w0 [w1] | text", cut up in place; false for comments. */
static bool parse_line(char *s, struct line *out)
{
	char *bar = strstr(s, " | ");
	if (*s == '#' || !bar)
		return false;
	*bar = 0;
	s[strlen(s)] = 0;
	bar[3 + strcspn(bar + 3, "\n")] = 0;
	out->text = bar + 3;
	char *chip = strchr(s, ' ');
	*chip++ = 0;
	char *words = strchr(chip, ' ');
	*words++ = 0;
	out->words = words;
	out->target = (struct isa_target){ .isa = &ops };
	assert_true(isa_name_find(tesla_table.modes, s, strlen(s), &out->target.mode));
	assert_true(isa_name_find(tesla_table.chips, chip, strlen(chip), &out->target.features));
	unsigned long w0 = 0, w1 = 0;
	sscanf(words, "%lx %lx", &w0, &w1);
	out->word = w0 | (uint64_t)w1 << 32;
	return true;
}

/* Call check for every line of a file; check returns whether the line holds. */
static void each_line(const char *name, bool (*check)(struct line *l))
{
	char path[PATH], buf[1024];
	gzFile f = gzopen(shared_path(path, sizeof(path), name), "r");
	assert_non_null(f);
	unsigned lines = 0, wrong = 0;
	while (gzgets(f, buf, sizeof(buf))) {
		struct line l;
		if (!parse_line(buf, &l))
			continue;
		lines++;
		if (!check(&l) && ++wrong > SHOWN)
			break;
	}
	gzclose(f);
	assert_true(lines > 0);
	assert_int_equal(wrong, 0);
}

static bool differs(const struct line *l, const char *got)
{
	printf("%s: got '%s', expected '%s'\n", l->words, got, l->text);
	return false;
}

static bool same_text(struct line *l)
{
	struct insn in;
	char text[ISA_LINE];
	isa_decode_word(&l->target, l->word, &in);
	isa_print(&l->target, &in, text, sizeof(text));
	return strcmp(text, l->text) == 0 || differs(l, text);
}

/* A word invalid to envydis is ??? here, whatever envydis prints behind. Except for the indirect branch, which envydis
 * knows for the chips with D3D10.1 alone, here a branch of all chips (tesla-encoding 7). */
static bool same_verdict(struct line *l)
{
	if (!strstr(l->text, "[unknown instruction]") && !strstr(l->text, "[unknown operand]"))
		return same_text(l);
	bool indirect = (l->word & 0xf0000003) == 0xc0000003;
	struct insn in;
	char text[ISA_LINE];
	isa_decode_word(&l->target, l->word, &in);
	isa_print(&l->target, &in, text, sizeof(text));
	return strncmp(text, indirect ? "bra " : "???", indirect ? 4 : 3) == 0 || differs(l, text);
}

static bool assembles(struct line *l, struct isa_code *code)
{
	struct diag d = { 0 };
	if (isa_parse(&l->target, l->text, false, NULL, code, &d))
		return true;
	printf("%s: '%s': column %d: %s\n", l->words, l->text, d.column, d.text);
	return false;
}

static bool same_words(struct line *l)
{
	struct isa_code code;
	char got[32];
	if (!assembles(l, &code))
		return false;
	unsigned w0 = (unsigned)code.word, w1 = (unsigned)(code.word >> 32);
	snprintf(got, sizeof(got), code.length == 8 ? "%08x %08x" : "%08x", w0, w1);
	if (strcmp(got, l->words) != 0)
		printf("'%s': got %s, expected %s\n", l->text, got, l->words);
	return strcmp(got, l->words) == 0;
}

/* Words may differ from the disassembled words, but not in text. */
static bool same_text_again(struct line *l)
{
	struct isa_code code;
	if (!assembles(l, &code))
		return false;
	l->word = code.word;
	return same_text(l);
}

static void disassembly(void **state)
{
	each_line("vectors/tesla/disasm.txt.gz", same_text);
}

static void rejection(void **state)
{
	each_line("vectors/tesla/disasm_bad.txt.gz", same_verdict);
}

static void assembly(void **state)
{
	each_line("vectors/tesla/asm.txt.gz", same_words);
}

static void there_and_back(void **state)
{
	each_line("vectors/tesla/disasm.txt.gz", same_text_again);
}

/* Programs of a compiler: words listed from address 0 on, against envydis's listing. */
struct program {
	struct isa_target target;
	uint8_t code[1 << 16];
	size_t size;
};

static void program_target(const char *name, struct isa_target *t)
{
	static const struct { const char *part, *mode; } modes[] = {
		{ "_frag_", "fp" }, { "_vert_", "vp" }, { "_geom_", "gp" }, { "_", "cp" }
	};
	static const struct { const char *part, *chip; } chips[] = {
		{ ".50.", "g80" }, { ".84.", "g84" }, { ".a0.", "g200" }, { ".a3.", "gt215" }
	};
	/* the listings of a0 know preret, which only gt215 has for envydis and which g200 executes */
	*t = (struct isa_target){ .isa = &ops, .undoc = strstr(name, ".a0.") != NULL };
	for (unsigned i = 0; i < 4; i++)
		if (!t->mode && strstr(name, modes[i].part))
			assert_true(isa_name_find(tesla_table.modes, modes[i].mode, 2, &t->mode));
	for (unsigned i = 0; i < 4; i++)
		if (strstr(name, chips[i].part))
			assert_true(isa_name_find(tesla_table.chips, chips[i].chip, strlen(chips[i].chip),
			                          &t->features));
}

static void read_words(const char *path, struct program *p)
{
	FILE *f = fopen(path, "r");
	unsigned w;
	assert_non_null(f);
	for (p->size = 0; fscanf(f, "%x", &w) == 1; p->size += 4) {
		assert_true(p->size + 4 <= sizeof(p->code));
		for (unsigned i = 0; i < 4; i++)
			p->code[p->size + i] = (uint8_t)(w >> 8 * i);
	}
	fclose(f);
}

/* A line "00000010: 102f8005 0deadbef B mov …": the letters between words and text mark branch targets. */
static unsigned listed_line(const struct program *p, char *line)
{
	unsigned pc;
	int words = 0;
	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%x:%n", &pc, &words) != 1)
		return 0;
	struct insn in;
	char text[ISA_LINE];
	isa_decode_at(&p->target, p->code, p->size, pc, &in);
	isa_print(&p->target, &in, text, sizeof(text));
	struct line l = { .words = line, .text = line + 32 };
	bool invalid = strstr(l.text, "[unknown instruction]") || strstr(l.text, "[unknown operand]");
	if (invalid ? strcmp(text, "???") != 0 : strcmp(text, l.text) != 0)
		assert_true(differs(&l, text));
	return 1;
}

/* Listings of programs beside their words, by the public disassembler. */
static void compiled(const char *pattern)
{
	char path[PATH], line[1024];
	glob_t found;
	unsigned lines = 0;
	assert_int_equal(glob(shared_path(path, sizeof(path), pattern), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct program p;
		program_target(strrchr(found.gl_pathv[i], '/'), &p.target);
		read_words(found.gl_pathv[i], &p);
		char *name = found.gl_pathv[i];
		strcpy(strrchr(name, '.'), ".dis");
		FILE *f = fopen(name, "r");
		assert_non_null(f);
		while (fgets(line, sizeof(line), f))
			lines += listed_line(&p, line);
		fclose(f);
	}
	globfree(&found);
	assert_true(lines > 1000);
}

static void compiled_programs(void **state)
{
	compiled("corpus/tesla/nouveau/own_*.hex");
}

static void programs_of_others(void **state)
{
	skip_without("tesla/mesa");
	compiled("corpus/tesla/mesa/mesa_*.hex");
}

/* Whatever the hardware models execute is an instruction to us, known to the public disassembler or not (lines X). */
static void executed_words(void **state)
{
	static const char *const files[] = { "int", "fp32", "cvt32", "quad", "fp64", "sfu", "atom32", "atom64" };
	for (unsigned i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct isa_target t = { .isa = &ops, .mode = MODE_CP };
		isa_name_find(tesla_table.chips, "g200", 4, &t.features);
		char name[64], path[PATH], buf[1024];
		snprintf(name, sizeof(name), "vectors/tesla/%s.vec.gz", files[i]);
		gzFile f = gzopen(shared_path(path, sizeof(path), name), "r");
		assert_non_null(f);
		unsigned wrong = 0;
		while (gzgets(f, buf, sizeof(buf)) && wrong < SHOWN) {
			unsigned w0, w1;
			char flag = buf[strcspn(buf, "\n") - 1];
			if (*buf == '#' || sscanf(buf, "%*s %x %x", &w0, &w1) != 2)
				continue;
			struct insn in;
			bool known = isa_decode_word(&t, w0 | (w0 & 1 ? (uint64_t)w1 << 32 : 0), &in);
			if (known && in.undoc == (flag == 'X'))
				continue;
			printf("%s: %08x %08x: %s, flag %c\n", files[i], w0, w1,
			       known ? "undoc differs" : "not decoded", flag);
			wrong++;
		}
		gzclose(f);
		assert_int_equal(wrong, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disassembly),
		cmocka_unit_test(rejection),
		cmocka_unit_test(assembly),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(compiled_programs),
		cmocka_unit_test(programs_of_others),
		cmocka_unit_test(executed_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
