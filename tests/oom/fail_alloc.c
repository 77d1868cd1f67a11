/* Loaded before the C library (LD_PRELOAD): the WB_FAIL_AT-th allocation of the process fails, the others do not. With
 * WB_FAIL_COUNT=FILE the number of them goes there at the end. Calls of one process are counted, not those of its
 * children. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static unsigned long calls, at;
static int owner;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("WB_FAIL_AT");

	at = text ? strtoul(text, NULL, 10) : 0;
	owner = getpid();
	calls = 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("WB_FAIL_COUNT");
	FILE *f;
	unsigned long n = calls;

	if (!path || getpid() != owner)
		return;
	at = 0;
	f = fopen(path, "w");
	if (f) {
		fprintf(f, "%lu\n", n);
		fclose(f);
	}
}

static int fails(void)
{
	if (!owner || getpid() != owner || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != at)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails() ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return fails() ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	*p = fails() ? NULL : __libc_memalign(align, n);
	return *p ? 0 : ENOMEM;
}

/* The host has no large pages for a process to keep (core/base/pages.c): each area is a call of its own, which can
 * fail. */
static int is_kept_pages(size_t n, int flags, int fd)
{
	return n == 34 << 20 && fd == -1 && flags & MAP_ANONYMOUS;
}

void *mmap(void *p, size_t n, int protection, int flags, int fd, off_t offset)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);

	if (!real)
		real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
	return is_kept_pages(n, flags, fd) || fails() ? MAP_FAILED : real(p, n, protection, flags, fd, offset);
}
