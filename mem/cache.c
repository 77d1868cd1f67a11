/* A fully associative cache with the least recently used line first out (cache.h). */
#include "mem/cache.h"

#include "core/base/arena.h"

bool cache_init(struct cache *c, struct arena *a, uint32_t bytes, uint32_t line)
{
	*c = (struct cache){ .nlines = bytes / line ? bytes / line : 1 };
	/* Lines are written before they are read: a miss takes the next one, and is filled. */
	c->tag = arena_space(a, 3 * (size_t)c->nlines * sizeof *c->tag, _Alignof(uint64_t));
	if (!c->tag)
		return false;
	c->touched_at = c->tag + c->nlines;
	c->filled = c->touched_at + c->nlines;
	return true;
}

static uint32_t find(const struct cache *c, uint64_t line)
{
	uint32_t i = 0;

	while (i < c->used && c->tag[i] != line)
		i++;
	return i;
}

static uint32_t victim(const struct cache *c)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < c->nlines; i++)
		if (c->touched_at[i] < c->touched_at[best])
			best = i;
	return best;
}

bool cache_touch(struct cache *c, uint64_t line, uint64_t now, uint64_t *at)
{
	uint32_t i = c->used && c->tag[c->recent] == line ? c->recent : find(c, line);
	bool hit = i < c->used;

	if (!hit)
		i = c->used < c->nlines ? c->used++ : victim(c);
	c->tag[i] = line;
	c->touched_at[i] = ++c->clock;
	c->recent = i;
	*at = hit && c->filled[i] > now ? c->filled[i] : now;
	return hit;
}

void cache_warm(struct cache *c, uint64_t lines)
{
	uint64_t at;

	for (uint64_t i = lines > c->nlines ? lines - c->nlines : 0; i < lines; i++)
		if (!cache_touch(c, i, 0, &at))
			cache_fill(c, 0);
}

bool cache_settled(const struct cache *c, uint64_t line, uint64_t now, uint64_t *at)
{
	uint32_t i = 0;

	while (i < c->settled && c->tag[i] != line)
		i++;
	if (i == c->settled)
		return false;
	*at = c->filled[i] > now ? c->filled[i] : now;
	return true;
}

void cache_fill(struct cache *c, uint64_t at)
{
	c->filled[c->recent] = at;
}
