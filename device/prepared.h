/* A kernel prepared once for any number of launches: decoded, bound and translated for a chip and the options of a
 * configuration. A prepared kernel is const: launches on several devices and host threads share the same; the late part
 * of threaded code, made at first use, has a lock. */
#ifndef WB_DEVICE_PREPARED_H
#define WB_DEVICE_PREPARED_H

#include "core/machines/registry.h"
#include "device/config.h"
#include "device/files.h"
#include "machine/plan.h"

/* Constant banks under construction: bank n's bytes are in the arena and may be changed if bit n of `copied` is set. */
struct const_banks {
	struct const_bank *bank;
	struct arena *arena;
	uint32_t copied;
};

struct wb_device;

struct wb_prepared {
	struct arena arena;             /* storage of the plan */
	struct arena late;              /* program.late */
	const struct wb_program *program;
	struct wb_config *config;       /* options of the launches */
	struct files files;             /* files that options have named */
	struct plan plan;               /* of any launch, without its size, arguments and memory */
	struct const_banks banks;             /* of c[], as the file has them */
	struct native *native;          /* native code of the plan's program, or NULL */
	const char *native_missing;     /* why loops are not native code although asked for; NULL: no such reason */
	struct wb_prepared_info info;   /* for callers */
	const struct wb_parameter *parameter;
	const struct wb_device *home;   /* the device it was prepared for, which may be gone; NULL: none */
	uint64_t number;                /* of the kernel, among all prepared for `home` */
};

/* NULL: the host has no memory. Freed by wb_prepared_free. */
struct wb_prepared *prepared_new(const struct wb_program *p, const struct wb_config *c);
/* Prepare kernel `kernel` (NULL: the one of the configuration, else the only one). */
bool prepared_make(struct wb_prepared *k, const char *kernel, struct diag *d);
/* Fill k->info and k->parameter, for callers of wb_prepare. */
bool prepared_describe(struct wb_prepared *k, struct diag *d);

/* The end of the last declared parameter, in bytes; 0: the file declares none. */
uint32_t params_end(const struct image_kernel *k);
/* Copy bytes (NULL: zeros) into a constant bank, which grows as needed. */
bool banks_fill(struct const_banks *b, unsigned bank, uint32_t offset, const void *bytes, size_t size, struct diag *d);
bool banks_fill_all(struct const_banks *b, const struct image_const *c, size_t n, struct diag *d);

#endif
