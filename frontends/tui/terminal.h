/* The terminal. */
#ifndef WB_FRONTENDS_TUI_TERMINAL_H
#define WB_FRONTENDS_TUI_TERMINAL_H

#include "frontends/view/host.h"

struct terminal;

/* Take over the terminal. colour: use colours if it has any. NULL: d says why. */
struct terminal *terminal_open(bool colour, struct wb_diag *d);
void terminal_close(struct terminal *t);
struct host terminal_host(struct terminal *t);

#endif
