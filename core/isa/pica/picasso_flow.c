/* picasso: blocks and their ends. The unit goes wrong where a block ends on certain words, so that .else and .end put a
 * NOP there; facts: picasso's manual, "Caveats", and its words for every pair of ends. */
#include "core/isa/pica/ops.h"
#include "core/isa/pica/picasso_impl.h"

static const char *const block_noun[] = { "procedure", "for", "if", "array of constants" };

bool open_block(struct picasso *p, const struct line *line, enum block_kind kind, const struct token *name)
{
	if (p->nblocks == BLOCKS)
		return line_error(line, line->token, p->d, "more than %d blocks are open: .end is missing", BLOCKS);
	p->block[p->nblocks++] = (struct block){
		.kind = kind, .opener = p->nwords - (kind == BLOCK_IF || kind == BLOCK_FOR), .name = *name,
		.position = line_place(line, line->token),
	};
	return true;
}

bool open_procedure(struct picasso *p, struct line *line)
{
	const struct token *name = line->cursor++;
	struct procedure *same;

	if (name->kind != TOKEN_NAME)
		return line_expected(line, name, p->d, "the name of the procedure");
	HASH_FIND(hh, p->procedures, name->text, (unsigned)name->length, same);
	if (same)
		return line_error(line, name, p->d, "there is a procedure `%.*s` already", name->length, name->text);
	return line_ends(line, p->d) && open_block(p, line, BLOCK_PROC, name);
}

/* May the last word not be the last of a block? */
static bool jumps(const struct picasso *p, bool loop)
{
	const struct isa_row *row = p->nwords ? p->word[p->nwords - 1].insn.row : NULL;

	if (!row)
		return false;
	return row->exec == PICA_EXEC_jmpc || row->exec == PICA_EXEC_jmpu || row->exec == PICA_EXEC_call ||
	       row->exec == PICA_EXEC_callc || row->exec == PICA_EXEC_callu ||
	       (loop && (row->exec == PICA_EXEC_break || row->exec == PICA_EXEC_breakc));
}

/* `shortest`: words from the opener on, without which the block counts as empty. */
static bool pad(struct picasso *p, const struct line *line, const struct block *b, bool loop, uint32_t shortest)
{
	bool needed = p->block_closed || jumps(p, loop) || p->nwords - b->opener < shortest;

	p->block_closed = false;
	return !needed || add_row(p, line, "nop");
}

bool read_else(struct picasso *p, struct line *line)
{
	struct block *b = p->nblocks ? &p->block[p->nblocks - 1] : NULL;

	if (!line_ends(line, p->d))
		return false;
	if (!b || b->kind != BLOCK_IF)
		return line_error(line, line->token, p->d, "found .else in %s: .else belongs to ifu and ifc",
				  b ? block_noun[b->kind] : "no block");
	if (b->has_else)
		return line_error(line, line->token, p->d, "the if of line %d has an .else already", b->position.line);
	if (!pad(p, line, b, false, 2))
		return false;
	b->has_else = true;
	b->alternative = p->nwords;
	return true;
}

static bool close_procedure(struct picasso *p, const struct block *b)
{
	struct procedure *f = ARENA_NEW(p->arena, struct procedure);
	char *name = token_copy(p->arena, p->d, &b->name);

	if (!f || !name)
		return picasso_no_memory(p);
	f->name = name;
	f->word = b->opener;
	f->length = p->nwords - b->opener;
	HASH_ADD_KEYPTR(hh, p->procedures, f->name, (unsigned)b->name.length, f);
	return f->hh.tbl || picasso_no_memory(p);
}

static bool close_if(struct picasso *p, const struct line *line, const struct block *b)
{
	uint32_t alternative = b->has_else ? b->alternative : p->nwords, length = p->nwords - alternative;

	if (length > 0xff)
		return line_error(line, line->token, p->d, "the .else of the if of line %d has %u instructions, at "
				  "most 255 fit", b->position.line, length);
	set_target(&p->word[b->opener].insn, alternative);
	p->word[b->opener].insn.mod[MOD_NUM] = (uint8_t)length;
	return true;
}

bool read_end(struct picasso *p, struct line *line)
{
	if (!line_ends(line, p->d))
		return false;
	if (!p->nblocks)
		return line_error(line, line->token, p->d, "no block is open here: this .end is one too many");
	struct block b = p->block[--p->nblocks];
	if (!pad(p, line, &b, b.kind == BLOCK_FOR, b.kind == BLOCK_PROC ? 1 : 2))
		return false;
	if (b.kind == BLOCK_PROC)
		return close_procedure(p, &b);
	p->block_closed = true;
	if (b.kind == BLOCK_IF)
		return close_if(p, line, &b);
	set_target(&p->word[b.opener].insn, p->nwords - 1);
	return true;
}
