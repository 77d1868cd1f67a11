/* Parts of the pages of the verb report. */
#ifndef WB_FRONTENDS_CLI_HTML_H
#define WB_FRONTENDS_CLI_HTML_H

#include <stdio.h>

#include "frontends/cli/cli.h"

/* n bytes of a text, possibly from a file, as text of an HTML page or of an attribute: <, >, &, quotes escaped, control
 * characters and invalid UTF-8 made visible. */
void html_text(FILE *f, const char *text);
void html_line(FILE *f, const char *text, size_t n);
/* The style sheet; a reason for a stall, from 0, has the class "s3". */
void html_style(FILE *f);

/* Issues for the timeline, of the multiprocessor that issues last: its time is the whole's. */
struct html_issue {
	uint64_t cycle, active, executed;
	uint32_t pc, block, waited;
	uint16_t mp;
	uint8_t slot, warp, lanes, flow, reason;
};
enum { HTML_MPS = 1024 };
struct html_timeline {
	struct html_issue *issue;
	size_t n, space;
	bool more;              /* rows beyond the kept ones exist */
	unsigned slots;
	uint64_t end_of[HTML_MPS]; /* last cycle of each multiprocessor */
	uint64_t end;           /* the last cycle */
	unsigned mp;            /* shown multiprocessor */
};
void html_record(void *context, const struct wb_chunk *c);     /* for wb_launch_record */
/* After the run: keep the issues of the multiprocessor that issues last. */
void html_choose(struct html_timeline *t);
/* Pixels with the thread of each. Threads are numbered by lanes of warps; -1: none. The caller frees both arrays. */
struct html_pixels {
	uint32_t rect[4];       /* x, y, width, height */
	uint8_t *rgba;
	int32_t *thread;
};
/* The picture that a fragment program has drawn, or of other launches the map of what each thread executed, with the
 * history of each pixel's lane for the script. Nothing where the record is not complete, or threads are all alike.
 * Before html_choose, which forgets the other multiprocessors. */
struct html_picture {
	char *png;              /* the picture as a PNG in base 64; NULL: there is none */
	char *history;          /* JSON for the script; NULL: too long */
	uint32_t rect[4];
	bool map;
	uint32_t range[2];      /* of a map: least and most instructions of a thread */
};
void html_picture_take(struct html_picture *p, const struct html_timeline *t, const struct wb_launch *l,
		       const struct wb_report *r);
/* False: the launch is a shader's, or has too many threads, or not all its issues are in the record. */
bool html_map_pixels(struct html_pixels *out, const struct html_timeline *t, const struct wb_report *r,
		     uint32_t range[2]);
void html_picture(FILE *f, const struct html_picture *p);
void html_picture_free(struct html_picture *p);
/* What the page does when somebody clicks: the nearest mark of a timeline as text, the lane of a pixel. */
void html_script(FILE *f);
/* As SVG from cycle span[0] to span[1]; every mark has a text to hover, or to touch by the script. */
void html_timeline(FILE *f, const struct html_timeline *t, const struct wb_launch *l, const struct wb_report *r,
		   const uint64_t span[2]);

#endif
