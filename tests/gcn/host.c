#include "tests/gcn/host.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 64 << 10, LOCAL_MAX = 1024 };

typedef void kernel_fn(void *out, const void *in, uint32_t n);
typedef void table_kernel_fn(void *out, const void *in, uint32_t n, const void *table);

struct host_program {
	void *library;
	char path[64];
};

/* The run in progress; coroutines have no argument but this. */
static struct {
	ucontext_t scheduler, item[LOCAL_MAX];
	bool done[LOCAL_MAX];
	char *stacks;
	unsigned current, group, groups, local, unfinished;
	kernel_fn *kernel;      /* without a table */
	table_kernel_fn *table_kernel;
	void *out;
	const void *in, *table;
	uint32_t n;
} now;

/* ---- what host.cl calls ---- */

unsigned long host_id(int what, unsigned dimension);
unsigned long host_id(int what, unsigned dimension)
{
	const unsigned long value[] = {
		(unsigned long)now.group * now.local + now.current, now.current, now.group, now.local, now.groups,
		(unsigned long)now.groups * now.local,
	};
	return dimension ? what >= 3 : value[what];
}

void host_barrier(void);
void host_barrier(void)
{
	swapcontext(&now.item[now.current], &now.scheduler);
}

double host_sqrt(double a);
double host_sqrt(double a)
{
	return sqrt(a);
}

double host_floor(double a);
double host_floor(double a)
{
	return floor(a);
}

double host_fma(double a, double b, double c);
double host_fma(double a, double b, double c)
{
	return fma(a, b, c);
}

/* ---- compiling ---- */

/* A bare system has clang by its version alone. */
#define CLANG "$(command -v clang || command -v clang-19 || command -v clang-14)"

bool host_can_compile(void)
{
	return system("printf 'kernel void k(global int *p) { *p = 1; }' | " CLANG " -x cl -cl-std=CL1.2 -fPIC -shared "
		      "-nostdlib "
		      "-o /dev/null - >/dev/null 2>&1") == 0;
}

struct host_program *host_compile(const char *folder, const char *path)
{
	struct host_program *p = calloc(1, sizeof *p);
	char command[2048];
	int fd;

	if (!p)
		return NULL;
	strcpy(p->path, "/tmp/wb-host-XXXXXX");
	fd = mkstemp(p->path);
	if (fd < 0) {
		free(p);
		return NULL;
	}
	close(fd);
	snprintf(command, sizeof command,
		 CLANG " -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -O1 -ffp-contract=off -w -fPIC -shared "
		 "-include "
		 "%s/host.cl -o %s %s",
		 folder, p->path, path);
	if (system(command) == 0)
		p->library = dlopen(p->path, RTLD_NOW | RTLD_LOCAL);
	if (!p->library) {
		fprintf(stderr, "%s: %s\n", path, dlerror());
		host_free(p);
		return NULL;
	}
	return p;
}

void host_free(struct host_program *p)
{
	if (!p)
		return;
	if (p->library)
		dlclose(p->library);
	unlink(p->path);
	free(p);
}

/* ---- running ---- */

static void run_item(void)
{
	if (now.table)
		now.table_kernel(now.out, now.in, now.n, now.table);
	else
		now.kernel(now.out, now.in, now.n);
	now.done[now.current] = true;
	now.unfinished--;
}

static void begin_item(unsigned i)
{
	getcontext(&now.item[i]);
	now.item[i].uc_stack.ss_sp = now.stacks + (size_t)i * STACK;
	now.item[i].uc_stack.ss_size = STACK;
	now.item[i].uc_link = &now.scheduler;
	makecontext(&now.item[i], run_item, 0);
	now.done[i] = false;
}

static void run_group(void)
{
	for (unsigned i = 0; i < now.local; i++)
		begin_item(i);
	for (now.unfinished = now.local; now.unfinished;)
		for (now.current = 0; now.current < now.local; now.current++)
			if (!now.done[now.current])
				swapcontext(&now.scheduler, &now.item[now.current]);
}

bool host_run(const struct host_program *p, const char *kernel, unsigned groups, unsigned local, void *out,
	      const void *in, uint32_t n, const void *table)
{
	void *symbol = dlsym(p->library, kernel);

	if (!symbol || local > LOCAL_MAX || !(now.stacks = malloc((size_t)local * STACK)))
		return false;
	memcpy(&now.kernel, &symbol, sizeof symbol);
	memcpy(&now.table_kernel, &symbol, sizeof symbol);
	now.table = table;
	now.out = out;
	now.in = in;
	now.n = n;
	now.local = local;
	now.groups = groups;
	for (now.group = 0; now.group < groups; now.group++)
		run_group();
	free(now.stacks);
	return true;
}
