/* Operations of atomics on g[]: MOD_OP of their instructions. */
#ifndef WB_CORE_ISA_TESLA_ATOMIC_OP_H
#define WB_CORE_ISA_TESLA_ATOMIC_OP_H

enum atomic_op {
	ATOMIC_ADD = 0, ATOMIC_EXCH = 1, ATOMIC_CAS = 2, ATOMIC_TRAP = 3, ATOMIC_INC = 4, ATOMIC_DEC = 5,
	ATOMIC_MAX = 6, ATOMIC_MIN = 7, ATOMIC_AND = 10, ATOMIC_OR = 11, ATOMIC_XOR = 12,
};

#endif
