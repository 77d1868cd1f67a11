/* The formats of exports, each in its own file. */
#ifndef WB_FRONTENDS_TRACE_EXPORT_H
#define WB_FRONTENDS_TRACE_EXPORT_H

#include "frontends/trace/trace.h"

extern const struct export_format export_perfetto, export_kanata, export_vcd, export_folded, export_jsonl, export_csv;

#endif
