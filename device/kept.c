/* Kept launches of a device, the latest first. A launch is kept if nothing but arguments and memory could make the next
 * launch different: no checker, no option that fills banks, buffers or textures, no state from outside. */
#include "device/kept.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sanitized.h"

/* KEPT_MOST: launches. KEPT_BYTES: bytes of all kept machines; a larger machine is cheap beside its run. */
enum { KEPT_MOST = 16, KEPT_BYTES = 8 << 20 };

/* AddressSanitizer is to see uses of a freed launch. */
#ifdef ADDRESS_SANITIZER
enum { KEEPS = false };
#else
enum { KEEPS = true };
#endif

/* Whether the plan follows from the kernel, the size and the device's options alone. */
static bool is_plain(const struct wb_launch *l)
{
	const struct inputs *in = l->inputs;

	return l->repeatable && in->sized.by_caller && in->prepared->home == in->device && l->plan.shared_code &&
	       !l->plan.code.stream && !l->plan.memory.textures && !l->plan.kernel->ntextures && !l->plan.pokes.item &&
	       !in->nargs && !in->nbound && !in->arg && !in->bound && !in->by_program && !in->drawn.read &&
	       !in->banks.copied && !in->prints.address;
}

/* Whether the launch has run to a good end without a spectator. */
static bool is_over(const struct wb_launch *l)
{
	const struct machine *m = &l->machine;

	return m->result && !strcmp(m->result, "ok") && m->why.kind == DIAG_OK && !m->touched &&
	       !m->state.failed && !l->watch && !l->recorder && !l->check && !l->stops && !l->past &&
	       !l->saving && !l->lint && !l->each && !l->late.chunk && !l->rebind;
}

static void dispose(struct wb_launch *l)
{
	arena_free(&l->machine.state);
	arena_free(&l->report_arena);
	arena_free(&l->arena);
	free(l);
}

/* Take a launch off the list. */
static struct wb_launch *unlink_kept(struct wb_device *v, struct wb_launch **at)
{
	struct wb_launch *l = *at;

	*at = l->inputs->next_kept;
	v->nkept--;
	v->kept_bytes -= l->inputs->kept_bytes;
	return l;
}

static void dispose_last(struct wb_device *v)
{
	struct wb_launch **at = &v->kept;

	while ((*at)->inputs->next_kept)
		at = &(*at)->inputs->next_kept;
	dispose(unlink_kept(v, at));
}

bool kept_add(struct wb_launch *l)
{
	struct inputs *in = l->inputs;
	struct wb_device *v = in->device;
	size_t bytes = l->machine.state.size;

	if (!KEEPS || bytes > KEPT_BYTES || !is_plain(l) || !is_over(l))
		return false;
	global_release_all(&v->memory, in->owner);
	arena_rewind(&l->report_arena);
	arena_rewind(&l->machine.state);
	arena_rewind(&l->arena);
	while (v->nkept == KEPT_MOST || v->kept_bytes + bytes > KEPT_BYTES)
		dispose_last(v);
	in->next_kept = v->kept;
	in->kept_bytes = bytes;
	v->kept = l;
	v->nkept++;
	v->kept_bytes += bytes;
	return true;
}

/* The kernel may be another one at the address of one that was freed: the number tells. */
static bool is_of(const struct wb_launch *l, const struct wb_prepared *k, const struct wb_launch_size *size)
{
	return l->inputs->prepared == k && l->inputs->sized.kernel == k->number &&
	       !memcmp(&l->inputs->sized.size, size, sizeof *size);
}

/* A launch of before as a new launch: the results of plan_size stay. */
static struct wb_launch *renew(struct wb_launch *l, struct wb_device *v, const struct wb_prepared *k)
{
	const struct sized sized = l->inputs->sized;
	const struct arena state = l->machine.state, report = l->report_arena, own = l->arena;

	launch_blank(l, v, k);
	l->machine.state = state;
	l->report_arena = report;
	l->arena = own;
	l->again = true;
	l->inputs->sized = sized;
	l->plan.code.uniforms = k->plan.code.uniforms;
	l->plan.nbuffers = 0;
	memset(l->plan.params, 0, l->plan.param.size);
	l->plan.param.size = 0;
	return l;
}

struct wb_launch *kept_take(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size)
{
	const struct module *m;
	struct wb_launch **at = &v->kept;

	if (!size || k->home != v)
		return NULL;
	while (*at && !is_of(*at, k, size))
		at = &(*at)->inputs->next_kept;
	if (!*at || ((m = device_find(v, k->plan.image)) && m->written))
		return NULL;
	return renew(unlink_kept(v, at), v, k);
}

void kept_free(struct wb_device *v)
{
	while (v->kept)
		dispose(unlink_kept(v, &v->kept));
}
