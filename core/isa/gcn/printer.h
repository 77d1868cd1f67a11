/* An instruction's text: print.c walks over operands and modifiers, and struct gcn_manner has what a syntax writes in a
 * way of its own (clrx.c, llvm.c). */
#ifndef WB_CORE_ISA_GCN_PRINTER_H
#define WB_CORE_ISA_GCN_PRINTER_H

#include "core/isa/gcn/names.h"
#include "core/isa/gcn/text.h"

typedef void gcn_part_fn(struct gcn_printer *p);
/* A number where an operand stands, as a syntax writes the number. */
typedef void gcn_number_fn(struct gcn_printer *p, uint32_t v);

struct gcn_manner {
	bool lossless;                      /* unused fields are shown unless 0; false: words may share a text */
	/* words: in front of an aperture's name, sources from CODE_VCCZ on, around an absolute value, in front of
	 * the numbers of parameters and of targets of exports without a name */
	const char *aperture, *special[4], *absolute[2], *parameter, *export;
	gcn_part_fn *mnemonic, *hwreg, *waits, *message, *target, *smem_offset, *selection, *buffer_modifiers;
	gcn_number_fn *immediate;           /* of a scalar instruction, and the operation of a cache */
	gcn_number_fn *indexed;             /* 8 bits in a source's place: operands indexed by M0 */
	gcn_number_fn *swizzle;             /* offset of ds_swizzle_b32; NULL: as any offset */
	/* a literal as operand of a type; NULL: by its bits alone */
	void (*literal)(struct gcn_printer *p, enum gcn_type type);
};

#define PUT(...) gcn_put(&p->t, __VA_ARGS__)

static inline uint32_t field(const struct gcn_printer *p, enum gcn_field f)
{
	return p->w->f[f];
}

/* The existing sources of a vector instruction, as bits. */
unsigned gcn_sources(const struct gcn_row *r);
/* Fields that are not 0, by their names. */
#define PUT_FLAGS(...) gcn_put_flags(p, (const uint8_t[]){ __VA_ARGS__, 0 })
void gcn_put_flags(struct gcn_printer *p, const uint8_t *flags);

#endif
