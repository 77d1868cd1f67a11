/* One line on stderr, written over itself at most five times a second from the second second on, erased at the end. A
 * line asked for by SIGUSR1 stays, on a terminal or not: the handler sets a flag, and the next look at the work
 * writes. */
#include "frontends/cli/progress.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile sig_atomic_t asked;

static void on_question(int signal_number)
{
	(void)signal_number;
	asked = 1;
}

void progress_signal(void)
{
	struct sigaction question = {.sa_handler = on_question, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &question, NULL);
}

void progress_start(struct progress *p, const struct cli *c, const char *what)
{
	*p = (struct progress){.what = what, .wanted = !c->quiet && isatty(STDERR_FILENO), .started = seconds()};
}

/* 1234 as "1234", 41,234,567 as "41.2 M". */
static void number(FILE *f, double n)
{
	static const char prefix[] = "kMGT";
	unsigned i = 0;

	if (n < 10000) {
		fprintf(f, n < 10 && n != (unsigned)n ? "%.1f" : "%.0f", n);
		return;
	}
	for (n /= 1000; n >= 999.95 && i + 2 < sizeof prefix; i++)
		n /= 1000;
	fprintf(f, "%.1f %c", n, prefix[i]);
}

static void one_work(FILE *f, const struct progress_work *w, double seconds)
{
	number(f, (double)w->done);
	if (w->all) {
		fputs(w->estimated ? " of about " : " of ", f);
		number(f, (double)w->all);
	}
	fprintf(f, " %s", w->unit);
	if (w->done <= w->before)
		return;
	fputs(" (", f);
	number(f, (double)(w->done - w->before) / seconds);
	fputs(" a second)", f);
}

static void time_left(FILE *f, double seconds)
{
	if (seconds < 100)
		fprintf(f, ", about %.0f s left", seconds);
	else
		fprintf(f, ", about %.0f min left", seconds / 60);
}

void progress_text(char *out, size_t size, const struct progress_work *work, unsigned works, double seconds)
{
	FILE *f = fmemopen(out, size, "w");

	if (!f) {
		snprintf(out, size, "%.0f s", seconds);
		return;
	}
	for (unsigned i = 0; i < works; i++) {
		if (!work[i].all && !work[i].done)
			continue;
		one_work(f, &work[i], seconds);
		fputs(", ", f);
	}
	fprintf(f, "%.0f s", seconds);
	for (unsigned i = 0; i < works; i++)
		if (work[i].done > work[i].before && work[i].done < work[i].all) {
			time_left(f, seconds * (double)(work[i].all - work[i].done) /
				  (double)(work[i].done - work[i].before));
			break;
		}
	fclose(f);
}

void progress_show(struct progress *p, const struct progress_work *work, unsigned works)
{
	bool answers = asked;
	double now = p->wanted || answers ? seconds() : 0, spent = now - p->started;
	char text[256];

	if (!answers && (!p->wanted || spent < 1 || now - p->shown < 0.2))
		return;
	asked = 0;
	progress_text(text, sizeof text, work, works, spent);
	if (answers) {
		progress_end(p);
		fprintf(stderr, "warpbeam: %s: %s\n", shown(p->what), text);
		return;
	}
	p->shown = now;
	p->visible = true;
	fprintf(stderr, "\r%s: %s\033[K", shown(p->what), text);
}

void progress_end(struct progress *p)
{
	if (p->visible)
		fputs("\r\033[K", stderr);
	p->visible = false;
}
