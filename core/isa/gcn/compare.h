/* What compares of vectors come to. */
#ifndef WB_CORE_ISA_GCN_COMPARE_H
#define WB_CORE_ISA_GCN_COMPARE_H

/* The relation of two values, as a bit of a condition (MOD_CONDITION). */
enum valu_class { CLASS_LESS = 1, CLASS_EQUAL = 2, CLASS_GREATER = 4, CLASS_UNORDERED = 8 };

/* How a is to b. */
#define VALU_CLASS(a, b) \
	((a) < (b) ? CLASS_LESS : (a) == (b) ? CLASS_EQUAL : (a) > (b) ? CLASS_GREATER : CLASS_UNORDERED)

#endif
