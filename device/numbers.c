/* Timing values in layers, the last layer wins: the chip's row, the JSON object of --machine, each --timing-set. Limits
 * of a multiprocessor among the values then replace the chip's limits, where occupancy reads limits. */
#include "device/numbers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool one_value(struct wb_prepared *k, const char *file, const char *key, const json_t *v, struct diag *d)
{
	if (!strcmp(key, "chip"))
		return true;            /* read before the others */
	if (!json_is_integer(v) || json_integer_value(v) < 0) {
		diag_set(d, DIAG_INPUT, "\"%s\": expected a number", key);
		return diag_in_file(d, file);
	}
	if (timing_set(&k->plan.numbers, key, (uint64_t)json_integer_value(v), d))
		return true;
	d->kind = DIAG_INPUT;
	return diag_in_file(d, file);
}

/* {"chip": "g200", "alu.latency": 22, …}: the chip's numbers, then each value. */
static bool machine_file(struct wb_prepared *k, const char *file, struct diag *d)
{
	json_error_t e;
	json_t *root, *v;
	const char *key, *chip;
	uint8_t *bytes;
	size_t n;
	bool ok;

	if (!read_file(k->config, &k->files, &k->arena, file, &bytes, &n, d))
		return false;
	root = json_loadb((const char *)bytes, n, 0, &e);
	if (!root) {
		diag_text(d, e.line, e.column, "%s", e.text);
		return diag_in_file(d, file);
	}
	ok = json_is_object(root) || diag_set(d, DIAG_INPUT, "%s: expected an object of timing values", file);
	chip = json_string_value(json_object_get(root, "chip"));
	if (ok && chip && !config_given(k->config, OPT_CHIP)) {
		const struct chip *c = chip_find(chip, d);
		ok = c != NULL;
		if (ok) {
			k->plan.chip = *c;
			timing_init(&k->plan.numbers, c->name);
		}
	}
	json_object_foreach(root, key, v)
		ok = ok && one_value(k, file, key, v, d);
	json_decref(root);
	return ok;
}

static bool one_setting(void *context, const char *text, struct diag *d)
{
	struct wb_prepared *k = context;
	char key[64], *end;
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : 0;
	uint64_t v = equals ? strtoull(equals + 1, &end, 0) : 0;

	if (!n || n >= sizeof key || equals[1] < '0' || equals[1] > '9' || *end)
		return diag_set(d, DIAG_USAGE, "--timing-set: found \"%s\", expected KEY=VALUE such as alu.latency=22",
				text);
	memcpy(key, text, n);
	key[n] = '\0';
	return timing_set(&k->plan.numbers, key, v, d);
}

/* A multiprocessor has n registers, words of a lane. */
static void set_registers(struct chip *c, uint32_t n)
{
	c->max_regs = n;
	if (c->simds)
		c->regs.size = n / c->simds / c->warp_lanes;
}

/* Copy limits of a multiprocessor from the values to the chip. */
static bool apply_limits(struct wb_prepared *k, struct diag *d)
{
	const uint32_t *v = k->plan.numbers.value;

	if (v[T_mp_warps] > SLOTS)
		return diag_set(d, DIAG_USAGE, "mp.warps: found %u, expected at most %d", v[T_mp_warps], SLOTS);
	if (v[T_mp_warps])
		k->plan.chip.max_warps = v[T_mp_warps];
	if (v[T_mp_regs])
		set_registers(&k->plan.chip, v[T_mp_regs]);
	k->plan.chip.max_blocks = v[T_mp_blocks];
	return true;
}

bool set_numbers(struct wb_prepared *k, const struct chip *chip, struct diag *d)
{
	const char *file = config_text(k->config, OPT_MACHINE);

	k->plan.chip = *chip;
	timing_init(&k->plan.numbers, chip->name);
	return (!*file || machine_file(k, file, d)) &&
	       config_each(k->config, OPT_TIMING_SET, &k->arena, one_setting, k, d) &&
	       apply_limits(k, d);
}
