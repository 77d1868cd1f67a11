/* Diagnostics on their way to the caller. */
#ifndef WB_INSPECT_PUBLIC_DIAG_H
#define WB_INSPECT_PUBLIC_DIAG_H

#include "core/base/diag.h"
#include "warpbeam.h"

/* An internal diagnostic as a public one; returns its status. d may be NULL. */
enum wb_status public_diag(struct wb_diag *out, const struct diag *in);

#endif
