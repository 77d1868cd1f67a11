/* The compiler's options and logs, and links. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cuda/driver/jit.h"
#include "frontends/runtime/link.h"

bool jit_read(struct jit *j, unsigned n, const CUjit_option *options, void **values)
{
	*j = (struct jit){ .registers = 0 };
	if (n && (!options || !values))
		return false;
	for (unsigned i = 0; i < n; i++)
		switch ((int)options[i]) {
		case CU_JIT_MAX_REGISTERS: j->registers = (unsigned)(uintptr_t)values[i]; break;
		case CU_JIT_WALL_TIME: j->wall = (float *)(void *)&values[i]; break;
		case CU_JIT_INFO_LOG_BUFFER: j->info.buffer = values[i]; break;
		case CU_JIT_ERROR_LOG_BUFFER: j->error.buffer = values[i]; break;
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
			j->info.size = (unsigned)(uintptr_t)values[i];
			j->info.answer = &values[i];
			break;
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
			j->error.size = (unsigned)(uintptr_t)values[i];
			j->error.answer = &values[i];
			break;
		default:
			if ((int)options[i] < 0)
				return false;
		}
	return true;
}

static void append(struct jit_log *l, const char *text, size_t n)
{
	if (!l->buffer || l->size < 2 || l->used + 1 >= l->size)
		return;
	if (n > l->size - l->used - 1)
		n = l->size - l->used - 1;
	memcpy(l->buffer + l->used, text, n);
	l->used += n;
}

static void take(void *context, const char *text, size_t n)
{
	struct jit *j = context;

	append(&j->info, text, n);
}

void jit_prepare(struct jit *j, struct wb_config *c)
{
	struct wb_diag d;
	char number[16];

	if (j->registers) {
		snprintf(number, sizeof number, "%u", j->registers);
		wb_config_set(c, "max-regs", number, &d);
	}
	wb_config_log(c, take, j);
}

void jit_forget_log(const struct loaded *m)
{
	wb_config_log(m->registered.config, NULL, NULL);
}

static void end_log(struct jit_log *l)
{
	if (l->buffer && l->size)
		l->buffer[l->used] = '\0';
	if (l->answer)
		*l->answer = (void *)(uintptr_t)l->used;
}

void jit_finish(struct jit *j, const struct wb_diag *d)
{
	char text[1024];
	int n;

	if (d) {
		n = d->line ? snprintf(text, sizeof text, "line %d: %s\n", (int)d->line, d->text)
			    : snprintf(text, sizeof text, "%s\n", d->text);
		append(&j->error, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
	}
	end_log(&j->info);
	end_log(&j->error);
	if (j->wall)
		*j->wall = 0;
}

/* ---- links: of one PTX, fat binary or cubin, which is the image that comes out, or of several PTX ---- */

struct CUlinkState_st {
	struct CUlinkState_st *next;
	char *bytes;            /* of the image, from malloc; of several the one text, NULL before it is complete */
	size_t size;
	struct link_part *parts;        /* texts and names from malloc; none where the image is no PTX */
	size_t nparts;
	bool several;           /* that cannot be one */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUlinkState_st *links;

static bool is_link(const struct CUlinkState_st *s)
{
	const struct CUlinkState_st *p;

	pthread_mutex_lock(&lock);
	for (p = links; p && p != s; p = p->next)
		;
	pthread_mutex_unlock(&lock);
	return p;
}

/* A text more, with a NUL. */
static bool add_part(struct CUlinkState_st *s, const void *data, size_t bytes, const char *name)
{
	struct link_part *grown = realloc(s->parts, (s->nparts + 1) * sizeof *grown);
	char *text = strndup(data, bytes), *said = name ? strdup(name) : NULL;

	if (grown)
		s->parts = grown;
	if (!grown || !text || (name && !said)) {
		free(text);
		free(said);
		return false;
	}
	s->parts[s->nparts++] = (struct link_part){ text, strlen(text), said };
	return true;
}

static void free_link(struct CUlinkState_st *s)
{
	for (size_t i = 0; i < s->nparts; i++) {
		free((char *)(uintptr_t)s->parts[i].text);
		free((char *)(uintptr_t)s->parts[i].name);
	}
	free(s->parts);
	free(s->bytes);
	free(s);
}

/* Make one text of several. */
static CUresult link_parts(struct CUlinkState_st *s)
{
	char wrong[LINK_WRONG], *text = link_texts(s->parts, s->nparts, wrong);
	struct runtime *r;
	CUresult e;

	if (!text && !*wrong)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (!text) {
		r = enter(&e);
		if (r)
			program_say(r->program, "cuLinkComplete: %s", wrong);
		return r ? leave(r, cudaErrorInvalidKernelImage) : e;
	}
	free(s->bytes);
	s->bytes = text;
	s->size = strlen(text) + 1;
	return CUDA_SUCCESS;
}

CALL CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *state)
{
	struct CUlinkState_st *s;
	struct jit j;

	NEEDS_CONTEXT;
	if (!state || !jit_read(&j, n, options, values))
		return CUDA_ERROR_INVALID_VALUE;
	jit_finish(&j, NULL);
	s = calloc(1, sizeof *s);
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	s->next = links;
	links = s;
	pthread_mutex_unlock(&lock);
	*state = s;
	return CUDA_SUCCESS;
}
SAME(cuLinkCreate, cuLinkCreate_v2);

CALL CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
			       unsigned n, CUjit_option *options, void **values)
{
	struct jit j;

	NEEDS_CONTEXT;
	if (!is_link(state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || !bytes || (unsigned)type > CU_JIT_INPUT_LIBRARY || !jit_read(&j, n, options, values))
		return CUDA_ERROR_INVALID_VALUE;
	bool is_text = type == CU_JIT_INPUT_PTX, follows = state->bytes != NULL;
	if (type > CU_JIT_INPUT_FATBINARY || (follows && (!is_text || !state->nparts))) {
		state->several = true;
		return missing_call("cuLinkAddData of several images that are not PTX, of objects or libraries");
	}
	if (is_text && !add_part(state, data, bytes, name))
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (follows)
		return CUDA_SUCCESS;
	state->bytes = malloc(bytes + 1);
	if (!state->bytes)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(state->bytes, data, bytes);
	state->bytes[bytes] = '\0';
	state->size = bytes;
	return CUDA_SUCCESS;
}
SAME(cuLinkAddData, cuLinkAddData_v2);

CALL CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned n,
			       CUjit_option *options, void **values)
{
	uint8_t *bytes;
	size_t size;
	CUresult e;

	NEEDS_CONTEXT;
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	e = result(read_module(path, &bytes, &size));
	if (e == CUDA_SUCCESS)
		e = cuLinkAddData_v2(state, type, bytes, size, path, n, options, values);
	free(bytes);
	return e;
}
SAME(cuLinkAddFile, cuLinkAddFile_v2);

CALL CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
	NEEDS_CONTEXT;
	if (!is_link(state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!image || !state->bytes || state->several)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult e = state->nparts > 1 ? link_parts(state) : CUDA_SUCCESS;
	if (e != CUDA_SUCCESS)
		return e;
	*image = state->bytes;
	if (bytes)
		*bytes = state->size;
	return CUDA_SUCCESS;
}

CALL CUresult cuLinkDestroy(CUlinkState state)
{
	struct CUlinkState_st **p;

	NEEDS_CONTEXT;
	pthread_mutex_lock(&lock);
	for (p = &links; *p && *p != state; p = &(*p)->next)
		;
	bool found = *p;
	if (found)
		*p = state->next;
	pthread_mutex_unlock(&lock);
	if (!found)
		return CUDA_ERROR_INVALID_HANDLE;
	free_link(state);
	return CUDA_SUCCESS;
}
