/* The numbers of the timing model, from timing.def: values on a chip, keys, sources. */
#include "sched/timing.h"

#include <stdio.h>
#include <string.h>

#include "core/base/diag.h"

/* Label of a number in print: how the number is known (spec timing). */
#define LABEL_A "A"
#define LABEL_B "B"
#define LABEL_C "C"
#define LABEL_C_OK "C✓"
#define LABEL_D "D"
#define LABEL_OURS "ours"

static const struct row {
	struct timing_info info;
	uint32_t value;
} rows[TIMINGS] = {
#define TIMING(id, key, value, unit, label, source) [T_##id] = { { key, unit, LABEL_##label, source }, value },
#include "sched/timing.def"
};

static const struct override {
	const char *chip;
	enum timing_id id;
	uint32_t value;
	const char *label, *source;
} overrides[] = {
#define TIMING(id, key, value, unit, label, source)
#define TIMING_ON(chip, id, value, label, source) { #chip, T_##id, value, LABEL_##label, source },
#include "sched/timing.def"
};

enum { OVERRIDES = sizeof overrides / sizeof *overrides, LARGEST = 100000000 };

static const struct override *override_for(enum timing_id id, const char *chip)
{
	for (size_t i = 0; i < OVERRIDES; i++)
		if (overrides[i].id == id && !strcmp(overrides[i].chip, chip))
			return &overrides[i];
	return NULL;
}

void timing_init(struct timing *t, const char *chip)
{
	for (int id = 0; id < TIMINGS; id++) {
		const struct override *o = override_for((enum timing_id)id, chip);
		t->value[id] = o ? o->value : rows[id].value;
		t->set[id] = false;
	}
}

enum timing_id timing_id(const char *key)
{
	int id = 0;

	while (id < TIMINGS && strcmp(rows[id].info.key, key))
		id++;
	return (enum timing_id)id;
}

/* Keys that share a part with an unknown key, for a message. */
static void like(const char *key, char *out, size_t size)
{
	const char *dot = strchr(key, '.');
	size_t n = dot ? (size_t)(dot - key) : strlen(key), used = 0;

	out[0] = '\0';
	for (int id = 0; id < TIMINGS; id++) {
		const char *k = rows[id].info.key;
		bool close = !strncmp(k, key, n) || (dot && strstr(k, dot));
		if (close && used + strlen(k) + 2 < size)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", k);
	}
}

bool timing_set(struct timing *t, const char *key, uint64_t value, struct diag *d)
{
	char near[200];

	for (int id = 0; id < TIMINGS; id++) {
		bool zero_is_fine = rows[id].value == 0 || strstr(key, "latency") || strstr(key, "extra");
		if (strcmp(rows[id].info.key, key))
			continue;
		if (value > LARGEST || (!value && !zero_is_fine))
			return diag_set(d, DIAG_USAGE, "timing %s: found %llu, expected %s%d (%s)", key,
					(unsigned long long)value, zero_is_fine ? "0 to " : "1 to ", LARGEST,
					rows[id].info.unit);
		t->value[id] = (uint32_t)value;
		t->set[id] = true;
		return true;
	}
	like(key, near, sizeof near);
	return diag_set(d, DIAG_USAGE, "no timing value \"%s\"; %s%s", key,
			near[0] ? "there is " : "see warpbeam bench timing --sources", near);
}

struct timing_info timing_info(enum timing_id id, const char *chip)
{
	const struct override *o = override_for(id, chip);
	struct timing_info i = rows[id].info;

	if (o) {
		i.label = o->label;
		i.source = o->source;
	}
	return i;
}
