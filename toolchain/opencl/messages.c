/* What the compiler says becomes a diagnostic with the source's line, or warnings; and where it says nothing of the
 * source, its end is explained: a limit, a signal, a missing linker, an undefined function. */
#include "toolchain/opencl/compiler.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>

#include "toolchain/opencl/guard.h"

static bool out_of_memory(const char *errors)
{
	/* Of LLVM, the C++ library, the kernel and the loader. */
	static const char *const said[] = { "LLVM ERROR: out of memory", "std::bad_alloc", "Cannot allocate memory",
					    "failed to map segment", NULL };

	for (const char *const *p = said; *p; p++)
		if (strstr(errors, *p))
			return true;
	return false;
}

bool ended_early(struct compiler *c, int status, const char *errors)
{
	struct diag *d = c->diag;

	if (status == CHILD_OUT_OF_TIME)
		diag_set(d, DIAG_LIMIT, "the compiler ran out of its %lld seconds; --max-seconds of run and of all "
			 "verbs that run raises the limit, and -O 1 takes less time", (long long)c->seconds);
	else if (status == CHILD_TOO_LONG || status == CHILD_SIGNALLED + SIGXFSZ)
		diag_set(d, DIAG_LIMIT, "the compiler makes more than %d MiB of this source", CHILD_BYTES_MAX >> 20);
	else if (status == CHILD_UNGUARDED)
		diag_set(d, DIAG_ENV, "the kernel refuses a bound on the compiler's files; --files any goes without");
	else if (status == CHILD_NOT_STARTED)
		diag_set(d, DIAG_ENV, "%s cannot be run", c->program);
	else if (out_of_memory(errors))
		diag_set(d, DIAG_LIMIT, "the compiler ran out of its %llu MiB of memory; --max-memory raises the limit",
			 (unsigned long long)(c->child.memory >> 20));
	else if (status > CHILD_SIGNALLED && sigdescr_np(status - CHILD_SIGNALLED))
		/* no signal: clang exits with 254 by itself where a part of clang was ended, and says so */
		diag_set(d, DIAG_INPUT, "the compiler was ended by signal %d (%s)", status - CHILD_SIGNALLED,
			 sigdescr_np(status - CHILD_SIGNALLED));
	else
		return false;
	return true;
}

/* Split "NAME(LINE): KIND: TEXT" or "NAME(LINE): KIND #NUMBER-D: TEXT", a message of nvcc, in a line that ends at
 * `end`; kind ends in ": ". */
static bool message_of_nvcc(const char *line, const char *end, const char *kind, int *row, const char **text)
{
	const char *p = memmem(line, (size_t)(end - line), "): ", 3), *r = p;
	size_t n = strlen(kind) - 2;

	while (r && r > line && isdigit((unsigned char)r[-1]))
		r--;
	if (!r || r == p || r <= line + 1 || r[-1] != '(' || (size_t)(end - p) < 3 + n || strncmp(p + 3, kind, n) != 0)
		return false;
	*row = atoi(r);
	*text = memmem(p + 3 + n, (size_t)(end - p) - 3 - n, ": ", 2);
	if (!*text || (*text > p + 3 + n && p[3 + n] != ' '))
		return false;
	*text += 2;
	return true;
}

/* Split "NAME:LINE:COLUMN: KIND: TEXT" in a line that ends at `end`, or nvcc's form of it, which has no column; false:
 * the line has another form or kind. */
static bool message(const char *line, const char *end, const char *kind, int *row, int *column, const char **text)
{
	const char *p = memmem(line, (size_t)(end - line), kind, strlen(kind));
	const char *c, *r;

	*column = 0;
	if (message_of_nvcc(line, end, kind, row, text))
		return true;
	if (!p || p - line < 6 || p[-2] != ':')
		return false;
	*text = p + strlen(kind);
	for (c = p - 2; c > line && isdigit((unsigned char)c[-1]); c--)
		;
	if (*c == ':' || c == line || c[-1] != ':')
		return false;
	for (r = c - 1; r > line && isdigit((unsigned char)r[-1]); r--)
		;
	*column = atoi(c);
	*row = atoi(r);
	return *r != ':' && r > line && r[-1] == ':';
}

/* The name behind the linker's "undefined … symbol: "; NULL: no such error. */
static const char *undefined_name(const char *errors)
{
	static const char *const said[] = { "undefined hidden symbol: ", "undefined protected symbol: ",
					    "undefined symbol: ", NULL };

	for (const char *const *p = said; *p; p++) {
		const char *text = strstr(errors, *p);
		if (text)
			return text + strlen(*p);
	}
	return NULL;
}

/* The line of the first ">>> referenced by FILE:LINE" of the linker; 0: none, or a line of another file. */
static int referring_line(const struct compiler *c, const char *text)
{
	static const char by[] = ">>> referenced by ";
	const char *slash = strrchr(c->name, '/'), *name = slash ? slash + 1 : c->name, *p = strstr(text, by);

	if (!p || p - text > (ptrdiff_t)strcspn(text, "\n") + 1 || strncmp(p + sizeof by - 1, name, strlen(name)) != 0)
		return 0;
	p += sizeof by - 1 + strlen(name);
	return *p == ':' ? atoi(p + 1) : 0;
}

/* Report an error that clang gives no line: an undefined function, a library of another compiler, or a missing linker
 * or option. */
static bool link_error(struct compiler *c, const char *errors)
{
	const char *text = undefined_name(errors), *end = strstr(errors, "error: ");
	int line = text ? referring_line(c, text) : 0, n = text ? (int)strcspn(text, "\n") : 0;
	bool linker = strstr(errors, "ld.lld") || strstr(errors, "unable to execute command: Executable");
	char advice[48] = "";

	if (text && (strstr(text, "ocl_image") || strstr(text, "_image_")))
		return diag_text(c->diag, line, 0,
				 "%.*s: not among the functions of images, which are those of OpenCL C 1.2",
				 (int)strcspn(text, "(\n"), text);
	if (text)
		return diag_text(c->diag, line, 0,
				 "the function %.*s is called, but neither the source nor %s has it: define it",
				 n, text, c->library);
	if (end && strstr(end, "Unsupported calling convention for call"))
		return diag_set(c->diag, DIAG_INPUT, "a kernel is called, but neither the source nor %s has it: define "
				"it", c->library);
	if (end && memmem(end, strcspn(end, "\n"), c->library, strlen(c->library)))
		return diag_set(c->diag, DIAG_ENV,
				"%s cannot read the built-in functions of %s, which are of another version: --cc names "
				"a clang as new as they are, --libclc other ones",
				c->program, c->library);
	text = end ? end + 7 : errors;
	if (linker)
		snprintf(advice, sizeof advice, " (apt install lld-%d)", c->major);
	return diag_set(c->diag, linker ? DIAG_ENV : DIAG_INPUT, "%s: %.*s%s", c->program, (int)strcspn(text, "\n"),
			text, advice);
}

/* Put the diagnostic into the file of a message "NAME:LINE:…" that ends at `end`, where the file is another than the
 * source: a header. */
static void put_file(struct compiler *c, const char *line, const char *end)
{
	size_t n = 0, source = strlen(c->name);
	char name[sizeof c->diag->file];

	while (line + n < end && !((line[n] == ':' || line[n] == '(') && isdigit((unsigned char)line[n + 1])))
		n++;
	if ((n == source && !strncmp(line, c->name, n)) || (n && *line == '<') || n >= sizeof name)
		return;
	snprintf(name, sizeof name, "%.*s", (int)n, line);
	diag_in_file(c->diag, name);
}

#define NOT_HERE " (a library of NVIDIA's, and not here: kernels of the program's own may do the work)"

/* What the compiler's error leaves out: a name of another language, or of an extension that is not here. */
static const char *advice_for(struct compiler *c, const char *text, const char *end)
{
	static const struct { const char *said, *advice; bool opencl; } table[] = {
		{ "identifier 'sub_group_",
		  " (there are no sub-groups here; a barrier and local memory exchange values)", true },
		{ "identifier 'get_sub_group_", " (there are no sub-groups here)", true },
		{ "requires cl_khr_fp16",
		  " (there is no arithmetic of halves here: vload_half and vstore_half make floats of them)", true },
		{ "identifier 'get_global_id'", " (OpenCL C's; here blockIdx.x * blockDim.x + threadIdx.x)", false },
		{ "identifier 'get_local_id'", " (OpenCL C's; here threadIdx.x)", false },
		{ "identifier 'get_group_id'", " (OpenCL C's; here blockIdx.x)", false },
		{ "identifier 'barrier'", " (OpenCL C's; here __syncthreads())", false },
		{ "an attribute list cannot appear here", " (alignas is understood before __shared__)", false },
		{ "'cublas", NOT_HERE, false },
		{ "'cudnn", NOT_HERE, false },
		{ "'cufft", NOT_HERE, false },
		{ "'curand", NOT_HERE, false },
		{ "'cusolver", NOT_HERE, false },
		{ "'cusparse", NOT_HERE, false },
		{ "'nccl.h'", NOT_HERE, false },
	};
	size_t n = (size_t)(end - text);

	if (opencl_guard_refused(c->options, c->name, text, end))
		return " (--files lets a source read files below its own folder; --files any allows this one)";
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].opencl == (c->target->language == OPENCL_C) &&
		    memmem(text, n, table[i].said, strlen(table[i].said)))
			return table[i].advice;
	return "";
}

/* The compiler's first error with a line, of the source or of a header. False: none. */
static bool source_error(struct compiler *c, const char *errors)
{
	const char *text, *end;
	int row, column;

	for (const char *p = errors; *p; p = end + (*end == '\n')) {
		end = p + strcspn(p, "\n");
		if (!message(p, end, "fatal error: ", &row, &column, &text) &&
		    !message(p, end, "error: ", &row, &column, &text))
			continue;
		diag_text(c->diag, row, column, "%.*s%s", (int)(end - text), text, advice_for(c, text, end));
		put_file(c, p, end);
		return true;
	}
	return false;
}

bool compiler_error(struct compiler *c, int status, const char *errors)
{
	if ((status > 0 && source_error(c, errors)) || ended_early(c, status, errors))
		return false;
	return link_error(c, errors);
}

bool take_warnings(struct compiler *c, const char *errors)
{
	const char *text, *end;
	int row, column;

	for (const char *p = errors; *p; p = end + (*end == '\n')) {
		struct image_warning *to;
		char *copy;
		end = p + strcspn(p, "\n");
		if (!message(p, end, "warning: ", &row, &column, &text))
			continue;
		to = image_push(c->arena, &c->warning, &c->nwarnings);
		copy = arena_alloc(c->arena, (size_t)(end - text) + 1, 1);
		if (!to || !copy)
			return false;
		memcpy(copy, text, (size_t)(end - text));
		*to = (struct image_warning){ (uint32_t)row, (uint32_t)column, copy };
	}
	return true;
}
