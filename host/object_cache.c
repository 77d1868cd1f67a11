/* An entry is a file KEY.hsaco, KEY.inputs, KEY.bc, KEY.version or KEY.so, the key in hexadecimal: the bytes, then the
 * SHA-256 of key and bytes. Entries and folder are the user's and nobody else's to write, so an object here is one that
 * Warpbeam made for this user; the hash finds entries that a full disk or a failing one has cut or changed. An
 * unfinished entry is KEY.hsaco.THREAD. */
#include "host/object_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BYTES_MAX (INT64_C(256) << 20)
enum { DAY = 24 * 60 * 60, AGE_MAX = 90 * DAY, UNFINISHED_AGE_MAX = DAY };
enum { NAME_SIZE = 2 * SHA256_BYTES + 32, HASH_DIGITS = 2 * SHA256_BYTES, OLD_DIGITS = 32 };

static bool is_mine(const struct stat *s)
{
	return s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

int object_cache_open(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = cache && *cache == '/';
	char path[PATH_MAX];
	struct stat s;
	int n, folder;

	if (!own && !(home && *home == '/'))
		return -1;
	n = snprintf(path, sizeof path, "%s%s", own ? cache : home, own ? "" : "/.cache");
	if (n >= PATH_MAX - 16)
		return -1;
	mkdir(path, 0700);
	strcpy(path + n, "/warpbeam");
	mkdir(path, 0700);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder >= 0 && !fstat(folder, &s) && is_mine(&s))
		return folder;
	if (folder >= 0)
		close(folder);
	return -1;
}

static const char *const suffixes[] = { [CACHED_OBJECT] = ".hsaco", [CACHED_INPUTS] = ".inputs",
					 [CACHED_BUILTINS] = ".bc", [CACHED_VERSION] = ".version",
					 [CACHED_NATIVE] = ".so" };

static void name_of(enum cached kind, const uint8_t key[SHA256_BYTES], char name[NAME_SIZE])
{
	for (int i = 0; i < SHA256_BYTES; i++)
		sprintf(name + 2 * i, "%02x", key[i]);
	strcpy(name + HASH_DIGITS, suffixes[kind]);
}

static void hash_of(const uint8_t key[SHA256_BYTES], const void *object, size_t size, uint8_t hash[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	sha256_add(&s, key, SHA256_BYTES);
	sha256_add(&s, object, size);
	sha256_end(&s, hash);
}

/* ---- reading ---- */

/* The bytes of a regular file of the user's. O_NONBLOCK: a pipe of the name is opened and refused, not waited for. */
static bool read_entry(int folder, const char *name, struct child_text *t)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat s;
	bool ok = fd >= 0 && !fstat(fd, &s) && S_ISREG(s.st_mode) && is_mine(&s) && child_slurp(fd, t);

	if (ok)
		futimens(fd, NULL);     /* the time of its last use */
	if (fd >= 0)
		close(fd);
	return ok;
}

bool object_cache_read(int folder, enum cached kind, const uint8_t key[SHA256_BYTES], struct child_text *object)
{
	uint8_t hash[SHA256_BYTES];
	char name[NAME_SIZE];

	*object = (struct child_text){ NULL, 0 };
	name_of(kind, key, name);
	if (read_entry(folder, name, object) && object->size > SHA256_BYTES) {
		object->size -= SHA256_BYTES;
		hash_of(key, object->bytes, object->size, hash);
		if (!memcmp(hash, object->bytes + object->size, SHA256_BYTES))
			return true;
	}
	free(object->bytes);
	*object = (struct child_text){ NULL, 0 };
	return false;
}

/* ---- removing ---- */

struct entry {
	char name[NAME_SIZE];
	time_t used;
	off_t size;
};

/* The text behind a suffix at p; NULL: no suffix. */
static const char *behind_suffix(const char *p)
{
	for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (!strncmp(p, suffixes[i], strlen(suffixes[i])))
			return p + strlen(suffixes[i]);
	return NULL;
}

/* Whether Warpbeam made the file of a name: KEY.hsaco, KEY.hsaco.THREAD, and with shorter keys of version 0.3.0. */
static bool is_entry(const char *name, bool *finished, bool *old)
{
	size_t digits = strspn(name, "0123456789abcdef");
	const char *end = behind_suffix(name + digits);

	*old = digits == OLD_DIGITS;
	if ((!*old && digits != HASH_DIGITS) || !end)
		return false;
	*finished = !*end;
	return *finished || (*end == '.' && strspn(end + 1, "0123456789") == strlen(end + 1) &&
			     strlen(name) < NAME_SIZE);
}

/* Storage for a power of two of entries: a full cache has tens of thousands. */
static void push_entry(struct entry **list, size_t *n, const char *name, const struct stat *s)
{
	struct entry *more = *list;

	if (!(*n & (*n - 1)) && !(more = realloc(*list, (*n ? 2 * *n : 1) * sizeof *more)))
		return;
	*list = more;
	more[*n] = (struct entry){ .used = s->st_mtime, .size = s->st_size };
	strcpy(more[(*n)++].name, name);
}

/* Take a file of the folder into the list, or remove the file at once. */
static void see(int folder, const char *name, struct entry **list, size_t *n)
{
	time_t now = time(NULL);
	bool finished, old;
	struct stat s;

	if (!is_entry(name, &finished, &old) || fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW))
		return;
	if (old || now - s.st_mtime > (finished ? AGE_MAX : UNFINISHED_AGE_MAX)) {
		unlinkat(folder, name, 0);
		return;
	}
	if (finished)
		push_entry(list, n, name, &s);
}

static int latest_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->used != y->used ? (x->used < y->used) - (x->used > y->used) : strcmp(x->name, y->name);
}

static void remove_old(int folder)
{
	int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = again >= 0 ? fdopendir(again) : NULL;
	struct entry *list = NULL;
	const struct dirent *e;
	int64_t bytes = 0;
	size_t n = 0;

	while (d && (e = readdir(d)))
		see(folder, e->d_name, &list, &n);
	if (n)
		qsort(list, n, sizeof *list, latest_first);
	for (size_t i = 0; i < n; i++)
		if ((bytes += list[i].size) > BYTES_MAX)
			unlinkat(folder, list[i].name, 0);
	free(list);
	if (d)
		closedir(d);
	else if (again >= 0)
		close(again);
}

/* ---- writing ---- */

static bool put(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;
	ssize_t wrote = 0;

	for (; n && wrote >= 0; p += wrote, n -= (size_t)wrote) {
		wrote = write(fd, p, n);
		if (wrote < 0 && errno == EINTR)
			wrote = 0;
	}
	return !n;
}

void object_cache_write(int folder, enum cached kind, const uint8_t key[SHA256_BYTES], const void *bytes, size_t size)
{
	char name[NAME_SIZE], unfinished[NAME_SIZE + 16];
	uint8_t hash[SHA256_BYTES];
	bool ok;
	int fd;

	name_of(kind, key, name);
	hash_of(key, bytes, size, hash);
	snprintf(unfinished, sizeof unfinished, "%s.%ld", name, (long)gettid());
	unlinkat(folder, unfinished, 0);
	fd = openat(folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	ok = put(fd, bytes, size) && put(fd, hash, sizeof hash);
	ok = close(fd) == 0 && ok;
	if (!ok || renameat(folder, unfinished, folder, name))
		unlinkat(folder, unfinished, 0);
	if (kind == CACHED_OBJECT || kind == CACHED_NATIVE)
		remove_old(folder);
}
