/* report: one page about one run, for mail and paper: the result, the cost of divergence, where the time went, the
 * program with both, a timeline, and the command that makes the page again. The page needs no network and no script,
 * every text from a file is escaped, and words repeat what colours say. */
#include "frontends/cli/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"
#include "frontends/view/pane.h"
#include "frontends/view/source.h"

const struct opt report_options[] = {
	{"output", 'o', OPT_VALUE, "HTML", "report.html", "Report", "the page to write; - is standard output", false},
	{"heat", 0, OPT_VALUE, "lost|issues|stalls", "auto", "Report", "what the bars beside the program show", false},
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
	fclose(m);
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

static const char style[] =
	":root{--paper:#fbfcfd;--ink:#14191e;--dim:#55616c;--rule:#d5dde4;--strip:#eef2f5;--useful:#007d5a;"
	"--lost:#a83000;--heat:#c46a00}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;padding:1.2rem 1rem 3rem;max-width:78rem;background:var(--paper);color:var(--ink);"
	"font:1rem/1.5 system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n"
	"h1{font-size:1.6rem;line-height:1.2;margin:0 0 .2rem}h2{font-size:1.15rem;margin:2.2rem 0 .5rem;"
	"padding-bottom:.2rem;border-bottom:2px solid var(--rule)}\n"
	"p{margin:.4rem 0;max-width:46rem}.dim,small{color:var(--dim)}.bad{color:var(--lost);font-weight:600}\n"
	"code,pre,.code td,svg text{font-family:ui-monospace,'DejaVu Sans Mono',Consolas,monospace}\n"
	".cards{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}\n"
	".cards div{flex:1 1 8.5rem;background:var(--strip);border-radius:.4rem;padding:.5rem .8rem}\n"
	".cards b{display:block;font-size:1.35rem;font-variant-numeric:tabular-nums}\n"
	".wide{overflow-x:auto;-webkit-overflow-scrolling:touch}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15rem .6rem;text-align:left;"
	"vertical-align:baseline}th{font-weight:600;color:var(--dim);font-size:.85rem;border-bottom:1px solid "
	"var(--rule);white-space:nowrap}tbody tr:nth-child(even){background:var(--strip)}\n"
	".n{text-align:right;white-space:nowrap}.m{width:11rem;min-width:6rem}.bar{display:inline-block;height:.7rem;"
	"min-width:1px;border-radius:1px;vertical-align:middle}\n"
	"td code{white-space:nowrap}.code{width:100%;font-size:.82rem}.code td.text{white-space:pre-wrap;tab-size:4;"
	"min-width:26rem;overflow-wrap:anywhere}.code td.why{min-width:14rem}"
	".code th,.code td{padding:.05rem .5rem}.code .m{width:5rem;min-width:4rem}.code .label{color:var(--useful);"
	"font-weight:600}.code .cold{color:var(--dim)}.lost{color:var(--lost)}\n"
	".useful{background:var(--useful)}.gone{background:#b27a00}.heat{background:var(--heat)}\n"
	"svg{display:block;background:var(--paper)}svg text{font-size:11px;fill:var(--dim)}svg .rule,svg .tick{"
	"stroke:var(--rule);stroke-width:1}svg .issue{fill:var(--useful)}svg .split{fill:var(--lost)}"
	"svg .rejoin{fill:#3d4954}\n"
	".key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;padding:0;margin:.5rem 0;font-size:.85rem}"
	".key i{display:inline-block;width:.9rem;height:.7rem;margin-right:.35rem;border-radius:1px}\n"
	"pre{background:var(--strip);padding:.7rem .9rem;border-radius:.4rem;white-space:pre-wrap;"
	"overflow-wrap:anywhere}\n"
	/* On a phone an instruction has a row to itself; the named numbers and the reasons stand below. */
	"@media (max-width:44rem){body{padding:1rem .8rem}.m{width:5rem;min-width:3rem}td code,th{white-space:normal}"
	".code,.code tbody{display:block}.code thead,.code .o,.code td:empty{display:none}"
	".code tr{display:grid;grid-template-columns:2.6rem 1fr auto auto;align-items:baseline}"
	".code td{padding:.05rem .3rem}.code td:nth-child(2){grid-area:1/1}.code .m{grid-area:2/2;width:auto}"
	".code td:nth-child(6){grid-area:2/3/auto/-1}.code td:nth-child(7){grid-area:3/4}"
	".code td:nth-child(6)::after{content:' lost'}.code td:nth-child(7)::after{content:' stalled'}"
	".code td.text,.code td.label{grid-area:1/2/auto/-1;min-width:0;white-space:normal}"
	".code td.why{grid-area:3/2/auto/4;min-width:0}}\n"
	"@media print{body{max-width:none;padding:0;font-size:10pt}h2{break-after:avoid}.wide{overflow:visible}"
	"svg{width:100%;height:auto}.code{font-size:7.5pt}tr{break-inside:avoid}*{-webkit-print-color-adjust:exact;"
	"print-color-adjust:exact}}\n";

void html_style(FILE *f)
{
	const struct theme *light = theme_find("light");
	fputs("<style>\n", f);
	fputs(style, f);
	for (unsigned i = 0; wb_stall_name(i); i++)
		fprintf(f, ".s%u{fill:#%06x;background:#%06x}\n", i, stall_colour(light, i) & 0xffffff,
			stall_colour(light, i) & 0xffffff);
	fputs("</style>\n", f);
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

static void card(FILE *f, const char *value, const char *text)
{
	fprintf(f, "<div><b>%s</b>%s</div>\n", value, text);
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

static void summary(FILE *f, const struct cli *c, const struct session *s)
{
	const struct wb_report *r = s->report;
	char text[64], size[REPORT_SIZE];
	bool ok = r->status == WB_OK;
	uint32_t warps = report_warps(r);
	fputs("<header>\n<h1>", f);
	html_text(f, r->launch.kernel);
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
	if (s->status != WB_OK) {
		fputs("<p class=\"bad\">", f);
		html_text(f, s->diag.text);
		fputs("</p>\n", f);
	}
	fputs("<main>\n<div class=\"cards\">\n", f);
	if (r->time.slot_cycles)
		card(f, grouped(text, (unsigned long long)report_counter(r, "cycles")), "cycles");
	card(f, grouped(text, (unsigned long long)report_counter(r, "instructions")), "warp instructions");
	snprintf(text, sizeof text, "%.1f&nbsp;%%", 100 * report_counter(r, "warp_execution_efficiency"));
	card(f, text, "of lane slots useful");
	snprintf(text, sizeof text, "%.3f", report_counter(r, "ipc"));
	card(f, text, "warp instructions a cycle");
	if (r->time.slot_cycles) {
		snprintf(text, sizeof text, "%.1f", r->time.warps_mean);
		card(f, text, "warps resident on average");
	}
	fputs("</div>\n", f);
	sentences(f, r, session_source(s));
	for (unsigned i = 0; i < r->nwaits + r->nwarnings && !c->quiet; i++) {
		fputs("<p class=\"bad\">", f);
		html_text(f, i < r->nwaits ? r->waits[i] : r->warnings[i - r->nwaits]);
		fputs("</p>\n", f);
	}
}

static void bill(FILE *f, const struct wb_report *r, const char *source)
{
	char all[32];
	fprintf(f, "<h2>The bill: %s lane slots</h2>\n<p class=\"dim\">Every lane of every issued "
		"instruction, once.</p>\n"
		"<div "
		"class=\"wide\"><table><thead><tr><th>slots</th><th>share</th><th></th><th>lanes</th></tr></thead>"
		"<tbody>\n", grouped(all, r->bill.lane_slots));
	for (const struct bill_part *p = bill_parts; p->key; p++) {
		uint64_t n = bill_value(r, p);
		if (!n)
			continue;
		fputs("<tr>", f);
		number(f, "", n);
		fprintf(f, "<td class=\"n\">%.1f&nbsp;%%</td>", 100 * part(n, r->bill.lane_slots));
		meter(f, strcmp(p->key, "useful") ? "gone" : "useful", part(n, r->bill.lane_slots));
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
		number(f, "", r->branches[i].splits);
		fputs("<td>", f);
		place(f, r, source, r->branches[i].pc, r->branches[i].text);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	if (r->nbranches > TOP_ROWS)
		fprintf(f, "<p class=\"dim\">and %u more, in the listing below</p>\n", r->nbranches - TOP_ROWS);
}

static void times(FILE *f, const struct wb_report *r)
{
	uint64_t all = r->time.slot_cycles - r->time.stalls[wb_stalls() - 1];
	char number_text[32];
	if (!r->time.slot_cycles)
		return;
	fprintf(f, "<h2>Where the time went: %s warp cycles</h2>\n<div "
		"class=\"wide\"><table><thead><tr><th>cycles</th>"
		"<th>share</th><th></th><th>what a warp did</th></tr></thead><tbody>\n", grouped(number_text, all));
	for (unsigned i = 0; i < wb_stalls() - 1; i++) {
		char class[16];
		if (!r->time.stalls[i])
			continue;
		snprintf(class, sizeof class, "s%u", i);
		fputs("<tr>", f);
		number(f, "", r->time.stalls[i]);
		fprintf(f, "<td class=\"n\">%.1f&nbsp;%%</td>", 100 * part(r->time.stalls[i], all));
		meter(f, class, part(r->time.stalls[i], all));
		fprintf(f, "<td>%s</td></tr>\n", wb_stall_text(i));
	}
	fputs("</tbody></table></div>\n", f);
}

/* ---- the program ---- */

struct listing {
	FILE *f;
	const struct wb_report *r;
	enum heat heat;
	uint64_t most;
};

/* An instruction, or (p NULL) a line of the source; `head`: a line with instructions. */
static void code_row(const struct listing *k, const struct wb_pc *p, const char *text, size_t n, int line, bool head)
{
	FILE *f = k->f;
	char reasons[240], split[64] = "";
	uint64_t stalled = p ? heat_stalled(p) : 0;
	fputs("<tr><td class=\"n dim o\">", f);
	if (line)
		fprintf(f, "%d", line);
	fputs("</td><td class=\"n dim\">", f);
	if (p)
		fprintf(f, "%" PRIx32, p->pc);
	fputs("</td>", f);
	meter(f, "heat", p ? part(heat_value(k->heat, p), k->most) : 0);
	if (!p) {
		fprintf(f, "<td class=\"o\"></td><td class=\"o\"></td><td></td><td></td><td class=\"text "
			"%s\" colspan=\"2\">",
			head ? "label" : "cold");
		html_line(f, text, n);
		fputs("</td></tr>\n", f);
		return;
	}
	number(f, " o", p->issues);
	fprintf(f, "<td class=\"n o\">%.1f</td>", p->lanes_mean);
	if (p->lost)
		number(f, " lost", p->lost);
	else
		fputs("<td></td>", f);
	if (stalled)
		number(f, "", stalled);
	else
		fputs("<td></td>", f);
	fputs("<td class=\"text\">", f);
	html_line(f, text, n);
	if (p->taken + p->not_taken + p->diverged)
		snprintf(split, sizeof split, "took %" PRIu64 ", not %" PRIu64 ", split %" PRIu64 "%s", p->taken,
			 p->not_taken, p->diverged, stalled ? "; " : "");
	heat_reasons(k->r, p, reasons, sizeof reasons);
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

static void program(FILE *f, const struct session *s, enum heat heat)
{
	const struct wb_report *r = s->report;
	const char *source = wb_launch_source(s->launch);
	struct listing k = {f, r, heat_settled(heat, r), 0};
	char most[32];
	bool lines = false;
	k.most = heat_most(k.heat, r);
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
		by_line(&k, source, wb_launch_compiled(s->launch));
	for (unsigned i = 0; i < r->npcs && !(source && lines); i++) {
		label(&k, &r->pcs[i]);
		code_row(&k, &r->pcs[i], r->pcs[i].text, strlen(r->pcs[i].text), 0, false);
	}
	fputs("</tbody></table></div>\n", f);
}

/* ---- the rest ---- */

static void timeline(FILE *f, const struct html_timeline *t, const struct session *s)
{
	const struct wb_report *r = s->report;
	if (!t->n)
		return;
	fprintf(f, "<h2>Timeline</h2>\n<p class=\"dim\">Multiprocessor %u of %" PRIu32 "%s: an issue is as high as its "
		"active lanes are many; the line under it has the colour of what the warp waits for. Hover a "
		"mark to read "
		"it%s.</p>\n<ul class=\"key\"><li><i class=\"useful\"></i>issue</li><li><i "
		"style=\"background:var(--lost)\">"
		"</i>lanes part</li>", t->mp, r->launch.mps, r->launch.mps > 1 ? ", which issues last" : "",
		t->more ? "; later issues are left out" : "");
	for (unsigned i = 1; i < wb_stalls() - 1; i++) {
		char words[32];
		if (r->time.stalls[i])
			fprintf(f, "<li><i class=\"s%u\"></i>%s</li>", i, stall_words(words, i));
	}
	fputs("</ul>\n", f);
	html_timeline(f, t, s->launch, r);
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
			r->time.warps_mean + 0.5 < o->warps ? "there are no more, or the last ones end"
							: "as many as fit");
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

static void counters(FILE *f, const struct wb_report *r)
{
	fputs("<h2>Counters</h2>\n<div "
		"class=\"wide\"><table><thead><tr><th>value</th><th>counter</th><th>what it counts"
	      "</th></tr></thead><tbody>\n", f);
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		if (!k->value)
			continue;
		fputs("<tr>", f);
		if (k->integer)
			number(f, "", (uint64_t)k->value);
		else
			fprintf(f, "<td class=\"n\">%.3f</td>", k->value);
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

static void page(FILE *f, const struct cli *c, const struct session *s, const struct html_timeline *t)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", f);
	html_text(f, s->report->launch.kernel);
	fputs(" · Warpbeam</title>\n", f);
	html_style(f);
	fputs("</head>\n<body>\n", f);
	summary(f, c, s);
	bill(f, s->report, session_source(s));
	times(f, s->report);
	program(f, s, heat_find(cli_value(c, "heat")));
	timeline(f, t, s);
	occupancy(f, s->report);
	counters(f, s->report);
	again(f, c, s);
	fputs("</main>\n</body>\n</html>\n", f);
}

static enum wb_status write_page(const struct cli *c, struct session *s, const struct html_timeline *t)
{
	struct wb_output *o;
	FILE *f = stream_open(cli_value(c, "output"), &o);
	if (!f)
		return WB_ENV;
	page(f, c, s, t);
	bool whole = !ferror(f);
	if (!stream_close(f, o, whole) || !whole)
		return WB_ENV;
	if (!c->quiet && strcmp(cli_value(c, "output"), "-"))
		fprintf(stderr, "warpbeam: written to %s\n", shown(cli_value(c, "output")));
	return WB_OK;
}

enum wb_status verb_report(struct cli *c)
{
	const char *path = cli_operand(c, "FILE");
	struct session s = {.vertices = path ? cli_value(c, "in") : NULL};
	struct html_timeline t = {.issue = NULL};
	if (!path)
		return WB_USAGE;
	if (heat_find(cli_value(c, "heat")) == HEATS)
		return complain(WB_USAGE, "option '--heat' expects lost, issues or stalls; found '%s'",
				cli_value(c, "heat"));
	const char **args = cli_list(c, "arg");
	enum wb_status written = WB_OK;
	bool ready = session_load(&s, path, c->config) && session_wants_causes(&s, c->config) &&
		     session_prepare(&s, cli_value(c, "kernel"), c->config, args);
	if (ready && wb_launch_record(s.launch, 0, html_record, &t, &s.diag) != WB_OK) {
		s.status = complain_diag(&s.diag);
	} else if (ready) {
		session_run(&s, c);
		session_compare(&s, s.report);
		if (s.status != WB_OK)
			complain_diag(&s.diag);
		html_choose(&t);
		written = write_page(c, &s, &t);
	}
	enum wb_status status = s.status == WB_OK ? written : s.status;
	free(t.issue);
	free(args);
	session_close(&s);
	return status;
}
