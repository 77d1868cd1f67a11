/* theme.def expands once for each theme and state.def once for all. Quantities use the cividis colour map, which also
 * reads in grey and with colour blindness; text is black or white, by the luminance behind it (WCAG 2). */
#include "frontends/view/theme.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OPAQUE 0xff000000u

const struct theme themes[THEMES] = {
#define ROLE(id, dark, light, contrast, print) [ROLE_##id] = OPAQUE | dark,
	{"dark",
	 {
#include "frontends/view/theme.def"
	 }},
#undef ROLE
#define ROLE(id, dark, light, contrast, print) [ROLE_##id] = OPAQUE | light,
	{"light",
	 {
#include "frontends/view/theme.def"
	 }},
#undef ROLE
#define ROLE(id, dark, light, contrast, print) [ROLE_##id] = OPAQUE | contrast,
	{"high-contrast",
	 {
#include "frontends/view/theme.def"
	 }},
#undef ROLE
#define ROLE(id, dark, light, contrast, print) [ROLE_##id] = OPAQUE | print,
	{"print",
	 {
#include "frontends/view/theme.def"
	 }},
#undef ROLE
};

const struct lane_look lane_looks[LANE_STATES] = {
#define STATE(id, letter, colour, shape, name, text) {letter, OPAQUE | colour, SHAPE_##shape, name, text},
#include "frontends/view/state.def"
#undef STATE
};

/* cividis (Nuñez, Anderton, Renslow 2018), sampled at 33 even steps: 0 to 32 lanes. */
static const uint32_t cividis[RAMP] = {
	0x002051, 0x00265d, 0x012b65, 0x083169, 0x11366c, 0x1c3c6e, 0x26426e, 0x31476e, 0x3c4d6e, 0x47536d, 0x51586e,
	0x5a5e6e, 0x62646f, 0x6a6a70, 0x727071, 0x797673, 0x7f7c75, 0x868276, 0x8c8877, 0x938e78, 0x9a9478, 0xa19b78,
	0xa9a177, 0xb2a874, 0xbbaf71, 0xc5b66d, 0xcebd68, 0xd8c462, 0xe2cb5c, 0xebd355, 0xf3da4f, 0xfae249, 0xfdea45,
};

const struct theme *theme_find(const char *name)
{
	for (int i = 0; i < THEMES; i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return NULL;
}

uint32_t ramp_colour(double share)
{
	int step = (int)lround(share * (RAMP - 1));
	return OPAQUE | cividis[step < 0 ? 0 : step >= RAMP ? RAMP - 1 : step];
}

uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t out = OPAQUE;
	for (int shift = 0; shift < 24; shift += 8) {
		double x = (a >> shift & 0xff) * share + (b >> shift & 0xff) * (1 - share);
		out |= (uint32_t)lround(x) << shift;
	}
	return out;
}

static double linear(uint32_t channel)
{
	double x = (channel & 0xff) / 255.0;
	return x <= 0.04045 ? x / 12.92 : exp2(2.4 * log2((x + 0.055) / 1.055));
}

double luminance(uint32_t colour)
{
	return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8) + 0.0722 * linear(colour);
}

double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
	return x > y ? x / y : y / x;
}

static bool stands_out(uint32_t colour, const uint32_t grounds[2], double least)
{
	return contrast(colour, grounds[0]) >= least && contrast(colour, grounds[1]) >= least;
}

static uint32_t made_to_stand_out(uint32_t colour, const uint32_t grounds[2], double least)
{
	enum { HALVINGS = 6 };
	uint32_t away = ink_on(grounds[0]), found = away;
	double low = 0, high = 1; /* of the colour's share */
	if (stands_out(colour, grounds, least))
		return colour;
	for (int i = 0; i < HALVINGS; i++) {
		double share = (low + high) / 2;
		uint32_t tried = mix(colour, away, share);
		bool enough = stands_out(tried, grounds, least);
		found = enough ? tried : found;
		low = enough ? share : low;
		high = enough ? high : share;
	}
	return found;
}

uint32_t mark_on(const struct theme *t, uint32_t colour)
{
	return made_to_stand_out(colour, (const uint32_t[]){t->role[ROLE_PANEL], t->role[ROLE_SELECT]}, MARK_CONTRAST);
}

uint32_t text_on(const struct theme *t, uint32_t colour)
{
	return made_to_stand_out(colour, (const uint32_t[]){t->role[ROLE_PANEL], t->role[ROLE_SELECT]}, TEXT_CONTRAST);
}

uint32_t mark_over(uint32_t colour, uint32_t ground)
{
	return made_to_stand_out(colour, (const uint32_t[]){ground, ground}, MARK_CONTRAST);
}

uint32_t ink_on(uint32_t colour)
{
	/* the two contrasts (L + 0.05) / 0.05 and 1.05 / (L + 0.05) are equal at 0.179 */
	return luminance(colour) > 0.179 ? 0xff000000u : 0xffffffffu;
}
