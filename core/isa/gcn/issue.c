#include "core/isa/gcn/issue.h"

#define UNIT_NAME(name_, text_) text_,
static const char *const units[] = { GCN_UNITS(UNIT_NAME) };

#define CLASS(name_, text_, unit_, lanes_, latency_, ...) \
	{ .name = text_, .unit = UNIT_##unit_, .lanes = lanes_, .latency = latency_, __VA_ARGS__ },
static const struct issue_class classes[] = { GCN_CLASSES(CLASS) };

/* As wide as the widest generation's. */
static const struct wait_counter counters[] = { { "vmcnt", 63 }, { "lgkmcnt", 15 } };

const struct issue_model gcn_issue = {
	.unit = units, .nunits = GCN_UNIT_COUNT, .class = classes, .nclasses = GCN_CLASS_COUNT,
	.counter = counters, .ncounters = GCN_COUNTERS, .simd_units = 1 << UNIT_VALU,
};
