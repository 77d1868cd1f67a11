/* The lane slots that the branches of two programs lose, side by side: the most expensive of each, in the order of the
 * code. */
#include "frontends/cli/compare.h"
#include "frontends/cli/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, WIDTH = 34 };

static int by_pc(const void *a, const void *b)
{
	const struct wb_branch *x = a, *y = b;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

/* The instruction's own word, behind its predicate. */
static char *word_of(const char *text)
{
	text += *text == '(' ? strcspn(text, ")") : 0;
	text += strspn(text, ") ");
	return strndup(text, strcspn(text, " "));
}

void lossy_collect(struct lossy *l, const char *file, const struct wb_report *r)
{
	size_t n = r->nbranches < MOST ? r->nbranches : MOST; /* the most expensive come first */
	struct wb_branch *sorted = grow(NULL, (n + 1) * sizeof *sorted);
	*l = (struct lossy){strdup(file), grow(NULL, (n + 1) * sizeof *l->branch), n};
	memcpy(sorted, r->branches, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_pc);
	for (size_t i = 0; i < n; i++) {
		int line = report_line(r, sorted[i].pc);
		char place[32] = "";
		struct lossy_branch *b = &l->branch[i];
		if (line)
			snprintf(place, sizeof place, " (line %d)", line);
		*b = (struct lossy_branch){NULL, word_of(sorted[i].text), sorted[i].lost, sorted[i].splits};
		if (asprintf(&b->text, "0x%" PRIx32 " %s%s", sorted[i].pc, sorted[i].text, place) < 0)
			no_memory();
	}
	free(sorted);
}

void lossy_free(struct lossy *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->branch[i].text);
		free(l->branch[i].word);
	}
	free(l->branch);
	free(l->file);
	*l = (struct lossy){NULL, NULL, 0};
}

static void print_pair(const struct lossy_branch *a, const struct lossy_branch *b)
{
	uint64_t x = a ? a->lost : 0, y = b ? b->lost : 0;
	char left[32], right[32], change[33] = "0";
	grouped(left, x);
	grouped(right, y);
	if (x != y) {
		change[0] = x > y ? '-' : '+';
		grouped(change + 1, x > y ? x - y : y - x);
	}
	printf("  %12s %12s %13s  %-*s%s%s\n", a ? left : "", b ? right : "", change, b ? WIDTH : 0,
	       a ? shown(a->text) : "", b ? "  " : "", b ? b->text : "");
}

static bool alike(const struct lossy_branch *a, const struct lossy_branch *b)
{
	return !strcmp(a->word, b->word);
}

void lossy_print(const struct cli *c, const struct lossy *a, const struct lossy *b)
{
	unsigned most[MOST + 1][MOST + 1] = {{0}}; /* pairs that the branches from i and k on can make */
	size_t i, k;
	if (!a->n && !b->n)
		return;
	for (i = a->n; i-- > 0;) {
		for (k = b->n; k-- > 0;) {
			most[i][k] = most[i + 1][k] > most[i][k + 1] ? most[i + 1][k] : most[i][k + 1];
			if (alike(&a->branch[i], &b->branch[k]) && most[i + 1][k + 1] >= most[i][k])
				most[i][k] = most[i + 1][k + 1] + 1;
		}
	}
	printf("\n%sLost lane slots by branch%s: A is %s, B is %s\n  %12s %12s %13s  %-*s  %s\n", tint(c, TINT_BOLD),
	       tint(c, TINT_NONE), a->file, b->file, "A", "B", "B - A", WIDTH, "A's branch", "B's branch");
	for (i = k = 0; i < a->n || k < b->n;) {
		bool left = i < a->n, right = k < b->n;
		if (left && right && alike(&a->branch[i], &b->branch[k]))
			print_pair(&a->branch[i++], &b->branch[k++]);
		else if (left && (!right || most[i + 1][k] >= most[i][k + 1]))
			print_pair(&a->branch[i++], NULL);
		else
			print_pair(NULL, &b->branch[k++]);
	}
}
