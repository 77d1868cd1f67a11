/* The verb compile: PTX, or OpenCL C, to a file that can be run. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/compile_explain.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/verbs.h"

const struct opt compile_options[] = {
	{"output", 'o', OPT_OUTPUT, "FILE.cubin|FILE.s", NULL, "Output",
	 "an ELF cubin, or assembly that asm reads back to the same words; assembly on standard output otherwise",
	 false},
	{"explain", 0, OPT_SWITCH, NULL, NULL, "Output",
	 "what became of each line: C, PTX and instructions in the order of the source; registers, memory, joinats",
	 false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static bool ends_in(const char *path, const char *ending)
{
	size_t n = strlen(path), e = strlen(ending);

	return n > e && !strcmp(path + n - e, ending);
}

enum wb_status verb_compile(struct cli *c)
{
	const char *path = cli_operand(c, "FILE"), *output = cli_value(c, "output");
	bool explains = cli_on(c, "explain");
	struct wb_program *p = NULL;
	struct wb_text t = {NULL, 0};
	struct wb_diag d;

	if (!path)
		return WB_USAGE;
	if (output && explains)
		return complain(WB_USAGE, "--explain writes no file: found -o %s", output);
	if (output && !ends_in(output, ".cubin") && !ends_in(output, ".s"))
		return complain(WB_USAGE, "-o %s: expected a name that ends in .cubin or .s", output);
	enum wb_status status = named_program_open(path, c->config, &p, &d);
	complain_warnings(c, p);
	if (status == WB_OK)
		status = wb_program_cubin(p, c->config, &t, &d);
	if (status == WB_OK && !(output && ends_in(output, ".cubin"))) {
		wb_text_free(&t);
		status = wb_disassemble(p, c->config, WB_LIST_SOURCE, &t, &d);
	}
	wb_program_free(p);
	if (status != WB_OK)
		return complain_diag(&d);
	bool ok = explains ? explain_listing(t.data) : write_all(output, t.data, t.size);
	wb_text_free(&t);
	return ok ? WB_OK : WB_ENV;
}
