/* Counted launches, from the process that launches to the one that reports (counts.h). */
#include "frontends/program/counts.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char magic[16] = "warpbeam counts";

struct counts *counts_open(const char *journal, char suffix[COUNTS_SUFFIX])
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s-XXXXXX", journal);
	int fd = n > 0 && n < (int)sizeof path ? mkostemp(path, O_CLOEXEC) : -1;
	struct counts *c = MAP_FAILED;

	if (fd < 0)
		return NULL;
	/* blocks of the file are there before the first launch: a full file system is no fault of a store later */
	if (!posix_fallocate(fd, 0, sizeof *c))
		c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (c == MAP_FAILED) {
		unlink(path);
		return NULL;
	}
	memcpy(c->magic, magic, sizeof magic);
	snprintf(suffix, COUNTS_SUFFIX, "%s", path + n - 6);
	return c;
}

static struct counts_row *find(struct counts *c, const struct table_launch *l)
{
	for (uint64_t i = c->nrows; i--;) {     /* the latest rows are the likeliest */
		struct counts_row *r = &c->row[i];
		if (!memcmp(r->grid, l->grid, sizeof r->grid) && !memcmp(r->block, l->block, sizeof r->block) &&
		    !strcmp(r->kernel, l->kernel))
			return r;
	}
	return NULL;
}

bool counts_has(struct counts *c, const struct table_launch *l)
{
	struct counts_row *r = find(c, l);

	if (r)
		return true;
	if (c->nrows == COUNTS_ROWS || strlen(l->kernel) >= COUNTS_KERNEL)
		return false;
	r = &c->row[c->nrows];
	strcpy(r->kernel, l->kernel);
	memcpy(r->grid, l->grid, sizeof r->grid);
	memcpy(r->block, l->block, sizeof r->block);
	c->nrows++;
	return true;
}

static void copy(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
}

void counts_begin(struct counts *c, uint64_t index, const char *kernel, uint64_t number, const char *call)
{
	c->running.index = 0;           /* a reader of half a name is not misled */
	c->running.number = number;
	copy(c->running.kernel, COUNTS_KERNEL, kernel);
	copy(c->running.call, COUNTS_CALL, call);
	c->running.index = index;
}

void counts_end(struct counts *c, const struct table_launch *l, const char *chip)
{
	struct counts_row *r = find(c, l);

	c->latest = c->running;
	c->running.index = 0;
	copy(c->chip, COUNTS_CHIP, chip);
	r->launches++;
	r->bad += !l->good;
	table_sum(&r->sum, &l->numbers);
}

static void clean(char *text, size_t size)
{
	char out[COUNTS_KERNEL];

	text[size - 1] = '\0';
	wb_clean(text, strlen(text), "", out, size);
	memcpy(text, out, size);
}

bool counts_read(const char *journal, const char *suffix, struct counts *out)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s-%s", journal, suffix);
	FILE *f = n > 0 && n < (int)sizeof path && !strchr(suffix, '/') ? fopen(path, "re") : NULL;
	bool good = f && fread(out, sizeof *out, 1, f) == 1 && !memcmp(out->magic, magic, sizeof magic) &&
		    out->nrows <= COUNTS_ROWS;

	if (f) {
		fclose(f);
		unlink(path);
	}
	if (!good)
		return false;
	clean(out->chip, COUNTS_CHIP);
	for (int i = 0; i < 2; i++) {
		struct counts_launch *l = i ? &out->latest : &out->running;
		clean(l->kernel, COUNTS_KERNEL);
		clean(l->call, COUNTS_CALL);
	}
	for (uint64_t i = 0; i < out->nrows; i++)
		clean(out->row[i].kernel, COUNTS_KERNEL);
	return true;
}
