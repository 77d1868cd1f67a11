/* The themes of the textbook kernels: a table for each file of models. */
#ifndef WB_TESTS_TEXTBOOK_THEMES_H
#define WB_TESTS_TEXTBOOK_THEMES_H

extern const struct textbook control_kernels[], graph_kernels[], lock_kernels[], number_kernels[], numeric_kernels[];
extern const struct textbook shared_kernels[], sorting_kernels[], string_kernels[];

#endif
