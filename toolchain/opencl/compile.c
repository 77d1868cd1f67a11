/* A source's way to an object is a column of calls, steps(): clang is run as a program, in three steps: preprocess
 * (unless the source stands alone), look the result up in the cache, compile. The start of a clang costs as much as the
 * work on a small kernel, so a program runs only where nothing else tells as much. The compiler reads the source from
 * its standard input, behind a #line with the source's name. */
#include "toolchain/opencl/compile.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "host/object_cache.h"
#include "host/output.h"
#include "toolchain/cpp/cpp.h"
#include "toolchain/opencl/compiler.h"
#include "toolchain/opencl/formats.h"
#include "toolchain/opencl/inputs.h"
#include "toolchain/opencl/text.h"

/* ---- the steps ---- */

/* Blank the lines of preprocessed text with the name of nvcc's temporary file, a new name in each run. */
static void blank_temporary(const struct compiler *c, struct child_text *t)
{
	char *end = t->bytes + t->size, *stop;

	for (char *line = t->bytes; line < end; line = stop + (stop < end)) {
		stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop : end;
		if (*line == '#' && memmem(line, (size_t)(stop - line), c->child.folder, strlen(c->child.folder)))
			memset(line, ' ', (size_t)(stop - line));
	}
}

static bool preprocess_source(struct compiler *c)
{
	bool ok;

	ok = run_step(c, preprocess_command, c->named, &c->preprocessed);
	if (c->target->nvcc)
		blank_temporary(c, &c->preprocessed.out);
	c->whole = c->preprocessed.out;
	return ok;
}

/* Preprocess each unit by itself, one behind the other. */
static bool preprocess_units(struct compiler *c)
{
	const struct child_text all = { (char *)(uintptr_t)c->source, c->size };
	struct child_text unit = { NULL, 0 }, whole = { NULL, 0 };
	FILE *f = open_memstream(&whole.bytes, &whole.size);
	bool ok = f;

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

/* Find the built-in functions of ours that the source needs; some of them stand before the source. */
static bool find_builtins(struct compiler *c)
{
	c->builtins = (struct opencl_builtins){ "", "" };
	if (c->target->nvcc)
		return true;
	if (c->target->language != OPENCL_C) {
		c->builtins.library = cpp_device_text(c->arena, c->target->language);
		return c->builtins.library;
	}
	return opencl_builtins(c->arena, c->whole.bytes, c->whole.size, c->flagged, !c->target->object, c->options,
			       &c->builtins) &&
	       (!*c->builtins.prologue || name_source(c, c->builtins.prologue));
}

/* Our own functions go in front of libclc's, as bitcode made by the same compiler: a file of the next run's folder. */
static bool make_builtins(struct compiler *c, struct child_outputs *bitcode)
{
	int status;

	if (!*c->builtins.library)
		return true;
	builtins_command(c);
	if (!recall_builtins(c, &bitcode->out)) {
		status = run_compiler(c, builtins_command, child_input(c->builtins.library), bitcode);
		if (status != 0)
			return ended_early(c, status, bitcode->errors.bytes)
			       ? false : diag_set(c->diag, DIAG_ENV, "%s does not compile the built-in functions: %.*s",
						  c->program, (int)strcspn(bitcode->errors.bytes, "\n"),
						  bitcode->errors.bytes);
		keep_builtins(c, &bitcode->out);
	}
	c->child.input[CHILD_BUILTINS] = (struct child_file){ "builtins.bc", bitcode->out.bytes, bitcode->out.size };
	return true;
}

/* The second step: the object, or a text for the third one. */
static bool compile_source(struct compiler *c, struct child_outputs *o)
{
	struct child_outputs bitcode = { 0 };
	struct child_text units = { NULL, 0 };
	bool ok = make_builtins(c, &bitcode) && make_units(c, &units);

	c->child.result = "object";
	ok = ok && run_step(c, compile_command, c->named, o) && take_warnings(c, o->errors.bytes);
	forget_inputs(c);
	free(units.bytes);
	child_free(&bitcode);
	return ok;
}

/* The third step: PTX of LLVM's text, with comments about the parameters at its end. */
static bool make_text(struct compiler *c, const struct child_text *llvm)
{
	struct child_outputs o = { 0 };
	struct child_text text = { 0 };
	char *params;
	bool ok;

	text.bytes = opencl_for_ptx(c->arena, llvm->bytes, llvm->size, &text.size);
	params = text.bytes ? opencl_params(c->arena, llvm->bytes, llvm->size) : NULL;
	ok = params && run_step(c, text_command, text, &o);
	if (ok) {
		c->object_size = o.result.size + strlen(params);
		c->object = arena_alloc(c->arena, c->object_size + 1, 1);
	}
	if (c->object) {
		memcpy(c->object, o.result.bytes, o.result.size);
		memcpy(c->object + o.result.size, params, strlen(params));
	}
	child_free(&o);
	return c->object;
}

/* The step before the linker's for compilers that make LLVM's text first: the object of the changed text. */
static bool make_object(struct compiler *c, const struct child_text *llvm, struct child_outputs *o)
{
	struct child_text text = { 0 };

	text.bytes = opencl_for_objects(c->arena, llvm->bytes, llvm->size, unoptimised(c), &text.size, &c->arrays);
	return text.bytes && run_step(c, object_command, text, o);
}

/* The last step for code objects: the object as the linker makes it. */
static bool link_object(struct compiler *c, const struct child_text *object)
{
	struct child compiler = c->child;
	struct child_outputs o = { 0 };
	bool ok;

	if (!find_linker(c))
		return false;
	c->child.path = c->linker;
	forget_inputs(c);
	c->child.input[0] = (struct child_file){ OBJECT_FILE, object->bytes, object->size };
	c->child.result = compiler.result;
	ok = run_step(c, link_command, child_input(""), &o) && take_object(c, o.result.bytes, o.result.size);
	c->child = compiler;
	child_free(&o);
	return ok;
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
	struct child_outputs o = { 0 };
	bool ok = compile_source(c, &o) && finish(c, &o.result);

	child_free(&o);
	return ok;
}

static bool spell_formats(struct compiler *c)
{
	return c->target->language != OPENCL_C || !c->target->object ||
	       opencl_formats(c->arena, &c->source, &c->size);
}

/* Find our headers of the language, where the compiler has none. */
static bool find_headers(struct compiler *c)
{
	bool wanted = c->target->language != OPENCL_C && !c->target->nvcc;

	c->headers = wanted ? cpp_headers(c->arena, c->diag) : NULL;
	return c->headers || !wanted;
}

static bool steps(struct compiler *c)
{
	return flags_check(c) &&
	       find_library(c) &&
	       find_headers(c) &&
	       ((find_likely(c) && recall_source(c)) ||
		(spell_formats(c) &&
		 find_tools(c) &&
		 name_source(c, "") &&
		 preprocess(c) &&
		 find_builtins(c) &&
		 (recall_object(c) || compile(c))));
}

static bool make(struct compiler *c)
{
	bool ok;

	c->cache = object_cache_open();
	ok = steps(c);
	if (ok)
		keep_object(c);
	if (c->cache >= 0)
		close(c->cache);
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
static bool write_object(const struct compiler *c)
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

/* Make the object, or find it among the files of a caller who gives them all. */
static bool make_noted(struct compiler *c)
{
	const struct build_options *o = c->options;
	char *name = object_name(c);

	if (!name || o->files_given)
		return name && o->read(o->context, name, &c->object, &c->object_size, c->diag);
	return make(c) && o->note(o->context, name, c->object, c->object_size) && (!o->keep || write_object(c));
}

bool opencl_compile(struct build *b, enum source_language l, struct opencl_object *out)
{
	struct compiler *c = ARENA_NEW(b->arena, struct compiler);
	bool ok;

	if (!c)
		return false;
	*c = (struct compiler){
		.build = b, .options = b->options, .arena = b->arena, .diag = b->diag, .name = b->name,
		.source = b->bytes, .size = b->size, .child.ruleset = -1, .cache = -1,
	};
	ok = find_target(c, l) && make_noted(c);
	*out = (struct opencl_object){ c->object, c->object_size, c->warning, c->nwarnings };
	return ok;
}
