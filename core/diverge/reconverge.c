/* The table of policies. */
#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"

static const struct reconverge rows[] = {
#define RECONVERGE(word, way, policy, help) { word, help, way, policy, false },
#define COUNTED(word, help)
#include "core/diverge/reconverge.def"
#undef RECONVERGE
#undef COUNTED
#define RECONVERGE(word, way, policy, help)
#define COUNTED(word, help) { word, help, RECONVERGE_OWN, NULL, true },
#include "core/diverge/reconverge.def"
#undef RECONVERGE
#undef COUNTED
};

const struct reconverge *reconverge_at(unsigned index)
{
	return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

#define COUNTED(word, help)
#define RECONVERGE(word, way, policy, help) "|" word
const char reconverge_words[] =
#include "core/diverge/reconverge.def"
	;
#undef RECONVERGE

#define RECONVERGE(word, way, policy, help) "; " word ": " help
const char reconverge_help[] = "where diverged lanes reconverge"
#include "core/diverge/reconverge.def"
	;
