/* Plans of sweeps: read, checked, and every setting of some points applied to a configuration. A plan whose settings
 * cannot make a run long has its first point run. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/sweep.h"
#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

/* Those of a point that may be run: none of them makes a run long, or names a file of the host. */
static bool is_short(const char *name, const json_t *value)
{
	static const char *const names[] = { "file", "args", "chip", "policy", "reconverge", "diverge", "timing",
					     "group", "seed", "in-order", "simd", "join", "lock", "f24", "uniform",
					     "timing-set g.latency", "kernel", "perfect", "check", "strict", NULL };
	const char *text = json_string_value(value);

	for (unsigned i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return (!text || (!strchr(text, '/') && strcmp(text, "-"))) && !json_is_array(value);
	return !strncmp(name, "arg ", 4) && text && !strchr(text, '=');
}

static void try_point(const struct plan *p, const struct wb_config *config, unsigned long index)
{
	json_t *settings = plan_point(p, index), *value;
	struct wb_config *c = wb_config_copy(config);
	struct wb_diag d = { 0 };
	const char *name;
	bool run = index == 0;

	if (plan_apply(settings, c, &d) != WB_OK && !*d.text)
		abort();
	json_object_foreach(settings, name, value)
		run = run && is_short(name, value);
	if (run)
		json_decref(point_run(p, config, index));
	wb_config_free(c);
	json_decref(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const limits[][2] = { { "max-cycles", "5000" }, { "max-insns", "5000" },
						 { "max-memory", "256M" }, { "files", "none" } };
	struct wb_config *config = wb_config_new();
	const char *path = fuzz_file(bytes, size);
	struct plan p;
	enum wb_status status;

	for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
		wb_config_set(config, limits[i][0], limits[i][1], NULL);
	fuzz_silence();
	if (plan_open(&p, path, NULL, config, &status)) {
		try_point(&p, config, 0);
		try_point(&p, config, p.points - 1);
		try_point(&p, config, p.points / 2);
	} else if (status == WB_OK) {
		abort();
	}
	plan_close(&p);
	fuzz_speak();
	wb_config_free(config);
	return 0;
}
