/* A device: memory and variables of programs, which outlive launches. Buffers of the caller, of programs (modules) and
 * of launches lie in one global space, told apart by owners; the buffers of a launch are freed with the launch. */
#ifndef WB_DEVICE_DEVICE_H
#define WB_DEVICE_DEVICE_H

#include "core/image.h"
#include "device/prepared.h"
#include "mem/global.h"

enum { OWNER_CALLER, OWNER_MODULE, OWNER_LAUNCH /* plus the number of the launch */ };

/* The variables of an image on a device. */
struct module {
	struct module *next;
	const struct image *image;
	uint64_t *address;              /* by global of the image */
	struct const_bank bank[CONST_BANKS];    /* as the image has them, with all that the caller has written */
	struct const_banks banks;
	uint32_t written;               /* bit n: the caller has written to bank n */
};

struct wb_device {
	struct arena arena;
	struct wb_config *config;       /* NULL: the device of a launch of wb_launch_new */
	const struct chip *chip;        /* NULL likewise */
	struct global memory;
	struct module *modules;
	void *spare;                    /* memory of a freed launch, for the next; or NULL */
	/* nkept launches that are over, with machines of kept_bytes bytes, for the next ones (device/kept.h). */
	struct wb_launch *kept;
	unsigned nkept;
	size_t kept_bytes;
	uint64_t numbers;               /* prepared kernels made */
	uint32_t launches;              /* launches made, which number the owners */
	uint64_t changes;               /* buffers allocated and freed by the caller */
	/* Buffers with bits of enum wb_memory_use missing, `nlimited` of them. */
	struct limited { uint64_t address; unsigned uses; } *limited;
	size_t nlimited;
	struct wb_variable_place found; /* for wb_device_variable */
};

/* A device without a configuration and a chip; NULL: the host has no memory. Freed by wb_device_free. */
struct wb_device *device_new(void);
/* The entry of a buffer with limits; NULL: it has none. */
struct limited *device_limited(const struct wb_device *v, uint64_t address);
/* What kernels may do with the buffer at an address: bits of enum wb_memory_use. */
unsigned device_uses(const struct wb_device *v, uint64_t address);
/* The module of an image; NULL: its variables have no place yet. */
struct module *device_find(const struct wb_device *v, const struct image *im);
/* The module of an image, placed if needed. NULL with a diagnostic. */
struct module *device_module(struct wb_device *v, const struct image *im, struct diag *d);
/* A module whose variables have places already, to be filled in by the caller: address is all 0. NULL with a
 * diagnostic. */
struct module *device_module_at(struct wb_device *v, const struct image *im, struct diag *d);
/* Write the addresses of a module's variables where relocations want them. */
bool module_relocate(const struct module *m, const struct image_reloc *r, size_t n, struct const_banks *b,
		     struct diag *d);

#endif
