/* A program for one place: loaded, compiled where it is text, with its log, binary and prepared kernels. */
#include <stdio.h>

#include "frontends/opencl/program.h"

void log_add(struct build *b, const char *text, size_t n)
{
	char *more = realloc(b->log, b->log_bytes + n + 1);

	if (!more)
		return;
	memcpy(more + b->log_bytes, text, n);
	b->log = more;
	b->log_bytes += n;
	more[b->log_bytes] = '\0';
}

static void take_text(void *context, const char *text, size_t n)
{
	log_add(context, text, n);
}

/* The diagnostic as a line of the log, unless a compiler has said the same. */
static void log_diag(struct build *b, const struct wb_diag *d)
{
	char line[700];
	int n;

	if (b->log && strstr(b->log, d->text))
		return;
	n = d->line ? snprintf(line, sizeof line, "%s:%d: %s\n", d->file, d->line, d->text)
		    : snprintf(line, sizeof line, "%s\n", d->text);
	log_add(b, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

void build_clear(struct build *b)
{
	for (struct prepared *k = b->prepared, *next; k; k = next) {
		next = k->next;
		program_kernel_free(k->kernel);
		free(k);
	}
	wb_config_free(b->config);
	free(b->options);
	free(b->log);
	free(b->binary);
	*b = (struct build){ .status = CL_BUILD_NONE };
}

static cl_int error_of(const struct wb_diag *d)
{
	switch (d->status) {
	case WB_ENV:
		return strstr(d->text, "memory") ? CL_OUT_OF_HOST_MEMORY : CL_COMPILER_NOT_AVAILABLE;
	case WB_USAGE:
		return CL_INVALID_BUILD_OPTIONS;
	default:
		return CL_BUILD_PROGRAM_FAILURE;
	}
}

/* Keep the image, by which the program is made again from a binary. */
static bool keep_binary(struct build *b)
{
	struct wb_text image;

	if (wb_program_image(b->program, &image, NULL) != WB_OK)
		return false;
	if ((b->binary = malloc(image.size))) {
		memcpy(b->binary, image.data, image.size);
		b->binary_bytes = image.size;
	}
	wb_text_free(&image);
	return b->binary;
}

/* #undef of each extension that clang has for the kind of machine, and the device has not: programs ask for extensions
 * with #ifdef. */
static void undefine(FILE *f, const struct _cl_device_id *d)
{
	static const char *const all[] = {
		"cl_khr_fp64", "cl_khr_fp16", "cl_khr_global_int32_base_atomics",
		"cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
		"cl_khr_local_int32_extended_atomics", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
		"cl_khr_3d_image_writes"
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strstr(d->extensions, all[i]))
			fprintf(f, "#undef %s\n", all[i]);
}

/* UTF-8's mark at the beginning of a text would be an error behind the lines above it. */
static const char *behind_mark(const char *text, const char *end)
{
	static const char mark[] = "\xef\xbb\xbf";

	return end - text >= 3 && !memcmp(text, mark, 3) ? text + 3 : text;
}

/* The text with the device's extensions alone, in each unit. NULL: no memory. */
static char *hide_extensions(const struct _cl_device_id *d, const char *text, size_t n, const char *name, size_t *bytes)
{
	const char *end = text + n, *stop;
	char *out = NULL;
	FILE *f = open_memstream(&out, bytes);

	if (!f)
		return NULL;
	for (; text; text = stop) {
		stop = memmem(text, (size_t)(end - text), UNIT_LINE, strlen(UNIT_LINE));
		stop = stop ? stop + strlen(UNIT_LINE) : NULL;
		undefine(f, d);
		fprintf(f, "#line 1 \"%s\"\n", name);
		text = behind_mark(text, stop ? stop : end);
		fwrite(text, 1, (size_t)((stop ? stop : end) - text), f);
	}
	if (!fclose(f))
		return out;
	free(out);
	return NULL;
}

/* Load a binary as it is, and a source with the extensions of the device alone. */
static enum wb_status load(struct build *b, const struct _cl_device_id *d, const void *bytes, size_t n,
			   const char *name, struct wb_diag *diag)
{
	size_t size;
	char *text;

	if (strcmp(name, source_name))
		return wb_program_load(bytes, n, name, b->config, &b->program, diag);
	*diag = (struct wb_diag){ .status = WB_ENV, .offset = -1, .text = "out of memory" };
	if (!(text = hide_extensions(d, bytes, n, name, &size)))
		return WB_ENV;
	enum wb_status status = wb_program_load(text, size, name, b->config, &b->program, diag);
	free(text);
	return status;
}

cl_int build_load(cl_context c, struct place *p, struct build *b, const void *bytes, size_t n, const char *name)
{
	struct wb_diag d = { .status = WB_OK };
	cl_int error = CL_OUT_OF_HOST_MEMORY;

	b->status = CL_BUILD_ERROR;
	if (!(b->config = wb_config_copy(p->config)))
		return error;
	wb_config_log(b->config, take_text, b);
	if ((error = options_apply(b->config, b->options, &d)) == CL_SUCCESS &&
	    load(b, p->device, bytes, n, name, &d) != WB_OK)
		error = error_of(&d);
	if (error) {
		log_diag(b, &d);
		return error;
	}
	wb_config_log(b->config, NULL, NULL);
	house_in();
	bool good = context_adopt(c, b->program);
	house_out();
	if (!good) {
		wb_program_free(b->program);
		b->program = NULL;
		return CL_OUT_OF_HOST_MEMORY;
	}
	if (!keep_binary(b))
		log_add(b, "no binary can be made of the program\n", strlen("no binary can be made of the program\n"));
	b->status = CL_BUILD_SUCCESS;
	b->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	return CL_SUCCESS;
}

/* A prepared kernel with a row for each parameter. NULL: no memory. */
static struct prepared *prepared_new(struct program_kernel *kernel)
{
	const struct wb_prepared *from = program_prepared(kernel);
	const struct wb_prepared_info *info = wb_prepared_info(from);
	struct prepared *k = calloc(1, sizeof *k + info->nparams * sizeof *k->parameter);

	if (!k)
		return NULL;
	k->kernel = kernel;
	k->info = info;
	for (uint32_t i = 0; i < info->nparams; i++) {
		const struct wb_parameter *p = wb_prepared_parameter(from, i);
		bool shared = !strcmp(p->kind, "local");
		bool address = !strcmp(p->kind, "pointer") || !strcmp(p->kind, "image");
		k->parameter[i] = (struct parameter){
			shared ? PASS_SHARED : address ? PASS_ADDRESS : PASS_VALUE, p->offset, p->size,
		};
	}
	return k;
}

struct prepared *program_kernel_get(cl_program p, cl_uint place, const char *name, cl_int *error)
{
	struct build *b = &p->build[place];
	cl_context c = p->context;
	struct program_kernel *kernel;
	struct prepared *k;
	struct wb_diag d;

	for (k = b->prepared; k; k = k->next)
		if (!strcmp(k->info->name, name))
			return k;
	house_out();
	pthread_mutex_lock(&c->running);
	enum wb_status status = program_prepare(house_program(), c->places[place].memory, b->program, b->config, name,
						&kernel, &d);
	pthread_mutex_unlock(&c->running);
	house_in();
	if (status != WB_OK) {
		program_say_diag(house_program(), name, &d);
		*error = status == WB_ENV ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
		return NULL;
	}
	*error = CL_OUT_OF_HOST_MEMORY;
	if (!(k = prepared_new(kernel))) {
		program_kernel_free(kernel);
		return NULL;
	}
	k->next = b->prepared;
	b->prepared = k;
	*error = CL_SUCCESS;
	return k;
}
