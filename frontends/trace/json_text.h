/* Strings of JSON documents whose bytes come from outside: arguments, paths, files. */
#ifndef WB_FRONTENDS_TRACE_JSON_TEXT_H
#define WB_FRONTENDS_TRACE_JSON_TEXT_H

#include <jansson.h>

/* The text, clean as wb_clean makes it, as a string; null for NULL. A new reference. */
json_t *json_text(const char *text);

#endif
