/* The verbs between words and text: dis, asm, isa. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frontends/cli/programs.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"

const struct opt dis_options[] = {
	{"hex", 0, OPT_SWITCH, NULL, NULL, "Input",
	 "the input is hex words as text, little-endian 32-bit values of 8 digits", false},
	{"lines", 0, OPT_SWITCH, NULL, NULL, "Input",
	 "with --bare: each line holds the words of one instruction and gives one line; exit 4 if any is invalid",
	 false},
	{"bare", 0, OPT_SWITCH, NULL, NULL, "Listing", "one instruction a line, no addresses, no words", false},
	{"undoc", 0, OPT_SWITCH, NULL, NULL, "Listing", "print instructions that the public disassembler lacks",
	 false},
	{"source", 0, OPT_SWITCH, NULL, NULL, "Listing",
	 "a text that asm makes the same program of: labels, 'long' where it is needed, directives", false},
	{"cfg", 0, OPT_VALUE, "dot", NULL, "Listing",
	 "the control-flow graph of each kernel for Graphviz: blocks, branches and calls, join targets dashed", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

const struct opt asm_options[] = {
	{"lines", 0, OPT_SWITCH, NULL, NULL, "Input", "the same as --bare", false},
	{"bare", 0, OPT_SWITCH, NULL, NULL, "Input",
	 "one instruction a line in, its hex words out; '??? column N: message' for one in error, exit 4 then", false},
	{"output", 'o', OPT_OUTPUT, "FILE", NULL, "Output", "where to write; standard output otherwise", false},
	{"format", 0, OPT_VALUE, "raw|hex|cubin|shbin", NULL, "Output",
	 "by the file's ending, else hex on standard output and raw in a file", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

const struct opt isa_options[] = {
	{"md", 0, OPT_SWITCH, NULL, NULL, "Output", "as Markdown", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { MAX_WORDS = 4, TEXT = 1024 };

/* Work of a line-by-line verb on a line that is not blank: prints a line of output. False: the line has an error. */
typedef bool line_fn(const struct cli *c, const char *line, unsigned flags);

static enum wb_status each_line(const struct cli *c, const char *path, line_fn *fn, unsigned flags)
{
	char *text;
	size_t n;
	bool ok = true;
	if (!read_source(path, &text, &n))
		return WB_ENV;
	for (char *line = text, *end; line < text + n; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + n - line));
		if (!end)
			end = text + n;
		*end = '\0';
		line[strcspn(line, "\r")] = '\0';
		if (line[strspn(line, " \t")])
			ok &= fn(c, line, flags);
		else
			putchar('\n');
	}
	free(text);
	return ok ? WB_OK : WB_INPUT;
}

static bool dis_line(const struct cli *c, const char *line, unsigned flags)
{
	uint32_t words[MAX_WORDS];
	unsigned n = 0;
	char text[TEXT];
	char *end;
	for (const char *p = line + strspn(line, " \t"); *p; p = end + strspn(end, " \t,")) {
		unsigned long word = strtoul(p, &end, 16);
		if (end == p || (*end && !strchr(" \t,", *end)) || word > UINT32_MAX || n == MAX_WORDS) {
			printf("??? expected at most %d words of 8 hex digits, found '%s'\n", MAX_WORDS, p);
			return false;
		}
		words[n++] = (uint32_t)word;
	}
	bool ok = wb_dis_words(c->config, words, n, flags, text, sizeof text) == WB_OK;
	puts(text);
	return ok;
}

static bool asm_line(const struct cli *c, const char *line, unsigned flags)
{
	uint32_t words[MAX_WORDS];
	unsigned n;
	struct wb_diag d;
	(void)flags;
	if (wb_asm_line(c->config, line, words, &n, &d) != WB_OK) {
		printf("??? column %d: %s\n", d.column, d.text);
		return false;
	}
	for (unsigned i = 0; i < n; i++)
		printf("%s%08x", i ? " " : "", words[i]);
	putchar('\n');
	return true;
}

/* listing: for people, possibly with names from a file. */
static enum wb_status text_out(struct wb_text *t, enum wb_status status, const struct wb_diag *d, const char *path,
			       bool listing)
{
	if (status != WB_OK)
		return complain_diag(d);
	bool ok = path || !listing ? write_all(path, t->data, t->size) :
				     show_lines(stdout, t->data, t->size) && fflush(stdout) == 0;
	wb_text_free(t);
	return ok ? WB_OK : WB_ENV;
}

static json_t *instruction_json(const struct wb_instruction *in)
{
	char pc[16], word[16];
	json_t *words = json_array();
	snprintf(pc, sizeof pc, "0x%x", in->pc);
	for (unsigned i = 0; i < in->nwords; i++) {
		snprintf(word, sizeof word, "%08x", in->words[i]);
		json_array_append_new(words, json_string(word));
	}
	json_t *o = json_pack("{s:s, s:o, s:s}", "pc", pc, "words", words, "text", in->text);
	if (in->label)
		json_object_set_new(o, "label", json_string(in->label));
	if (in->line)
		json_object_set_new(o, "line", json_integer(in->line));
	return o;
}

static enum wb_status dis_json(const struct cli *c, const struct wb_program *p, unsigned flags, struct wb_diag *d)
{
	json_t *kernels = json_array();
	for (unsigned i = 0; i < wb_program_kernels(p); i++) {
		struct wb_listing l;
		enum wb_status status = wb_program_listing(p, i, c->config, flags, &l, d);
		if (status != WB_OK) {
			json_decref(kernels);
			return complain_diag(d);
		}
		json_t *code = json_array();
		for (unsigned k = 0; k < l.n; k++)
			json_array_append_new(code, instruction_json(&l.instructions[k]));
		json_array_append_new(kernels,
				      json_pack("{s:s, s:o}", "name", wb_program_kernel(p, i)->name, "code", code));
		wb_listing_free(&l);
	}
	return json_out(json_pack("{s:s, s:o}", "schema", "warpbeam.dis/1", "kernels", kernels), NULL);
}

enum wb_status verb_dis(struct cli *c)
{
	const char *path = cli_operand(c, "FILE"), *cfg = cli_value(c, "cfg");
	unsigned flags = (cli_on(c, "bare") ? WB_LIST_BARE : 0) | (cli_on(c, "undoc") ? WB_LIST_UNDOC : 0) |
			 (cli_on(c, "source") ? WB_LIST_SOURCE : 0) | (cfg ? WB_LIST_CFG : 0);
	struct wb_program *p = NULL;
	struct wb_text t = {NULL, 0};
	struct wb_diag d;
	if (!path)
		return WB_USAGE;
	if (cfg && strcmp(cfg, "dot"))
		return complain(WB_USAGE, "option '--cfg' is dot; found '%s'", cfg);
	if (cli_on(c, "lines"))
		return each_line(c, path, dis_line, flags | WB_LIST_BARE);
	enum wb_status status = cli_on(c, "hex") ? wb_config_set(c->config, "format", "hex", &d) : WB_OK;
	if (status == WB_OK)
		status = named_program_open(path, c->config, &p, &d);
	if (status == WB_OK && c->json) {
		status = dis_json(c, p, flags, &d);
	} else {
		if (status == WB_OK)
			status = wb_disassemble(p, c->config, flags, &t, &d);
		status = text_out(&t, status, &d, NULL, true);
	}
	wb_program_free(p);
	return status;
}

/* The format to write: the given format, else by the file's ending, else a listing on standard output and words in a
 * file. */
static const char *output_format(const char *format, const char *path)
{
	static const char *const endings[] = {"hex", "cubin", "shbin"};
	const char *dot = path ? strrchr(path, '.') : NULL;
	if (format)
		return format;
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot + 1, endings[i]))
			return endings[i];
	return path ? "raw" : "hex";
}

/* Words have neither the parameters nor the chip of a kernel, which a later run of the file would want. */
static void complain_lost(const struct cli *c, const struct wb_program *p, const char *name, const char *format,
			  const char *output)
{
	const struct wb_kernel *k = wb_program_kernel(p, 0);
	bool words = !strcmp(format, "hex") || !strcmp(format, "raw");

	if (output && words && k && k->nparams && k->chip && !c->quiet)
		complain(WB_OK, "%s has the words of %s alone, without parameters and chip (%s): `warpbeam run` takes "
			 "%s itself, and the text of `warpbeam dis --source %s`", shown(output), k->name, k->chip,
			 shown(name), shown(name));
}

/* Findings in a text that assembles: warnings, and --hw-strict. */
static enum wb_status check_text(const struct cli *c, const char *text, size_t n, const char *name, const char *format)
{
	struct wb_program *p;
	struct wb_diag d;
	if (wb_config_set(c->config, "format", "asm", &d) != WB_OK ||
	    wb_program_load(text, n, name, c->config, &p, &d) != WB_OK)
		return complain_diag(&d);
	complain_warnings(c, p);
	complain_lost(c, p, name, format, cli_value(c, "output"));
	enum wb_status status = hw_strict(c, name, p);
	wb_program_free(p);
	return status;
}

static bool same_file(const char *a, const char *b)
{
	struct stat s, t;
	return !stat(a, &s) && !stat(b, &t) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

/* Further sources behind the first, each behind a line `.file "NAME"`. */
static bool read_more(const struct cli *c, char **text, size_t *n)
{
	for (size_t i = 1; i < c->noperands; i++) {
		const char *path = c->operands[i];
		char *more;
		size_t size;
		if (!read_source(path, &more, &size))
			return false;
		*text = grow(*text, *n + strlen(path) + size + 16);
		*n += (size_t)sprintf(*text + *n, "\n.file \"%s\"\n", path);
		memcpy(*text + *n, more, size + 1);
		*n += size;
		free(more);
	}
	return true;
}

/* Is a file in a language that is compiled? By its name, as people who take asm for a compiler have named it. */
static bool is_compiled(const char *path)
{
	static const char *const endings[] = { ".ptx", ".cl", ".cu", ".hip" };
	const char *ending = strrchr(path, '.');

	for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(ending, endings[i]))
			return true;
	return false;
}

enum wb_status verb_asm(struct cli *c)
{
	const char *output = cli_value(c, "output");
	const char *path = c->noperands > 1 ? c->operands[0] : cli_operand(c, "FILE");
	char *text;
	size_t n;
	struct wb_text t = {NULL, 0};
	struct wb_diag d;
	if (!path)
		return WB_USAGE;
	if (cli_on(c, "bare") || cli_on(c, "lines"))
		return each_line(c, path, asm_line, 0);
	if (output && strcmp(path, "-") && same_file(path, output))
		return complain(WB_USAGE, "-o %s: this is the source; expected another name", output);
	if (is_compiled(path))
		return complain(WB_USAGE, "%s: asm takes assembly; `warpbeam run %s` takes the file itself, and "
				"`warpbeam compile %s -o NAME.s` writes its assembly", shown(path), shown(path),
				shown(path));
	if (!read_source(path, &text, &n))
		return WB_ENV;
	if (!read_more(c, &text, &n)) {
		free(text);
		return WB_ENV;
	}
	const char *name = source_name(path);
	const char *format = output_format(cli_value(c, "format"), output);
	enum wb_status status = wb_assemble(c->config, text, n, name, format, &t, &d);
	enum wb_status checked = status == WB_OK ? check_text(c, text, n, name, format) : WB_OK;
	if (checked == WB_OK || checked == WB_FAILED) /* findings concern the written text */
		status = text_out(&t, status, &d, output, false);
	else
		wb_text_free(&t);
	free(text);
	return status == WB_OK ? checked : status;
}

enum wb_status verb_isa(struct cli *c)
{
	struct wb_text t = {NULL, 0};
	struct wb_diag d;
	if (c->noperands == 2 && !c->json && !cli_on(c, "md"))
		return isa_one(c->operands[0], c->operands[1]);
	const char *name = cli_operand(c, "NAME");
	if (!name)
		return WB_USAGE;
	return text_out(&t,
			wb_isa_reference(name,
					 c->json         ? "json" :
					 cli_on(c, "md") ? "md" :
							   "text",
					 &t, &d),
			&d, NULL, false);
}
