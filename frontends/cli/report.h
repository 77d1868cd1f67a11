/* A report for people and for programs. */
#ifndef WB_FRONTENDS_CLI_REPORT_H
#define WB_FRONTENDS_CLI_REPORT_H

#include <jansson.h>

#include "frontends/cli/cli.h"
#include "frontends/cli/session.h"

/* Most instructions of a page's own report, and of the tables beside it for readers without scripts, unless an option
 * says otherwise: about two seconds in a browser. */
#define REPORT_INSNS "16777216"
#include "frontends/view/heat.h"

/* The parts of the bill except `lane_slots`: names in the JSON document and in expectations, titles for people. */
struct bill_part {
	const char *key, *title;
	size_t offset;
	enum tint tint;
};
extern const struct bill_part bill_parts[]; /* ended by a NULL key */
uint64_t bill_value(const struct wb_report *r, const struct bill_part *p);

/* A counter by name, and the source line of a pc; 0: the report has none. */
double report_counter(const struct wb_report *r, const char *name);
int report_line(const struct wb_report *r, uint32_t pc);
/* Warps of all blocks. */
uint32_t report_warps(const struct wb_report *r);

/* The source of a compiled program; NULL: no source, or an assembly file. */
const char *session_source(const struct session *s);

/* Headline, counters, bill and hottest branches, on stdout. */
void report_text(const struct cli *c, const struct session *s);
/* The bill alone, with every branch. */
void report_bill(const struct cli *c, const struct session *s);
/* "grid 4x1, block 64x1x1"; of a shader "24 vertices". times: the sign between two numbers. */
enum { REPORT_SIZE = 80 };
const char *report_size(char text[REPORT_SIZE], const struct wb_report *r, const char *times);
/* The headline of all texts. */
void report_headline(const struct cli *c, const struct wb_report *r);
/* The listing with each instruction's cost, or the source with each line's cost and instructions below. */
void report_annotate(const struct cli *c, const struct session *s);
/* The source alone, and the JSON document of its lines. */
void report_by_line(const struct cli *c, const struct session *s, const char *source, enum heat heat);
json_t *report_lines_json(const struct wb_report *r, const char *source);
/* Warnings of a run and, after a hang, the waiting warps and the events that they wait for: on stderr. */
void report_troubles(const struct cli *c, const struct wb_report *r);

/* The document warpbeam.stats/1. The caller owns it. */
json_t *report_json(const struct cli *c, const struct session *s);
/* Print a document on stdout (path NULL) or write it to a file, with a newline; takes the reference. */
enum wb_status json_out(json_t *document, const char *path);

#endif
