/* info: the kernels, parameters, constants and sizes of a file, as text or JSON, without running it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/demangle.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"
#include "frontends/trace/json_text.h"
#include "frontends/trace/trace.h"

static void print_names(const struct wb_kernel *k)
{
	for (uint32_t i = 0; i < k->nnames; i++) {
		const struct wb_name *n = &k->names[i];
		printf("    %-8s ", n->kind);
		printf(*n->name || *n->value ? "%-12s " : "%s", shown(n->registers));
		printf("%s%s%s\n", shown(n->name), *n->name && *n->value ? " " : "", shown(n->value));
	}
}

/* The type of a parameter from the file, else from the kernel's name; "" without either. The caller frees the
 * result. */
static char *type_of(const struct wb_kernel *k, const char *signature, uint32_t index)
{
	const char *said = k->params[index].type, *type = NULL;
	size_t n = 0;
	if (said && *said)
		return strdup(said);
	if (signature)
		type = parameter_type(signature, k->nparams, index, &n);
	return strndup(type ? type : "", n);
}

static void print_params(const struct wb_kernel *k, const char *signature)
{
	for (uint32_t i = 0; i < k->nparams; i++) {
		char *type = type_of(k, signature, i);
		printf("    %4" PRIu32 ": %-6s %s (%" PRIu32 " bytes)\n", k->params[i].offset, type ? shown(type) : "",
		       k->params[i].name ? shown(k->params[i].name) : "", k->params[i].size);
		free(type);
	}
}

/* Launch directives of an assembly file, the defaults of a run. */
static void print_launch(const struct wb_kernel *k)
{
	bool sizes = k->grid || k->block, has_args = k->args && *k->args;
	if (sizes || k->mps || has_args)
		printf("    launch:");
	if (sizes)
		printf(" grid %s, block %s", k->grid ? k->grid : "1", k->block ? k->block : "1");
	if (k->mps)
		printf("%s %" PRIu32 " MP%s", sizes ? "," : "", k->mps, k->mps == 1 ? "" : "s");
	for (const char *const *a = k->args; a && *a; a++)
		printf(" -a %s", shown(*a));
	if (sizes || k->mps || has_args)
		putchar('\n');
	for (const char *const *line = k->scene; line && *line; line++)
		printf("    %-6s %s\n", line == k->scene ? "scene:" : "", shown(*line));
}

static void print_kernel(const struct cli *c, const struct wb_kernel *k)
{
	char *signature = demangle(k->name);
	printf("  %s%s%s (%s, %s): %" PRIu32 " bytes of code, %" PRIu32 " registers, shared %" PRIu32 ", local %" PRIu32
	       ", parameters %" PRIu32 ", barriers %" PRIu32 "\n",
	       tint(c, TINT_BOLD), shown(k->name), tint(c, TINT_NONE), shown(k->chip), shown(k->mode), k->code_bytes,
	       k->registers, k->shared_bytes, k->local_bytes, k->param_bytes, k->barriers);
	if (signature)
		printf("    %s\n", shown(signature));
	print_params(k, signature);
	free(signature);
	print_names(k);
	print_launch(k);
}

static json_t *params_json(const struct wb_kernel *k, const char *signature)
{
	json_t *a = json_array();
	for (uint32_t i = 0; i < k->nparams; i++) {
		char *type = type_of(k, signature, i);
		json_array_append_new(a, json_pack("{s:s?, s:s?, s:i, s:i}", "name", k->params[i].name, "type", type,
						   "offset", (int)k->params[i].offset, "size",
						   (int)k->params[i].size));
		free(type);
	}
	return a;
}

static json_t *names_json(const struct wb_kernel *k)
{
	json_t *a = json_array();
	for (uint32_t i = 0; i < k->nnames; i++)
		json_array_append_new(a, json_pack("{s:s, s:s, s:s, s:s}", "kind", k->names[i].kind, "name",
						   k->names[i].name, "registers", k->names[i].registers, "value",
						   k->names[i].value));
	return a;
}

/* The lines of a file's scene as one text for --scene; null: no scene. */
static json_t *scene_json(const struct wb_kernel *k)
{
	char *text;
	size_t size;
	FILE *f = k->scene ? open_memstream(&text, &size) : NULL;
	if (!k->scene)
		return json_null();
	if (!f)
		no_memory();
	for (const char *const *line = k->scene; *line; line++)
		fprintf(f, "%s\n", *line);
	text_close(f, &text);
	json_t *o = json_stringn(text, size); /* clean already, lines and tabs stay */
	free(text);
	return o;
}

static json_t *kernel_json(const struct wb_kernel *k)
{
	json_t *args = json_array();
	for (const char *const *a = k->args; a && *a; a++)
		json_array_append_new(args, json_text(*a));
	char *signature = demangle(k->name);
	json_t *mps = k->mps ? json_integer(k->mps) : json_null();
	json_t *o = json_pack("{s:s?, s:s?, s:s?, s:s?, s:s?, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:s?, s:s?, s:o, s:o, "
			      "s:o, s:o, s:s?}",
			      "name", k->name, "demangled", signature, "machine", k->machine, "chip", k->chip, "mode",
			      k->mode, "code_bytes", (int)k->code_bytes, "registers", (int)k->registers, "shared_bytes",
			      (int)k->shared_bytes, "local_bytes", (int)k->local_bytes, "param_bytes",
			      (int)k->param_bytes, "barriers", (int)k->barriers, "params", params_json(k, signature),
			      "grid", k->grid, "block", k->block, "args", args, "names", names_json(k),
			      "mps", mps, "scene", scene_json(k), "compiler", k->compiler);
	free(signature);
	return o;
}

static json_t *program_json(const char *path, const struct wb_program *p)
{
	json_t *kernels = json_array();
	for (unsigned i = 0; i < wb_program_kernels(p); i++)
		json_array_append_new(kernels, kernel_json(wb_program_kernel(p, i)));
	return json_pack("{s:s, s:o, s:s, s:o}", "schema", "warpbeam.info/1", "file", json_text(path), "format",
			 wb_program_format(p), "kernels", kernels);
}

/* A saved run, in place of kernels. */
static enum wb_status info_saved(const struct cli *c, const char *path, const struct trace *t)
{
	const struct saved_run *s = &t->saved;
	if (c->json)
		return json_out(json_pack("{s:s, s:o, s:s, s:o, s:s, s:o, s:I, s:I, s:I}", "schema", "warpbeam.info/1",
					  "file", json_text(path), "format", "saved run", "program",
					  json_text(t->files[0].name), "kernel", t->kernel, "version",
					  json_text(t->writer ? t->writer : ""), "instructions",
					  (json_int_t)s->instructions, "blocks", (json_int_t)s->blocks, "all_blocks",
					  (json_int_t)s->all_blocks), NULL);
	printf("%s: saved run of %s, kernel %s, by version %s\n", shown(path), shown(t->files[0].name),
	       shown(t->kernel), t->writer ? shown(t->writer) : "?");
	printf("  %" PRIu64 " instructions issued, %" PRIu64 " of %" PRIu64 " block%s ended\n", s->instructions,
	       s->blocks, s->all_blocks, s->all_blocks == 1 ? "" : "s");
	printf("  go on with: warpbeam run %s\n", shown(path));
	return WB_OK;
}

static enum wb_status info_run(const struct cli *c, const char *path)
{
	struct trace t;
	struct wb_diag d;
	enum wb_status status = trace_open_any(path, &t, &d);
	status = status == WB_OK ? info_saved(c, path, &t) : complain_diag(&d);
	trace_close(&t);
	return status;
}

static enum wb_status info(const struct cli *c, const char *path)
{
	if (saved_sniff(path))
		return info_run(c, path);
	struct wb_program *p;
	struct wb_diag d;
	if (named_program_open(path, c->config, &p, &d) != WB_OK)
		return complain_diag(&d);
	enum wb_status status = WB_OK;
	if (c->json) {
		status = json_out(program_json(path, p), NULL);
	} else {
		unsigned n = wb_program_kernels(p);
		printf("%s: %s, %u kernel%s\n", shown(path), wb_program_format(p), n, n == 1 ? "" : "s");
		const struct wb_kernel *k = wb_program_kernel(p, 0);
		if (k && k->compiler)
			printf("  compiled by %s\n", shown(k->compiler));
		for (unsigned i = 0; i < n; i++)
			print_kernel(c, wb_program_kernel(p, i));
	}
	if (status == WB_OK)
		status = hw_strict(c, path, p);
	wb_program_free(p);
	return status;
}

enum wb_status verb_info(struct cli *c)
{
	enum wb_status worst =
		c->noperands ? WB_OK : complain(WB_USAGE, "info needs a FILE; see 'warpbeam info --help'");
	for (size_t i = 0; i < c->noperands; i++) {
		enum wb_status status = info(c, c->operands[i]);
		if (status != WB_OK)
			worst = status;
	}
	return worst;
}
