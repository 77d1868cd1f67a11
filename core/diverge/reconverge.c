/* The table of policies. */
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

const char reconverge_words[] =
#define OWN(word, help) "|" word
#define RECONVERGE(word, way, policy, help) "|" word
#include "core/diverge/reconverge.def"
	;

const char reconverge_help[] = "where diverged lanes reconverge"
#define OWN(word, help) "; " word ": " help
#define RECONVERGE(word, way, policy, help) "; " word ": " help
#include "core/diverge/reconverge.def"
	;
