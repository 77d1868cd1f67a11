/* The table of policies. */
#include <string.h>

#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"

static const struct reconverge rows[] = {
#define OWN(word, help) { word, help, RECONVERGE_OWN, NULL, false },
#define RECONVERGE(word, way, policy, help) { word, help, way, &policy, false },
#define COUNTED(word, help) { word, help, RECONVERGE_OWN, NULL, true },
#include "core/diverge/reconverge.def"
};

const struct reconverge *reconverge_at(unsigned index)
{
	return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

const struct reconverge *reconverge_named(const char *word)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!word || !strcmp(rows[i].word, word))
			return &rows[i];
	return NULL;
}

const char reconverge_words[] =
#define OWN(word, help) "|" word
#define RECONVERGE(word, way, policy, help) "|" word
#include "core/diverge/reconverge.def"
	;

const char reconverge_help[] = "where diverged lanes reconverge, by default as the chip does (v100: barriers, others: "
	"stack)"
#define OWN(word, help) "; " word ": " help
#define RECONVERGE(word, way, policy, help) "; " word ": " help
#include "core/diverge/reconverge.def"
	;
