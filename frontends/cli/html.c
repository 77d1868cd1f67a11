/* report: one page about one run, or two side by side, for mail and paper: the result, the cost of divergence, where
 * the time went, the program with both, a timeline, a shader's picture, and the command that makes the page again. The
 * page needs no network, and its script only for touch; every text from a file is escaped, and words repeat what
 * colours say. */
#include "frontends/cli/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/advice.h"
#include "frontends/cli/demangle.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"
#include "frontends/view/pane.h"
#include "frontends/view/source.h"

const struct opt report_options[] = {
	{"output", 'o', OPT_OUTPUT, "HTML", "report.html", "Report", "the page to write; - is standard output", false},
	{"heat", 0, OPT_VALUE, "lost|issues|stalls", "auto", "Report", "what the bars beside the program show", false},
	{"against", 0, OPT_VALUE, "FILE", NULL, "Report",
	 "another program beside this one: same options and arguments", false},
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "next argument, as for run", false},
	VERTICES_OPTION,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { TOP_ROWS = 8 };

/* ---- texts ---- */

void html_line(FILE *f, const char *text, size_t n)
{
	char *safe;
	size_t size;
	FILE *m = open_memstream(&safe, &size);
	if (!m)
		no_memory();
	show_lines(m, text, n);
	text_close(m, &safe);
	for (size_t i = 0; i < size; i++)
		switch (safe[i]) {
		case '<': fputs("&lt;", f); break;
		case '>': fputs("&gt;", f); break;
		case '&': fputs("&amp;", f); break;
		case '"': fputs("&quot;", f); break;
		case '\'': fputs("&#39;", f); break;
		default: fputc(safe[i], f);
		}
	free(safe);
}

void html_text(FILE *f, const char *text)
{
	html_line(f, text, strlen(text));
}

/* A run in the page. */
struct page_run {
	struct session session;
	struct html_timeline timeline;
	struct html_picture picture;
};

static void number(FILE *f, const char *class, uint64_t n)
{
	char text[32];
	fprintf(f, "<td class=\"n%s\">%s</td>", class, grouped(text, n));
}

/* A part of a whole as a bar. */
static void meter(FILE *f, const char *class, double share)
{
	fputs("<td class=\"m\">", f);
	if (share > 0)
		fprintf(f, "<span class=\"bar %s\" style=\"width:%.1f%%\"></span>", class, 100 * share);
	fputs("</td>", f);
}

static double part(uint64_t some, uint64_t all)
{
	return all ? (double)some / (double)all : 0;
}

/* ---- parts of the page ---- */

/* An instruction with its line, and of a program from a compiler (source: its text) with what the line says. */
static void place(FILE *f, const struct wb_report *r, const char *source, uint32_t pc, const char *text)
{
	int line = report_line(r, pc), n;
	fprintf(f, "<code>");
	html_text(f, text);
	fprintf(f, "</code> at 0x%" PRIx32, pc);
	if (line && source) {
		const char *from = source_line(source, line, &n);
		int blanks = (int)strspn(from, " \t");
		fprintf(f, " (line %d: <code>", line);
		html_line(f, from + (blanks < n ? blanks : n), (size_t)(blanks < n ? n - blanks : 0));
		fputs("</code>)", f);
	} else if (line) {
		fprintf(f, " (line %d)", line);
	}
}

enum form { FORM_WHOLE, FORM_PERCENT, FORM_THIRD, FORM_TENTH };

static const char *in_form(char text[32], enum form form, double value)
{
	if (form == FORM_WHOLE)
		return grouped(text, (uint64_t)value);
	if (form == FORM_PERCENT)
		snprintf(text, 32, "%.1f&nbsp;%%", 100 * value);
	else
		snprintf(text, 32, form == FORM_THIRD ? "%.3f" : "%.1f", value);
	return text;
}

/* A number of the run; `other`: of the run to compare with, and the difference. */
static void card(FILE *f, enum form form, double value, const double *other, const char *text)
{
	char number_text[32];
	fprintf(f, "<div><b>%s</b>%s", in_form(number_text, form, value), text);
	if (other) {
		fprintf(f, "<small>against %s", in_form(number_text, form, *other));
		double change = *other != 0 ? 100 * (value / *other - 1) : 0;
		if (change != 0)
			fprintf(f, ", %s%.1f&nbsp;%%", change < 0 ? "−" : "+", change < 0 ? -change : change);
		fputs("</small>", f);
	}
	fputs("</div>\n", f);
}

static void counter_card(FILE *f, enum form form, const char *name, const struct wb_report *r,
			 const struct wb_report *o, const char *text)
{
	double other = o ? report_counter(o, name) : 0;
	card(f, form, report_counter(r, name), o ? &other : NULL, text);
}

static const struct wb_pc *most_stalled(const struct wb_report *r)
{
	const struct wb_pc *most = NULL;
	for (unsigned i = 0; i < r->npcs; i++)
		if (heat_stalled(&r->pcs[i]) > (most ? heat_stalled(most) : 0))
			most = &r->pcs[i];
	return most;
}

static void sentences(FILE *f, const struct wb_report *r, const char *source)
{
	uint64_t lost = heat_sum(HEAT_LOST, r);
	const struct wb_pc *slow = most_stalled(r);
	char reasons[240], count[32];
	if (lost && r->nbranches) {
		double share = part(r->branches[0].lost, lost);
		fprintf(f, "<p>Control flow lost %.1f&nbsp;%% of the lane slots. %s of that, %.0f&nbsp;%%, by ",
			100 * part(lost, r->bill.lane_slots), share > 0.5 ? "Most" : "The largest part", 100 * share);
		place(f, r, source, r->branches[0].pc, r->branches[0].text);
		if (r->branches[0].splits)
			fprintf(f, ", where lanes part %s time%s", grouped(count, r->branches[0].splits),
				r->branches[0].splits == 1 ? "" : "s");
		else
			fputs(", where every lane of a warp leaves, and the warp goes on without lanes", f);
		fputs(".</p>\n", f);
	} else {
		fputs("<p>No lane slot was lost to control flow.</p>\n", f);
	}
	if (!slow)
		return;
	heat_reasons(r, slow, reasons, sizeof reasons);
	fputs("<p>Warps stall longest at ", f);
	place(f, r, source, slow->pc, slow->text);
	fprintf(f, ": %.0f&nbsp;%% of all stalled cycles (", 100 * part(heat_stalled(slow), heat_sum(HEAT_STALLS, r)));
	html_text(f, reasons);
	fputs(").</p>\n", f);
}

static void bad_paragraph(FILE *f, const char *text)
{
	fputs("<p class=\"bad\">", f);
	html_text(f, text);
	fputs("</p>\n", f);
}

/* The run in five numbers, beside those of the run to compare with. */
static void cards(FILE *f, const struct wb_report *r, const struct wb_report *o)
{
	fputs("<div class=\"cards\">\n", f);
	if (r->time.slot_cycles)
		counter_card(f, FORM_WHOLE, "cycles", r, o, "cycles");
	counter_card(f, FORM_WHOLE, "instructions", r, o, "warp instructions");
	counter_card(f, FORM_PERCENT, "warp_execution_efficiency", r, o, "of lane slots useful");
	counter_card(f, FORM_THIRD, "ipc", r, o, "warp instructions a cycle");
	if (r->time.slot_cycles)
		card(f, FORM_TENTH, r->time.warps_mean, o ? &o->time.warps_mean : NULL, "warps resident on average");
	fputs("</div>\n", f);
}

/* The plain name of a kernel of C++. */
static void kernel_name(FILE *f, const struct wb_report *r)
{
	char *plain = demangle_name(r->launch.kernel);
	html_text(f, plain ? plain : r->launch.kernel);
	free(plain);
}

static void summary(FILE *f, const struct cli *c, const struct session *s, const struct session *other)
{
	const struct wb_report *r = s->report, *o = other ? other->report : NULL;
	char size[REPORT_SIZE];
	bool ok = r->status == WB_OK;
	uint32_t warps = report_warps(r);
	fputs("<header>\n<h1>", f);
	kernel_name(f, r);
	fputs("</h1>\n<p>", f);
	html_text(f, s->path);
	fprintf(f, " on %s, %s: %" PRIu32 " warp%s of %" PRIu32 " lanes on %" PRIu32 " multiprocessor%s; "
		"result: <span class=\"%s\">%s</span></p>\n", r->launch.chip, report_size(size, r, "×"),
		warps, warps == 1 ? "" : "s", r->launch.warp_lanes, r->launch.mps, r->launch.mps == 1 ? "" : "s",
		ok ? "ok" : "bad", r->result);
	if (s->kernel && s->kernel->compiler) {
		fputs("<p class=\"dim\">Compiled by ", f);
		html_text(f, s->kernel->compiler);
		fputs(".</p>\n", f);
	}
	fputs("</header>\n", f);
	if (s->status != WB_OK)
		bad_paragraph(f, s->diag.text);
	if (o) {
		fputs("<p>Against ", f);
		html_text(f, other->path);
		fprintf(f, " on %s, %s; result: <span class=\"%s\">%s</span></p>\n", o->launch.chip,
			report_size(size, o, "×"), o->status == WB_OK ? "ok" : "bad", o->result);
	}
	fputs("<main>\n", f);
	cards(f, r, o);
	sentences(f, r, session_source(s));
	for (unsigned i = 0; i < r->nwaits + r->nwarnings && !c->quiet; i++)
		bad_paragraph(f, i < r->nwaits ? r->waits[i] : r->warnings[i - r->nwaits]);
}

/* The cells of the run to compare with (NULL: none): a number, and its share of all. */
static void against_cells(FILE *f, const struct wb_report *o, uint64_t n, uint64_t all)
{
	if (!o)
		return;
	number(f, " with", n);
	fprintf(f, "<td class=\"n with\">%.1f&nbsp;%%</td>", 100 * part(n, all));
}

static const char *against_head(const struct wb_report *o)
{
	return o ? "<th>against</th><th>share</th>" : "";
}

static void bill(FILE *f, const struct wb_report *r, const struct wb_report *o, const char *source)
{
	char all[32];
	fprintf(f, "<h2>The bill: %s lane slots</h2>\n<p class=\"dim\">Every lane of every issued "
		"instruction, once.</p>\n"
		"<div class=\"wide\"><table><thead><tr><th>slots</th><th>share</th><th></th>%s<th>lanes</th></tr>"
		"</thead><tbody>\n", grouped(all, r->bill.lane_slots), against_head(o));
	for (const struct bill_part *p = bill_parts; p->key; p++) {
		uint64_t n = bill_value(r, p);
		if (!n && !(o && bill_value(o, p)))
			continue;
		fputs("<tr>", f);
		number(f, "", n);
		fprintf(f, "<td class=\"n\">%.1f&nbsp;%%</td>", 100 * part(n, r->bill.lane_slots));
		meter(f, strcmp(p->key, "useful") ? "gone" : "useful", part(n, r->bill.lane_slots));
		if (o)
			against_cells(f, o, bill_value(o, p), o->bill.lane_slots);
		fprintf(f, "<td>%s</td></tr>\n", p->title);
	}
	fputs("</tbody></table></div>\n", f);
	if (!r->nbranches || !heat_sum(HEAT_LOST, r))
		return;
	fputs("<h2>Lost lane slots by branch</h2>\n<div class=\"wide\"><table><thead><tr><th>lost</th><th></th>"
	      "<th>splits</th><th>branch</th></tr></thead><tbody>\n", f);
	for (unsigned i = 0; i < r->nbranches && i < TOP_ROWS; i++) {
		fputs("<tr>", f);
		number(f, " lost", r->branches[i].lost);
		meter(f, "gone", part(r->branches[i].lost, r->branches[0].lost));
		if (r->branches[i].splits)
			number(f, "", r->branches[i].splits);
		else
			fputs("<td class=\"n\" title=\"every lane left, and the warp went on without lanes\">all"
			      "</td>", f);
		fputs("<td>", f);
		place(f, r, source, r->branches[i].pc, r->branches[i].text);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	if (r->nbranches > TOP_ROWS)
		fprintf(f, "<p class=\"dim\">and %u more, in the listing below</p>\n", r->nbranches - TOP_ROWS);
}

static void times(FILE *f, const struct wb_report *r, const struct wb_report *o)
{
	uint64_t all = r->time.slot_cycles - r->time.stalls[wb_stalls() - 1];
	char number_text[32];
	if (!r->time.slot_cycles)
		return;
	fprintf(f, "<h2>Where the time went: %s warp cycles</h2>\n<div class=\"wide\"><table><thead><tr>"
		"<th>cycles</th><th>share</th><th></th>%s<th>what a warp did</th></tr></thead><tbody>\n",
		grouped(number_text, all), against_head(o));
	for (unsigned i = 0; i < wb_stalls() - 1; i++) {
		char class[16];
		if (!r->time.stalls[i] && !(o && o->time.stalls[i]))
			continue;
		snprintf(class, sizeof class, "s%u", i);
		fputs("<tr>", f);
		number(f, "", r->time.stalls[i]);
		fprintf(f, "<td class=\"n\">%.1f&nbsp;%%</td>", 100 * part(r->time.stalls[i], all));
		meter(f, class, part(r->time.stalls[i], all));
		if (o)
			against_cells(f, o, o->time.stalls[i], o->time.slot_cycles - o->time.stalls[wb_stalls() - 1]);
		fprintf(f, "<td>%s</td></tr>\n", wb_stall_text(i));
	}
	fputs("</tbody></table></div>\n", f);
}

static void advice(FILE *f, const struct wb_report *r)
{
	struct advice a[ADVICE_MOST];
	unsigned n = advice_of(r, a);

	if (n)
		fputs("<h2>What would help: estimates, each alone</h2>\n<ul>\n", f);
	for (unsigned i = 0; i < n; i++) {
		fprintf(f, "<li>%.0f&nbsp;%% of the %s: ", 100 * a[i].gain, a[i].of);
		html_text(f, a[i].cause);
		fputs("<br>", f);
		html_text(f, a[i].remedy);
		fputs("</li>\n", f);
	}
	if (n)
		fputs("</ul>\n", f);
}

/* ---- the program ---- */

struct listing {
	FILE *f;
	const struct wb_report *r;
	enum heat heat;
	uint64_t most;
};

/* A number of a listing; nothing for 0. */
static void some(FILE *f, const char *class, uint64_t n)
{
	if (n)
		number(f, class, n);
	else
		fputs("<td></td>", f);
}

/* The sums of a line of C over the line's instructions, in the columns of the instructions. */
static void sums(const struct listing *k, int line)
{
	uint64_t issues = 0, threads = 0, lost = 0, stalled = 0, heat = 0;
	for (unsigned i = 0; i < k->r->npcs; i++) {
		const struct wb_pc *p = &k->r->pcs[i];
		if (p->line != line)
			continue;
		issues += p->issues;
		threads += p->threads;
		lost += p->lost;
		stalled += heat_stalled(p);
		heat += heat_value(k->heat, p);
	}
	meter(k->f, "heat", part(heat, k->most));
	number(k->f, " o", issues);
	fprintf(k->f, "<td class=\"n o\">%.1f</td>", issues ? (double)threads / (double)issues : 0.0);
	some(k->f, " lost", lost);
	some(k->f, "", stalled);
}

/* An instruction, or (p NULL) a line of the source; `head`: a line with instructions. */
static void code_row(const struct listing *k, const struct wb_pc *p, const char *text, size_t n, int line, bool head)
{
	FILE *f = k->f;
	char reasons[400], split[64] = "";
	uint64_t stalled = p ? heat_stalled(p) : 0;
	fputs("<tr><td class=\"n dim o\">", f);
	if (line)
		fprintf(f, "%d", line);
	fputs("</td><td class=\"n dim\">", f);
	if (p)
		fprintf(f, "%" PRIx32, p->pc);
	fputs("</td>", f);
	if (p)
		meter(f, "heat", part(heat_value(k->heat, p), k->most));
	if (!p) {
		if (head)
			sums(k, line);
		else
			fputs("<td class=\"m\"></td><td class=\"o\"></td><td class=\"o\"></td><td></td><td></td>", f);
		fprintf(f, "<td class=\"text %s\" colspan=\"2\">", head ? "label" : "cold");
		html_line(f, text, n);
		fputs("</td></tr>\n", f);
		return;
	}
	number(f, " o", p->issues);
	fprintf(f, "<td class=\"n o\">%.1f</td>", p->lanes_mean);
	some(f, " lost", p->lost);
	some(f, "", stalled);
	fputs("<td class=\"text\">", f);
	html_line(f, text, n);
	if (p->taken + p->not_taken + p->diverged)
		snprintf(split, sizeof split, "took %" PRIu64 ", not %" PRIu64 ", split %" PRIu64 "%s", p->taken,
			 p->not_taken, p->diverged, stalled ? "; " : "");
	heat_notes(k->r, p, reasons, sizeof reasons);
	fprintf(f, "</td><td class=\"why dim\">%s", split);
	html_text(f, reasons);
	fputs("</td></tr>\n", f);
}

static void label(const struct listing *k, const struct wb_pc *p)
{
	if (!p->label)
		return;
	fputs("<tr><td class=\"o\"></td><td></td><td></td><td class=\"o\"></td><td class=\"o\"></td><td></td><td></td>"
	      "<td class=\"label\" colspan=\"2\">", k->f);
	html_text(k->f, p->label);
	fputs(":</td></tr>\n", k->f);
}

static bool has_instructions(const struct wb_report *r, int line)
{
	for (unsigned i = 0; i < r->npcs; i++)
		if (r->pcs[i].line == line)
			return true;
	return false;
}

/* The source, each line with the line's instructions: instructions of an assembly line replace the line, instructions
 * of a compiler follow; instructions without a line come last. */
static void by_line(const struct listing *k, const char *source, bool compiled)
{
	int line = 0;
	for (const char *p = source; *p;) {
		size_t n = strcspn(p, "\n"), bytes = n && p[n - 1] == '\r' ? n - 1 : n;
		bool own = compiled || !has_instructions(k->r, ++line);
		line += compiled;
		if (own)
			code_row(k, NULL, p, bytes, line, compiled && has_instructions(k->r, line));
		for (unsigned i = 0; i < k->r->npcs; i++) {
			const struct wb_pc *at = &k->r->pcs[i];
			if (at->line != line)
				continue;
			code_row(k, at, own ? at->text : p, own ? strlen(at->text) : bytes, own ? 0 : line, false);
			own = true;
		}
		p += n + (p[n] == '\n');
	}
	if (!has_instructions(k->r, 0))
		return;
	code_row(k, NULL, "of no line:", strlen("of no line:"), 0, true);
	for (unsigned i = 0; i < k->r->npcs; i++)
		if (!k->r->pcs[i].line)
			code_row(k, &k->r->pcs[i], k->r->pcs[i].text, strlen(k->r->pcs[i].text), 0, false);
}

/* The most of a line of C, whose bar is as long as its column. */
static uint64_t most_of_lines(const struct listing *k)
{
	uint64_t most = 1;
	for (unsigned i = 0; i < k->r->npcs; i++) {
		uint64_t sum = 0;
		for (unsigned j = 0; j < k->r->npcs; j++)
			sum += k->r->pcs[j].line == k->r->pcs[i].line ? heat_value(k->heat, &k->r->pcs[j]) : 0;
		most = sum > most ? sum : most;
	}
	return most;
}

static void program(FILE *f, const struct session *s, enum heat heat)
{
	const struct wb_report *r = s->report;
	const char *source = wb_launch_source(s->launch);
	struct listing k = {f, r, heat_settled(heat, r), 0};
	bool lines = false, compiled = source && wb_launch_compiled(s->launch);
	char most[32];
	k.most = compiled ? most_of_lines(&k) : heat_most(k.heat, r);
	for (unsigned i = 0; i < r->npcs; i++)
		lines |= r->pcs[i].line != 0;
	fprintf(f, "<h2>The program, and what it cost</h2>\n<p class=\"dim\">Bars: %s; the longest is %s. "
		"Stalled: warp "
		"cycles at the instruction without issuing it, for what reason, and from which instruction "
		"came what it "
		"waited for.</p>\n<div class=\"wide\" tabindex=\"0\"><table class=\"code\"><thead><tr><th class=\"o\">"
		"line</th><th>pc</th><th>%s</th><th class=\"o\">issues</th><th "
		"class=\"o\">lanes</th><th>lost</th><th>stalled</th><th>instruction</th>"
		"<th>why</th></tr></thead><tbody>\n",
		heat_text(k.heat), grouped(most, k.most), heat_name(k.heat));
	if (source && lines)
		by_line(&k, source, compiled);
	for (unsigned i = 0; i < r->npcs && !(source && lines); i++) {
		label(&k, &r->pcs[i]);
		code_row(&k, &r->pcs[i], r->pcs[i].text, strlen(r->pcs[i].text), 0, false);
	}
	fputs("</tbody></table></div>\n", f);
}

/* ---- the rest ---- */

/* Both timelines have one axis. */
static void timeline(FILE *f, const struct page_run *run, const struct page_run *other)
{
	const struct html_timeline *t = &run->timeline;
	const struct wb_report *r = run->session.report;
	uint64_t span[2] = {t->n ? t->issue[0].cycle : 0, t->end};
	if (!t->n)
		return;
	if (other && other->timeline.n) {
		span[0] = other->timeline.issue[0].cycle < span[0] ? other->timeline.issue[0].cycle : span[0];
		span[1] = other->timeline.end > span[1] ? other->timeline.end : span[1];
	}
	fprintf(f, "<h2>Timeline</h2>\n<p class=\"dim\">Multiprocessor %u of %" PRIu32 "%s: an issue is as high as its "
		"active lanes are many; the line under it has the colour of what the warp waits for. Hover or touch a "
		"mark to read it%s.</p>\n<ul class=\"key\"><li><i class=\"useful\"></i>issue</li><li><i "
		"style=\"background:var(--lost)\"></i>lanes part</li>", t->mp, r->launch.mps,
		r->launch.mps > 1 ? ", which issues last" : "", t->more ? "; later issues are left out" : "");
	for (unsigned i = 1; i < wb_stalls() - 1; i++) {
		char words[32];
		if (r->time.stalls[i] || (other && other->session.report->time.stalls[i]))
			fprintf(f, "<li><i class=\"s%u\"></i>%s</li>", i, stall_words(words, i));
	}
	fputs("</ul>\n", f);
	html_timeline(f, t, run->session.launch, r, span);
	if (!other || !other->timeline.n)
		return;
	fputs("<p>Against ", f);
	html_text(f, other->session.path);
	fprintf(f, ", multiprocessor %u:</p>\n", other->timeline.mp);
	html_timeline(f, &other->timeline, other->session.launch, other->session.report, span);
}

static void limit(FILE *f, const char *name, uint32_t blocks, uint32_t least)
{
	fprintf(f, "<tr><td>%s</td><td class=\"n\">%" PRIu32 "</td><td>%s</td></tr>\n", name, blocks,
		blocks == least ? "this is what limits it" : "");
}

static void occupancy(FILE *f, const struct wb_report *r)
{
	const struct wb_occupancy *o = &r->occupancy;
	uint32_t least = o->limit_blocks;
	char why[160];
	least = o->limit_warps < least ? o->limit_warps : least;
	least = o->limit_regs < least ? o->limit_regs : least;
	least = o->limit_smem < least ? o->limit_smem : least;
	if (r->launch.warp_registers)
		least = o->limit_warp_regs < least ? o->limit_warp_regs : least;
	fputs("<h2>Occupancy</h2>\n<p>A multiprocessor takes ", f);
	if (!r->launch.stage)
		fprintf(f, "%" PRIu32 " of these blocks at once, ", o->blocks);
	fprintf(f, r->launch.stage ? "%" PRIu32 " of these warps at once." : "%" PRIu32 " warps.", o->warps);
	if (r->time.slot_cycles)
		fprintf(f, " In this run %.1f warps were resident on average: %s.", r->time.warps_mean,
			occupancy_why(r, why, sizeof why) ? why : "as many as fit");
	fprintf(f, "</p>\n<div class=\"wide\"><table><thead><tr><th>resource</th><th>%s that it has room for</th>"
		"<th></th></tr></thead><tbody>\n", r->launch.stage ? "warps" : "blocks");
	limit(f, "block slots", o->limit_blocks, least);
	limit(f, "warp slots", o->limit_warps, least);
	limit(f, "registers", o->limit_regs, least);
	limit(f, "shared memory", o->limit_smem, least);
	if (r->launch.warp_registers)
		limit(f, "registers of a warp", o->limit_warp_regs, least);
	fputs("</tbody></table></div>\n", f);
}

static void counter_cell(FILE *f, const struct wb_counter *k, const char *class, double value)
{
	if (k->integer)
		number(f, class, (uint64_t)value);
	else
		fprintf(f, "<td class=\"n%s\">%.3f</td>", class, value);
}

static void counters(FILE *f, const struct wb_report *r, const struct wb_report *o)
{
	fprintf(f, "<h2>Counters</h2>\n<div class=\"wide\"><table><thead><tr><th>value</th>%s<th>counter</th>"
		"<th>what it counts</th></tr></thead><tbody>\n", o ? "<th>against</th>" : "");
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		double other = o ? report_counter(o, k->name) : 0;
		if (!k->value && !other)
			continue;
		fputs("<tr>", f);
		counter_cell(f, k, "", k->value);
		if (o)
			counter_cell(f, k, " with", other);
		fprintf(f, "<td><code>%s</code></td><td>", k->name);
		html_text(f, k->help);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
}

/* A word of a shell's command line. */
static void word(FILE *f, const char *text)
{
	if (*text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%")]) {
		html_text(f, text);
		return;
	}
	fputs("&#39;", f);
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "'");
		html_line(f, p, n);
		fputs(p[n] ? "&#39;\\&#39;&#39;" : "", f);
		p += n + (p[n] != '\0');
	}
	fputs("&#39;", f);
}

/* A user's option, except where output goes and how loud the run is. */
static void option(FILE *f, const struct cli *c, const struct value *v)
{
	const struct opt *o = c->known;
	while (o->name && strcmp(o->name, v->name))
		o++;
	if (!o->name || !strcmp(v->name, "output") || !strcmp(o->group, "General"))
		return;
	if (o->kind == OPT_SWITCH) {
		fprintf(f, " --%s%s", strcmp(v->text, "off") ? "" : "no-", v->name);
		return;
	}
	fprintf(f, " --%s=", v->name);
	word(f, v->text);
}

static void again(FILE *f, const struct cli *c, const struct session *s)
{
	const struct wb_option_info *info;
	size_t at = 0;
	fputs("<h2>How to make this page again</h2>\n<pre>warpbeam report ", f);
	word(f, s->path);
	for (size_t i = 0; i < c->nvalues; i++)
		option(f, c, &c->values[i]);
	fprintf(f, "</pre>\n<p>Warpbeam %s; the digest of the run is <code>%s</code>: the same program, "
		"input and options "
		"give the same one on every host.</p>\n", wb_version(), s->report->digest);
	fputs("<div class=\"wide\"><table><thead><tr><th>setting</th><th>value</th></tr></thead><tbody>\n", f);
	for (unsigned i = 0; (info = wb_option(i)); i++) {
		const char *value = wb_config_get(c->config, info->name);
		if (!value || !*value || !strcmp(value, info->fallback))
			continue;
		fprintf(f, "<tr><td><code>--%s</code></td><td>", info->name);
		html_text(f, value);
		fputs("</td></tr>\n", f);
	}
	for (const char *arg; (arg = cli_next(c, "arg", &at));) {
		fputs("<tr><td>argument</td><td>", f);
		html_text(f, arg);
		fputs("</td></tr>\n", f);
	}
	fputs("<tr><td>all others</td><td>their defaults</td></tr>\n</tbody></table></div>\n", f);
}

static void page(FILE *f, const struct cli *c, const struct page_run *run, const struct page_run *other)
{
	const struct session *s = &run->session;
	const struct wb_report *o = other ? other->session.report : NULL;
	enum heat heat = heat_find(cli_value(c, "heat"));
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'; img-src data:\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", f);
	kernel_name(f, s->report);
	fputs(" · Warpbeam</title>\n", f);
	html_style(f);
	fputs("</head>\n<body>\n", f);
	summary(f, c, s, other ? &other->session : NULL);
	html_picture(f, &run->picture);
	bill(f, s->report, o, session_source(s));
	times(f, s->report, o);
	advice(f, s->report);
	program(f, s, heat);
	if (other) {
		fputs("<details><summary>The program of the other run: ", f);
		html_text(f, other->session.path);
		fputs("</summary>\n", f);
		program(f, &other->session, heat);
		fputs("</details>\n", f);
	}
	timeline(f, run, other);
	occupancy(f, s->report);
	counters(f, s->report, o);
	again(f, c, s);
	fputs("</main>\n", f);
	html_script(f);
	fputs("</body>\n</html>\n", f);
}

static enum wb_status write_page(const struct cli *c, const struct page_run *run, const struct page_run *other)
{
	struct wb_output *o;
	FILE *f = stream_open(cli_value(c, "output"), &o);
	if (!f)
		return WB_ENV;
	page(f, c, run, other);
	bool whole = !ferror(f);
	if (!stream_close(f, o, whole) || !whole)
		return WB_ENV;
	if (!c->quiet && strcmp(cli_value(c, "output"), "-"))
		fprintf(stderr, "warpbeam: written to %s\n", shown(cli_value(c, "output")));
	return WB_OK;
}

/* Load and run a program. False: there is no report; session.status is the exit code. */
static bool run_for_page(struct page_run *run, struct cli *c, const char *path, const char *const *args)
{
	struct session *s = &run->session;
	s->vertices = cli_value(c, "in");
	if (!session_load(s, path, c->config) || !session_wants_causes(s, c->config) ||
	    !session_prepare(s, cli_value(c, "kernel"), c->config, args))
		return false;
	if (wb_launch_record(s->launch, 0, html_record, &run->timeline, &s->diag) != WB_OK) {
		s->status = complain_diag(&s->diag);
		return false;
	}
	session_run(s, c);
	session_compare(s, s->report);
	if (s->status != WB_OK)
		complain_diag(&s->diag);
	html_picture_take(&run->picture, &run->timeline, s->launch, s->report);
	html_choose(&run->timeline);
	return true;
}

static void close_run(struct page_run *run)
{
	free(run->timeline.issue);
	html_picture_free(&run->picture);
	session_close(&run->session);
}

/* Whether a name is a page's: in another kind of file a page would be under a wrong name. */
static bool is_page(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	return !dot || !dot[1] || dot == path || !strcasecmp(dot, ".html") || !strcasecmp(dot, ".htm");
}

enum wb_status verb_report(struct cli *c)
{
	const char *path = cli_operand(c, "FILE"), *against = cli_value(c, "against");
	static const struct page_run none = {.session.status = WB_OK};
	if (!path)
		return WB_USAGE;
	if (!is_page(cli_value(c, "output")))
		return complain(WB_USAGE, "option '--output' expects a name that ends in .html; found '%s'",
				cli_value(c, "output"));
	if (heat_find(cli_value(c, "heat")) == HEATS)
		return complain(WB_USAGE, "option '--heat' expects lost, issues or stalls; found '%s'",
				cli_value(c, "heat"));
	struct page_run *run = grow(NULL, 2 * sizeof *run), *other = &run[1];
	const char **args = cli_list(c, "arg");
	enum wb_status status = WB_OK;
	run[0] = run[1] = none;
	if (run_for_page(run, c, path, args) && (!against || run_for_page(other, c, against, args)))
		status = write_page(c, run, against ? other : NULL);
	if (run->session.status != WB_OK || other->session.status != WB_OK)
		status = run->session.status != WB_OK ? run->session.status : other->session.status;
	close_run(run);
	close_run(other);
	free(run);
	free(args);
	return status;
}
