/* Compiling and linking apart. A compiled program is a file of ours: options, and the source with all headers in
 * place. Linking builds the sources of all programs, each as a unit of its own. */
#include <stdio.h>
#include <unistd.h>

#include "frontends/opencl/program.h"

static const char magic_object[] = "// warpbeam object\n", magic_library[] = "// warpbeam library\n";

static bool begins(const void *bytes, size_t n, const char *text)
{
	return n >= strlen(text) && !memcmp(bytes, text, strlen(text));
}

bool object_file_is(const void *bytes, size_t n)
{
	return begins(bytes, n, magic_object) || begins(bytes, n, magic_library);
}

cl_program_binary_type object_file_type(const void *bytes, size_t n)
{
	return begins(bytes, n, magic_library) ? CL_PROGRAM_BINARY_TYPE_LIBRARY
					       : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

/* ---- texts ---- */

enum { TEXT_MOST = 16 << 20, DEPTH_MOST = 64 };
struct text {
	FILE *file;
	char *bytes;
	size_t n;
};

static bool text_open(struct text *t)
{
	*t = (struct text){ NULL, NULL, 0 };
	t->file = open_memstream(&t->bytes, &t->n);
	return t->file;
}

struct headers {
	cl_uint n;
	const cl_program *program;
	const char **name;
	const char *options;    /* with the folders of further headers */
};

/* A text that is written, and the text that includes it. */
struct included {
	const struct included *by;      /* NULL: nobody */
	const char *text, *name;        /* name: for messages */
	const char *path;               /* of a file; NULL: the text is none */
	unsigned depth;
};

/* The name behind the #include of a line, of at most NAME_MAX bytes. False: the line is no such. */
static bool include_name(const char *line, size_t n, char name[NAME_MAX + 1])
{
	const char *p = line, *end = line + n, *close;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end || *p++ != '#')
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (end - p < 8 || strncmp(p, "include", 7))
		return false;
	for (p += 7; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	if (p == end || (*p != '"' && *p != '<'))
		return false;
	close = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
	n = close ? (size_t)(close - ++p) : 0;
	if (!n || n > NAME_MAX)
		return false;
	memcpy(name, p, n);
	name[n] = '\0';
	return true;
}

static const char *given_header(const struct headers *h, const char *name)
{
	for (cl_uint i = 0; i < h->n; i++)
		if (!strcmp(h->name[i], name))
			return h->program[i]->source;
	return NULL;
}

/* Read a header, from malloc. NULL: no text of reasonable size. */
static char *read_header(const char *path)
{
	enum { HEADER_MOST = 1 << 20 };
	FILE *f = fopen(path, "re");
	char *text = f ? malloc(HEADER_MOST + 1) : NULL;
	size_t n = text ? fread(text, 1, HEADER_MOST + 1, f) : 0;

	if (f)
		fclose(f);
	if (!n || n > HEADER_MOST || memchr(text, '\0', n)) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

/* Find the file of a header: beside the file that includes it, then by the options. Names that leave the folders are
 * the compiler's to judge, under its guard. */
static bool find_header(const struct headers *h, const struct included *in, const char *name, char path[PATH_MAX])
{
	const char *slash = in->path ? strrchr(in->path, '/') : NULL;

	if (*name == '/' || strstr(name, ".."))
		return false;
	if (slash && snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - in->path), in->path, name) < PATH_MAX &&
	    !access(path, R_OK))
		return true;
	return options_find(h->options, name, path);
}

/* Whether a file includes itself: its guard would leave nothing of the inner text. */
static bool is_open(const struct included *in, const char *path)
{
	while (in && !(in->path && !strcmp(in->path, path)))
		in = in->by;
	return in;
}

static bool expand(struct text *to, const struct headers *h, const struct included *in);

/* Write the header of a line in place of the line. *known: the header is here. False: as expand. */
static bool expand_header(struct text *to, const struct headers *h, const struct included *in, const char *name,
			  bool *known)
{
	struct included header = { in, given_header(h, name), name, NULL, in->depth + 1 };
	char path[PATH_MAX], *file = NULL;
	bool good = true;

	if (!header.text && find_header(h, in, name, path) && (file = read_header(path))) {
		header.text = file;
		header.path = path;
	}
	*known = header.text;
	/* "once" is known to the compiler by files alone */
	if (file && strstr(file, "#pragma once"))
		*known = false;
	else if (header.text && !(file && is_open(in, path)))
		good = expand(to, h, &header);
	free(file);
	return good;
}

/* Write the text with headers in place of the lines that include headers. False: too deep, or too long. */
static bool expand(struct text *to, const struct headers *h, const struct included *in)
{
	char name[NAME_MAX + 1];
	unsigned row = 1;

	if (in->depth > DEPTH_MOST)
		return false;
	fprintf(to->file, "#line 1 \"%s\"\n", in->name);
	for (const char *line = in->text; *line; row++) {
		size_t n = strcspn(line, "\n");
		bool known = false;
		if (include_name(line, n, name) && !expand_header(to, h, in, name, &known))
			return false;
		if (known)
			fprintf(to->file, "\n#line %u \"%s\"\n", row + 1, in->name);
		else
			fprintf(to->file, "%.*s\n", (int)n, line);
		line += n + (line[n] == '\n');
		if (ftell(to->file) > TEXT_MOST)
			return false;
	}
	return true;
}

/* ---- compiling ---- */

/* A source may call functions of another, and a function without a body is no error before linking. The words come from
 * the two kinds of machine. */
static bool is_only_open(const char *log)
{
	return log && (strstr(log, "is called, but neither the source nor") ||
		       strstr(log, "is extern and nothing here defines it"));
}

/* A kernel for compiling a source of functions alone. */
static const char a_kernel[] = "\n__kernel void warpbeam_none(void) {}\n";

static cl_int compile_place(cl_program p, cl_uint place, const char *options, const struct headers *h)
{
	struct build *b = &p->build[place];
	struct text t;
	cl_int error;

	build_clear(b);
	if (!text_open(&t))
		return CL_OUT_OF_HOST_MEMORY;
	fprintf(t.file, "%s// %s\n", magic_object, options ? options : "");
	bool good = expand(&t, h, &(struct included){ NULL, p->source, source_name, NULL, 0 });
	fflush(t.file);
	size_t bytes = t.n;
	fputs(a_kernel, t.file);
	fclose(t.file);
	if (!good) {
		free(t.bytes);
		b->status = CL_BUILD_ERROR;
		return CL_COMPILE_PROGRAM_FAILURE;
	}
	error = program_load(p, place, options, t.bytes, t.n, source_name);
	if (error == CL_BUILD_PROGRAM_FAILURE && is_only_open(b->log)) {
		b->status = CL_BUILD_SUCCESS;
		error = CL_SUCCESS;
	}
	free(b->binary);
	b->binary = (uint8_t *)t.bytes;
	b->binary_bytes = bytes;
	b->program = NULL;      /* the context's: no kernels without linking */
	b->type = error ? CL_PROGRAM_BINARY_TYPE_NONE : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
	return error == CL_BUILD_PROGRAM_FAILURE ? CL_COMPILE_PROGRAM_FAILURE :
	       error == CL_INVALID_BUILD_OPTIONS ? CL_INVALID_COMPILER_OPTIONS : error;
}

static cl_int check_headers(const struct headers *h)
{
	if (!h->n != !h->program || !h->n != !h->name)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < h->n; i++)
		if (!object_is(h->program[i], KIND_PROGRAM) || !h->program[i]->source)
			return CL_INVALID_PROGRAM;
	for (cl_uint i = 0; i < h->n; i++)
		if (!h->name[i])
			return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clCompileProgram(cl_program p, cl_uint n, const cl_device_id *list, const char *options,
				    cl_uint nheaders, const cl_program *headers, const char **names,
				    built_call *notify, void *user_data)
{
	const struct headers h = { nheaders, headers, names, options };
	bool places[DEVICES_MOST];
	cl_int error, found = CL_SUCCESS;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(p, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	if ((!notify && user_data))
		return CL_INVALID_VALUE;
	if ((error = check_headers(&h)) || (error = program_devices(p, n, list, places)))
		return error;
	if (!p->source || p->kernels)
		return CL_INVALID_OPERATION;
	object_keep(p);
	for (cl_uint i = 0; i < p->context->nplaces; i++)
		if (places[i] && (error = compile_place(p, i, options, &h)) && !found)
			found = error;
	program_notify(p, notify, user_data);
	object_drop(p);
	return found;
}

/* ---- linking ---- */

/* Whether all words of the options are a linker's. *library: a library is to be made. */
static bool take_link_options(const char *options, bool *library)
{
	char *copy = strdup(options ? options : ""), *rest = NULL;
	bool good = copy;

	*library = false;
	for (char *word = copy ? strtok_r(copy, " \t\n", &rest) : NULL; word; word = strtok_r(NULL, " \t\n", &rest)) {
		*library |= !strcmp(word, "-create-library");
		good &= !strncmp(word, "-cl-", 4) || !strcmp(word, "-create-library") ||
			!strcmp(word, "-enable-link-options");
	}
	free(copy);
	return good;
}

/* Whether a text has functions and variables alone: beside others like it, it means what it means by itself. */
static bool is_plain(const char *text, size_t n)
{
	static const char *const words[] = { "static", "struct", "union", "enum", "typedef" };
	const char *end = text + n, *p = text;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (memmem(text, n, words[i], strlen(words[i])))
			return false;
	while ((p = memchr(p, '#', (size_t)(end - p))) && end - p > 5 && !strncmp(p + 1, "line", 4))
		p++;
	return !p;
}

/* Add an input: options to the options of the whole, source to the sources. *plain: the source before is plain; plain
 * sources are one unit, as programs of hundreds of sources would start hundreds of compilers. */
static void add_input(struct text *options, struct text *source, const struct build *b, bool *plain)
{
	bool before = *plain;
	const char *text = (const char *)b->binary, *end = text + b->binary_bytes;
	const char *line = memchr(text, '\n', b->binary_bytes), *stop;

	line = line ? line + 1 : end;
	stop = memchr(line, '\n', (size_t)(end - line));
	stop = stop ? stop : end;
	if (stop - line > 3)
		fprintf(options->file, " %.*s", (int)(stop - line - 3), line + 3);
	*plain = is_plain(stop, (size_t)(end - stop));
	if (ftell(source->file) > 0 && !(before && *plain))
		fputs(UNIT_LINE, source->file);
	fwrite(stop, 1, (size_t)(end - stop), source->file);
	fputc('\n', source->file);
}

static cl_int link_place(cl_program p, cl_uint place, const char *own, bool library, cl_uint n,
			 const cl_program *inputs)
{
	struct build *b = &p->build[place];
	struct text options, source;
	cl_int error = CL_SUCCESS;
	bool plain = false;

	if (!text_open(&options))
		return CL_OUT_OF_HOST_MEMORY;
	if (!text_open(&source)) {
		fclose(options.file);
		free(options.bytes);
		return CL_OUT_OF_HOST_MEMORY;
	}
	fputs(own ? own : "", options.file);
	for (cl_uint i = 0; i < n; i++)
		add_input(&options, &source, &inputs[i]->build[place], &plain);
	fclose(options.file);
	fclose(source.file);
	if (library) {
		b->binary_bytes = strlen(magic_library) + strlen(options.bytes) + 4 + source.n;
		if ((b->binary = malloc(b->binary_bytes + 1)))
			snprintf((char *)b->binary, b->binary_bytes + 1, "%s// %s\n%s", magic_library, options.bytes,
				 source.bytes);
		b->status = b->binary ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
		b->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
	} else {
		error = program_load(p, place, options.bytes, source.bytes, source.n, source_name);
	}
	free(options.bytes);
	free(source.bytes);
	return error == CL_BUILD_PROGRAM_FAILURE ? CL_LINK_PROGRAM_FAILURE :
	       error == CL_INVALID_BUILD_OPTIONS ? CL_INVALID_LINKER_OPTIONS : error;
}

/* Whether every input is compiled for the place, or not a single input is. */
static cl_int check_inputs(cl_context c, cl_uint n, const cl_program *inputs, cl_uint place, bool *compiled)
{
	cl_uint found = 0;

	for (cl_uint i = 0; i < n; i++) {
		const struct build *b = &inputs[i]->build[place];
		found += b->binary && object_file_is(b->binary, b->binary_bytes) && b->status != CL_BUILD_ERROR;
	}
	*compiled = found == n;
	return found == n || !found ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static cl_int check_link(cl_context c, cl_uint n, const cl_device_id *list, cl_uint ninputs, const cl_program *inputs)
{
	if (!object_is(c, KIND_CONTEXT))
		return CL_INVALID_CONTEXT;
	if (!n != !list || !ninputs || !inputs)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < ninputs; i++)
		if (!object_is(inputs[i], KIND_PROGRAM) || inputs[i]->context != c)
			return CL_INVALID_PROGRAM;
	for (cl_uint i = 0; i < n; i++)
		if (context_place(c, list[i]) == c->nplaces)
			return CL_INVALID_DEVICE;
	return CL_SUCCESS;
}

cl_program CL_API_CALL clLinkProgram(cl_context c, cl_uint n, const cl_device_id *list, const char *options,
				     cl_uint ninputs, const cl_program *inputs, built_call *notify, void *user_data,
				     cl_int *errcode_ret)
{
	bool chosen[DEVICES_MOST], library, compiled = false, any = false;
	cl_int error, found = CL_SUCCESS;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if ((error = check_link(c, n, list, ninputs, inputs)))
		return refuse(errcode_ret, error);
	if (!notify && user_data)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if (!take_link_options(options, &library))
		return refuse(errcode_ret, CL_INVALID_LINKER_OPTIONS);
	for (cl_uint i = 0; i < c->nplaces; i++) {
		chosen[i] = !list;
		for (cl_uint k = 0; k < n; k++)
			chosen[i] |= list[k] == c->places[i].device;
		if (chosen[i] && (error = check_inputs(c, ninputs, inputs, i, &compiled)))
			return refuse(errcode_ret, error);
		chosen[i] = chosen[i] && compiled;
		any |= chosen[i];
	}
	if (!any)
		return refuse(errcode_ret, CL_INVALID_OPERATION);
	cl_program p = program_new(c, chosen);
	if (!p)
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < c->nplaces; i++)
		if (chosen[i] && (error = link_place(p, i, options, library, ninputs, inputs)) && !found)
			found = error;
	program_notify(p, notify, user_data);
	if (errcode_ret)
		*errcode_ret = found;
	return p;
}
