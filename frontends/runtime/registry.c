/* What a host program registers before main: fat binaries, kernels and variables. Nothing is loaded before the first
 * use, as a real runtime does it; a program that registers and never launches costs nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/link.h"
#include "frontends/runtime/runtime.h"

/* Take the lock of the lists. */
static struct shared *hold(void)
{
	struct shared *s = warpbeam_runtime_shared();

	pthread_mutex_lock(&s->registry_lock);
	return s;
}

static void let_go(struct shared *s) { pthread_mutex_unlock(&s->registry_lock); }

/* ---- modules of several texts ---- */

/* The text of a fat binary whose only entry is PTX for the linker. */
static bool is_relocatable(const struct module *m, struct link_part *part)
{
	uint16_t header;
	uint32_t entry;

	if (m->size < 24)
		return false;
	memcpy(&header, m->bytes + 6, sizeof header);
	if (header > m->size - 8)
		return false;
	memcpy(&entry, m->bytes + header + 4, sizeof entry);
	return entry <= m->size - header &&
	       link_read((const char *)m->bytes + header + entry, (const char *)m->bytes + m->size, part);
}

/* The module for a further text: a new module, once the texts before have been loaded. Under the lock. */
static struct module *waiting_module(struct shared *all, struct module *fresh)
{
	struct module *m = all->modules;

	while (m && (!m->parts || m->tried))
		m = m->next;
	return m ? m : fresh;
}

/* Make a text a part of the module for further texts; NULL: memory is short. Under the lock. */
static struct module *join(struct shared *all, struct module *fresh, const struct link_part *part)
{
	struct module *m = waiting_module(all, fresh);
	struct link_part *grown = realloc(m->parts, (m->nparts + 1) * sizeof *grown);

	if (!grown)
		return NULL;
	m->parts = grown;
	m->parts[m->nparts++] = *part;
	return m;
}

/* Follow the linker, where a part's own symbol has another name now. */
static void rename_own(const char **name, const struct module *m, size_t part)
{
	char *own = link_own_name(*name, part);

	if (own && memmem(m->bytes, m->size, own, strlen(own)))
		*name = own;
	else
		free(own);
}

/* Link the parts. False: a message has the reason. */
static bool link_module(struct runtime *r, struct module *m)
{
	char wrong[LINK_WRONG], *text = link_texts(m->parts, m->nparts, wrong);
	struct shared *all;

	if (!text) {
		program_say(r->program, "linking kernels: %s", *wrong ? wrong : "no memory");
		return false;
	}
	m->bytes = (const uint8_t *)text;
	m->size = strlen(text);
	all = hold();
	for (struct function *f = all->functions; f; f = f->next)
		if (f->module == m)
			rename_own(&f->name, m, f->part);
	for (struct variable *v = all->variables; v; v = v->next)
		if (v->module == m)
			rename_own(&v->name, m, v->part);
	let_go(all);
	return true;
}

/* ---- registering ---- */

CALL void **RT_HIDDEN(RegisterFatBinary)(void *wrapper);
CALL void RT_HIDDEN(UnregisterFatBinary)(void **handle);
CALL void RT_HIDDEN(RegisterFunction)(void **handle, const char *host, char *device, const char *name, int threads,
				 uint3 *thread, uint3 *block, dim3 *block_size, dim3 *grid_size, int *warp);
CALL void RT_HIDDEN(RegisterVar)(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
			    int constant, int global);

void **RT_HIDDEN(RegisterFatBinary)(void *wrapper)
{
	struct module *m = calloc(1, sizeof *m);

	if (!m || !find_binary(wrapper, m))
		return (void **)m;
	struct link_part part;
	struct shared *all = hold();
	struct module *in = is_relocatable(m, &part) ? join(all, m, &part) : m;
	if (in == m) {
		m->next = all->modules;
		all->modules = m;
	}
	let_go(all);
	if (in != m)
		free(m);
	return (void **)in;
}

/* The latest part, whose kernels and variables are being registered. */
static size_t part_of(const struct module *m) { return m && m->nparts ? m->nparts - 1 : 0; }

void RT_HIDDEN(UnregisterFatBinary)(void **handle) { (void)handle; }

void add_function(struct function *f)
{
	struct shared *all = hold();

	f->next = all->functions;
	all->functions = f;
	let_go(all);
}

bool is_function(const struct function *f)
{
	struct shared *all = hold();
	const struct function *p = all->functions;

	while (p && p != f)
		p = p->next;
	let_go(all);
	return p;
}

void RT_HIDDEN(RegisterFunction)(void **handle, const char *host, char *device, const char *name, int threads,
			    uint3 *thread, uint3 *block, dim3 *block_size, dim3 *grid_size, int *warp)
{
	struct function *f = calloc(1, sizeof *f);

	(void)device, (void)threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp;
	if (!f)
		return;
	*f = (struct function){ .host = host, .name = name, .module = (struct module *)(void *)handle };
	f->part = part_of(f->module);
	add_function(f);
}

struct variable *register_variable(void **handle, const void *host, const char *name, size_t bytes)
{
	struct variable *v = calloc(1, sizeof *v);
	struct module *m = (struct module *)(void *)handle;

	if (!v)
		return NULL;
	*v = (struct variable){ .host = host, .name = name, .module = m, .part = part_of(m), .bytes = bytes };
	struct shared *all = hold();
	if (m)
		m->variables = true;
	v->next = all->variables;
	all->variables = v;
	let_go(all);
	return v;
}

bool has_variable(const struct module *m, bool (*is)(const void *host))
{
	const struct variable *v;

	struct shared *all = hold();
	for (v = all->variables; v && !(v->module == m && is(v->host)); v = v->next)
		;
	let_go(all);
	return v;
}

void RT_HIDDEN(RegisterVar)(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
			    int constant, int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	register_variable(handle, host, name, bytes);
}

/* ---- use ---- */

struct function *find_function(struct runtime *r, const void *host)
{
	struct function *f;

	(void)r;
	struct shared *all = hold();
	for (f = all->functions; f && f->host != host; f = f->next)
		;
	let_go(all);
	return f;
}

/* Programs of nvcc name a managed variable by the variable's address. */
static bool is_named(const struct variable *v, const void *host)
{
	return v->host == host || (v->mirror && v->mirror->host == host);
}

struct variable *find_variable(struct runtime *r, const void *host)
{
	struct variable *v;

	(void)r;
	struct shared *all = hold();
	for (v = all->variables; v && !is_named(v, host); v = v->next)
		;
	let_go(all);
	return v;
}

cudaError_t load_module(struct runtime *r, struct module *m)
{
	struct wb_diag d = { 0 };
	enum wb_status s;

	if (!m || !m->bytes)
		return cudaErrorInvalidKernelImage;
	if (m->tried)
		return m->error;
	m->tried = true;
	if (m->parts && !link_module(r, m))
		return m->error = cudaErrorInvalidKernelImage;
	m->config = program_config(r->program, r->chip, &d);
	s = m->config ? wb_program_load(m->bytes, m->size, program_invocation_short_name, m->config, &m->program, &d)
		      : WB_ENV;
	if (s == WB_OK)
		s = wb_device_load(r->device, m->program, &d);
	m->error = s == WB_OK ? place_heap(r, m, m->program) : cudaErrorNoKernelImageForDevice;
	if (s != WB_OK)
		program_say_diag(r->program, "loading kernels", &d);
	for (struct variable *v = warpbeam_runtime_shared()->variables; v && m->error == cudaSuccess; v = v->next)
		if (v->module == m)
			m->error = load_variable(r, v);
	return m->error;
}

/* Of a module with a kernel that is refused the wanted kernel may do, unless variables are shared by the kernels. */
static struct wb_program *load_alone(struct runtime *r, struct function *f, struct wb_config *c, struct wb_diag *d)
{
	struct wb_program *p = NULL;

	if (f->module->variables || wb_config_set(c, "kernel", f->name, d) != WB_OK ||
	    wb_program_load(f->module->bytes, f->module->size, program_invocation_short_name, c, &p, d) != WB_OK)
		return NULL;
	return wb_device_load(r->device, p, d) == WB_OK && place_heap(r, f->module, p) == cudaSuccess ? p : NULL;
}

cudaError_t prepare_function(struct runtime *r, struct function *f)
{
	struct wb_diag d = { 0 };
	struct wb_program *from;
	struct wb_config *c;

	if (f->kernel || f->error != cudaSuccess)
		return f->error;
	f->error = load_module(r, f->module);
	from = f->module ? f->module->program : NULL;
	c = f->module ? f->module->config : NULL;
	if (f->error != cudaSuccess && c)
		from = f->alone = load_alone(r, f, c, &d);
	if (!from)
		return f->error;
	f->error = cudaSuccess;
	if (program_prepare(r->program, r->device, from, c, f->name, &f->kernel, &d) != WB_OK) {
		program_say_diag(r->program, f->name, &d);
		f->error = cudaErrorInvalidDeviceFunction;
	}
	return f->error;
}
