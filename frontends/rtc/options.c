/* Options of a compilation, which both interfaces spell alike. */
#include "frontends/rtc/rtc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpbeam.h"

enum effect { DEFINE, INCLUDE, ARCH, CONTRACT, NOTHING };

/* The spellings; a value follows behind =, in the next word, or at once where `glued`. */
static const struct spelling {
	const char *word;
	enum effect effect;
	bool value, glued;
} spellings[] = {
	{ "-D", DEFINE, true, true }, { "--define-macro", DEFINE, true, false },
	{ "-I", INCLUDE, true, true }, { "--include-path", INCLUDE, true, false },
	{ "-arch", ARCH, true, false }, { "--gpu-architecture", ARCH, true, false },
	{ "--offload-arch", ARCH, true, false },
	{ "--fmad", CONTRACT, true, false }, { "-fmad", CONTRACT, true, false },
	/* without an effect here: the compiler's own way does the same, or PTX has no word for the option */
	{ "-std", NOTHING, true, false }, { "--std", NOTHING, true, false },
	{ "-lineinfo", NOTHING, false, false }, { "--generate-line-info", NOTHING, false, false },
	{ "-G", NOTHING, false, false }, { "--device-debug", NOTHING, false, false },
	{ "-use_fast_math", NOTHING, false, false }, { "--use_fast_math", NOTHING, false, false },
	{ "-ffast-math", NOTHING, false, false },
	{ "-default-device", NOTHING, false, false },
	{ "--device-as-default-execution-space", NOTHING, false, false },
	{ "-w", NOTHING, false, false }, { "--disable-warnings", NOTHING, false, false },
	{ "-restrict", NOTHING, false, false }, { "--restrict", NOTHING, false, false },
	{ "-maxrregcount", NOTHING, true, false }, { "--maxrregcount", NOTHING, true, false },
	{ "-ftz", NOTHING, true, false }, { "--ftz", NOTHING, true, false },
	{ "-prec-sqrt", NOTHING, true, false }, { "--prec-sqrt", NOTHING, true, false },
	{ "-prec-div", NOTHING, true, false }, { "--prec-div", NOTHING, true, false },
	{ "-rdc", NOTHING, true, false }, { "--relocatable-device-code", NOTHING, true, false },
	{ "-O0", NOTHING, false, false }, { "-O1", NOTHING, false, false }, { "-O2", NOTHING, false, false },
	{ "-O3", NOTHING, false, false },
};

/* The value in the option itself, "" for one in the next word; NULL: the option has another spelling. */
static const char *value_of(const struct spelling *s, const char *option)
{
	size_t n = strlen(s->word);

	if (strncmp(option, s->word, n))
		return NULL;
	if (!option[n])
		return "";
	if (s->value && option[n] == '=' && !s->glued)
		return option + n + 1;
	return s->glued ? option + n : NULL;
}

static bool set(struct rtc_program *p, struct wb_config *c, const char *name, const char *value)
{
	struct wb_diag d;

	if (wb_config_set(c, name, value, &d) == WB_OK)
		return true;
	rtc_say(p, "error: %s", d.text);
	return false;
}

static bool obey(struct rtc_program *p, const struct rtc_language *l, struct wb_config *c, const struct spelling *s,
		 const char *value)
{
	const char *chip = NULL;

	switch (s->effect) {
	case DEFINE: return set(p, c, "define", value);
	case INCLUDE: return set(p, c, "include", value);
	case CONTRACT: return set(p, c, "contract", strcmp(value, "false") ? "on" : "off");
	case ARCH:
		if (!l->arch(p, value, &chip)) {
			rtc_say(p, "error: invalid value for --gpu-architecture: %s", value);
			return false;
		}
		return !chip || set(p, c, "chip", chip);
	default: return true;
	}
}

/* Take the option at *i, and the next word where the value is there. False: the value is wrong, or missing. */
static bool take(struct rtc_program *p, const struct rtc_language *l, struct wb_config *c, int n,
		 const char *const *options, int *i)
{
	const char *option = options[*i], *value;

	while (isspace((unsigned char)*option))
		option++;
	for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
		value = value_of(&spellings[k], option);
		if (!value)
			continue;
		if (!*value && spellings[k].value) {
			if (*i + 1 == n || !options[*i + 1]) {
				rtc_say(p, "error: %s needs a value", option);
				return false;
			}
			value = options[++*i];
		}
		return obey(p, l, c, &spellings[k], value);
	}
	rtc_say(p, "warning: option %s is unknown here, and without effect", option);
	return true;
}

/* Options of the environment for the compiler, as for whole programs. */
static bool take_environment(struct rtc_program *p, struct wb_config *c)
{
	static const char *const names[][2] = {
		{ "cc", "WARPBEAM_CC" }, { "cuda-compiler", "WARPBEAM_CUDA_COMPILER" },
		{ "libclc", "WARPBEAM_LIBCLC" }, { "max-seconds", "WARPBEAM_MAX_SECONDS" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i][1]);
		if (value && *value && !set(p, c, names[i][0], value))
			return false;
	}
	return true;
}

bool rtc_options(struct rtc_program *p, const struct rtc_language *l, struct wb_config *c, int n,
		 const char *const *options)
{
	const char *chip = l->chip ? l->chip : getenv("WARPBEAM_CHIP");

	if (!set(p, c, "format", l->format) || !set(p, c, "chip", chip && *chip ? chip : "gfx900") ||
	    !take_environment(p, c))
		return false;
	for (int i = 0; i < n; i++)
		if (!options[i] || !take(p, l, c, n, options, &i))
			return false;
	return true;
}
