/* The numbers behind the bars of a listing ("heat"), in text and in the window alike. */
#ifndef WB_FRONTENDS_VIEW_HEAT_H
#define WB_FRONTENDS_VIEW_HEAT_H

#include "warpbeam.h"

/* HEAT_AUTO: lane slots lost, or where none are, stalls, or without timing issues. */
enum heat { HEAT_AUTO, HEAT_LOST, HEAT_ISSUES, HEAT_STALLS, HEATS };

const char *heat_name(enum heat h);     /* "lost" */
const char *heat_of_what(enum heat h);  /* "lane slots lost" */
const char *heat_text(enum heat h);     /* "lane slots lost to control flow, charged to …" */
/* HEATS: an unknown name. */
enum heat heat_find(const char *name);
/* The heat chosen by HEAT_AUTO for a report; other heats as given. */
enum heat heat_settled(enum heat h, const struct wb_report *r);
/* Cycles of a pc in which warps did not issue. */
uint64_t heat_stalled(const struct wb_pc *p);
uint64_t heat_value(enum heat h, const struct wb_pc *p);
/* The most and the sum over all instructions. */
uint64_t heat_most(enum heat h, const struct wb_report *r);
uint64_t heat_sum(enum heat h, const struct wb_report *r);
/* "memory 1,676 from 0x28, pipe 40": what a pc's stalls are, the most first, reasons of less than a hundredth left out;
 * "" if it has none. */
void heat_reasons(const struct wb_report *r, const struct wb_pc *p, char *text, size_t size);
/* "g[] 16 transactions, 1,024 bytes, 64 useful (6 %)": cost of the accesses of the instruction at a pc; "" for none,
 * or without option "accesses". */
void heat_accesses(const struct wb_report *r, uint32_t pc, char *text, size_t size);
/* Reasons, then accesses. */
void heat_notes(const struct wb_report *r, const struct wb_pc *p, char *text, size_t size);

#endif
