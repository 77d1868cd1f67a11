/* A source's way to an object is a column of calls, make(): clang is run as a program, in three steps: preprocess
 * (unless the source stands alone), look the result up in the cache, compile. The start of a clang costs as much as the
 * work on a small kernel, so a program runs only where nothing else tells as much. The compiler reads the source from
 * its standard input, behind a #line with the source's name. */
#include "toolchain/opencl/compile.h"

#include <limits.h>
#include <stdio.h>

#include "host/output.h"
#include "toolchain/cpp/cpp.h"
#include "toolchain/opencl/compiler.h"
#include "toolchain/opencl/formats.h"
#include "toolchain/opencl/inputs.h"
#include "toolchain/opencl/text.h"

/* ---- the steps ---- */

static bool preprocess_source(struct compiler *c)
{
	int status;

	preprocess_command(c);
	name_folder(c);
	status = run_compiler(c, c->argument, c->named.bytes, c->named.size, &c->preprocessed);
	if (c->target->nvcc)
		blank_temporary(c, &c->preprocessed.out);
	c->whole = c->preprocessed.out;
	return status == 0 || compiler_error(c, status, c->preprocessed.errors.bytes);
}

/* Preprocess each unit by itself, one behind the other. */
static bool preprocess_units(struct compiler *c)
{
	const struct child_text all = { (char *)(uintptr_t)c->source, c->size };
	struct child_text unit = { NULL, 0 }, whole = { NULL, 0 };
	FILE *f = open_memstream(&whole.bytes, &whole.size);
	bool ok = f || build_no_memory(c->build);

	while (ok && next_unit(c, &all, &unit)) {
		ok = name_source(c, "") && preprocess_source(c);
		if (ok)
			fprintf(f, "%s\n" UNIT_LINE "\n", c->preprocessed.out.bytes);
		child_free(&c->preprocessed);
		c->preprocessed = (struct child_outputs){ 0 };
	}
	c->source = all.bytes;
	c->size = all.size;
	if (f)
		fclose(f);
	c->whole = c->preprocessed.out = whole;
	return ok;
}

/* Find the text that the object depends on: the source with its -D where it stands alone, else the preprocessed one. */
static bool preprocess(struct compiler *c)
{
	if (c->target->language == OPENCL_C)
		c->whole = opencl_alone(c->arena, &c->named, c->options->defines);
	return c->whole.bytes || (has_units(c) ? preprocess_units(c) : preprocess_source(c));
}

/* Text before the source for built-in functions of ours. */
static bool put_prologue(struct compiler *c)
{
	return !*c->builtins.prologue || name_source(c, c->builtins.prologue);
}

/* The third step: PTX of LLVM's text, with comments about the parameters at its end. */
static bool make_text(struct compiler *c, const struct child_text *llvm)
{
	struct child_outputs o = { 0 };
	size_t n = 0;
	char *text = opencl_for_ptx(c->arena, llvm->bytes, llvm->size, &n);
	char *params = text ? opencl_params(c->arena, llvm->bytes, llvm->size) : NULL;
	int status;
	bool ok;

	if (!params)
		return build_no_memory(c->build);
	name_folder(c);
	text_command(c);
	status = run_compiler(c, c->argument, text, n, &o);
	ok = status == 0 || compiler_error(c, status, o.errors.bytes);
	c->object_size = o.result.size + strlen(params);
	c->object = ok ? arena_alloc(c->arena, c->object_size + 1, 1) : NULL;
	if (c->object) {
		memcpy(c->object, o.result.bytes, o.result.size);
		memcpy(c->object + o.result.size, params, strlen(params));
	}
	child_free(&o);
	return c->object || (ok && build_no_memory(c->build));
}

/* The step before the linker's for compilers that make LLVM's text first: the object of the changed text. */
static bool make_object(struct compiler *c, const struct child_text *llvm, struct child_outputs *o)
{
	size_t n = 0;
	bool arrays;
	char *text = opencl_for_objects(c->arena, llvm->bytes, llvm->size, unoptimised(c), &n, &arrays);
	int status;

	if (!text)
		return build_no_memory(c->build);
	name_folder(c);
	object_command(c, arrays);
	status = run_compiler(c, c->argument, text, n, o);
	return status == 0 || compiler_error(c, status, o->errors.bytes);
}

/* The last step for code objects: the object as the linker makes it. */
static bool link_object(struct compiler *c, const struct child_text *object)
{
	struct child compiler = c->child;
	struct child_outputs o = { 0 };
	int status;
	bool ok;

	if (!find_linker_of(c))
		return diag_set(c->diag, DIAG_ENV, "%s: the linker ld.lld is not here (apt install lld-%d)", c->program,
				major_version(c));
	c->child.path = c->linker;
	forget_inputs(c);
	c->child.input[0] = (struct child_file){ OBJECT_FILE, object->bytes, object->size };
	c->child.result = compiler.result;
	name_folder(c);
	link_command(c);
	status = run_compiler(c, c->argument, "", 0, &o);
	c->child = compiler;
	ok = status == 0 ? take_object(c, o.result.bytes, o.result.size) : compiler_error(c, status, o.errors.bytes);
	child_free(&o);
	return ok;
}

static bool compile_source(struct compiler *c, struct child_outputs *o)
{
	int status;

	c->child.result = "object";
	name_folder(c);
	compile_files(c);
	status = run_compiler(c, c->argument, c->named.bytes, c->named.size, o);
	return status == 0 ? take_warnings(c, o->errors.bytes) : compiler_error(c, status, o->errors.bytes);
}

static bool finish_object(struct compiler *c, const struct child_text *result)
{
	struct child_outputs o = { 0 };
	bool text = makes_text_first(c);
	bool ok = (!text || make_object(c, result, &o)) && link_object(c, text ? &o.result : result);

	child_free(&o);
	return ok;
}

/* The steps behind the second one, by the target. */
static bool finish(struct compiler *c, const struct child_text *result)
{
	if (c->target->object)
		return finish_object(c, result);
	return *c->target->third_words ? make_text(c, result) : take_object(c, result->bytes, result->size);
}

static bool compile(struct compiler *c)
{
	struct child_outputs o = { 0 }, bitcode = { 0 };
	struct child_text units = { NULL, 0 };
	bool ok = make_builtins(c, &bitcode) && make_units(c, &units) && compile_source(c, &o);

	forget_inputs(c);
	free(units.bytes);
	child_free(&bitcode);
	ok = ok && finish(c, &o.result);
	child_free(&o);
	return ok;
}

static bool spell_formats(struct compiler *c)
{
	return c->target->language != OPENCL_C || !c->target->object ||
	       opencl_formats(c->arena, &c->source, &c->size) || build_no_memory(c->build);
}

/* Find our headers of the language, where the compiler has none. */
static bool find_headers(struct compiler *c)
{
	bool wanted = c->target->language != OPENCL_C && !c->target->nvcc;

	c->headers = wanted ? cpp_headers(c->arena, c->diag) : NULL;
	return c->headers || !wanted;
}

static bool make(struct compiler *c)
{
	if (!flags_check(c) || !find_library(c) || !find_headers(c))
		return false;
	if (recall_source(c))
		return true;
	bool ok = spell_formats(c) &&
		  find_tools(c) &&
		  name_source(c, "") &&
		  preprocess(c) &&
		  find_builtins(c) &&
		  put_prologue(c) &&
		  (recall_object(c) || compile(c));
	if (ok)
		keep_in_cache(c);
	end_cache(c);
	end_tools(c);
	free(c->named.bytes);
	child_free(&c->preprocessed);
	return ok;
}

/* ---- the object as a file ---- */

/* The name of the object beside the source; NULL: the host has no memory. */
static char *object_name(const struct compiler *c)
{
	char *name = arena_alloc(c->arena, strlen(c->name) + 8, 1);

	if (name)
		sprintf(name, "%s%s", c->name, c->target->ending);
	return name;
}

/* Beside where the command was given, not beside the source. */
static bool keep_object(const struct compiler *c)
{
	const char *slash = strrchr(c->name, '/');
	char path[PATH_MAX];
	struct diag wrong = { 0 };

	if (snprintf(path, sizeof path, "%s.%s%s", slash ? slash + 1 : c->name, c->chip,
		     c->target->ending) >= PATH_MAX)
		return diag_set(c->diag, DIAG_ENV, "--keep: the name is too long");
	if (output_all(path, c->object, c->object_size, &wrong))
		return true;
	diag_set(c->diag, DIAG_ENV, "--keep: %s", wrong.text);
	return diag_in_file(c->diag, path);
}

/* The chips of each language, for a chip of none. */
static const char *const chips[] = {
	[OPENCL_C] = ("OpenCL C is compiled for tahiti, bonaire, tonga or gfx900, and for g80, g84, mcp77, gt215 or "
		      "g200"),
	[CUDA_CPP] = "CUDA C++ is compiled for g80, g84, mcp77, gt215, g200 or v100",
	[HIP_CPP] = "HIP C++ is compiled for bonaire, tonga or gfx900 (tahiti has no generic addresses)",
};

static struct compiler *begin(struct build *b, enum source_language l)
{
	static const char mark[] = "\xef\xbb\xbf";       /* of UTF-8; behind our #line no mark any more */
	size_t skip = b->size >= sizeof mark - 1 && !memcmp(b->bytes, mark, sizeof mark - 1) ? sizeof mark - 1 : 0;
	struct compiler *c = ARENA_NEW(b->arena, struct compiler);

	if (!c) {
		build_no_memory(b);
		return NULL;
	}
	*c = (struct compiler){
		.build = b, .options = b->options, .arena = b->arena, .diag = b->diag, .name = b->name,
		.source = b->bytes + skip, .size = b->size - skip, .child.ruleset = -1, .cache = -1,
		.target = target_of_chip(b->options->chip, l, b->options->nvcc),
	};
	c->chip = b->options->chip ? b->options->chip : c->target->chip;
	if (c->target && !(l == HIP_CPP && !strcmp(c->chip, "tahiti")))
		return c;
	diag_set(b->diag, DIAG_USAGE, "%s; found --chip %s", chips[l], c->chip);
	return NULL;
}

bool opencl_compile(struct build *b, enum source_language l, struct opencl_object *out)
{
	const struct build_options *o = b->options;
	struct compiler *c = begin(b, l);
	char *name = c ? object_name(c) : NULL;
	bool ok;

	if (!name)
		return c && build_no_memory(b);
	if (o->files_given)
		ok = o->read(o->context, name, &c->object, &c->object_size, b->diag);
	else
		ok = make(c) && (o->note(o->context, name, c->object, c->object_size) || build_no_memory(b)) &&
		     (!o->keep || keep_object(c));
	*out = (struct opencl_object){ c->object, c->object_size, c->warning, c->nwarnings };
	return ok;
}
