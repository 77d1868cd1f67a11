"""A scheduling policy written in Python: program.run(policy=lambda choice: 0).

A policy gets a Choice and returns one of choice.candidates, or its index. The functions of warpbeam.h's wb_config_policy
in Python's clothes; what the policy raises ends the run and is raised from there."""


class Choice:
    """Warps that could issue now: candidates, each with slot, block, warp, pc, age and ready_since; mp, simd, cycle; previous,
    the slot that issued last; memory, 8 integers of the policy's own for each multiprocessor, 0 at the start."""

    def __init__(self, choice):
        self.mp, self.simd, self.cycle, self.previous = choice.mp, choice.simd, choice.cycle, choice.previous
        self.candidates = [choice.candidate[i] for i in range(choice.n)]
        self.memory = choice.memory


class Policy:
    """A callable as a callback from C. failed: what it raised, or None."""

    def __init__(self, ffi, choose):
        self.failed = None
        self._choose = choose
        self._none = 2 ** 32 - 1        # the index of no candidate
        self.callback = ffi.callback("unsigned(void *, const struct wb_choice *)", self._asked)

    def _asked(self, _context, c_choice):
        if self.failed:
            return self._none
        try:
            return self._index(Choice(c_choice))
        except BaseException as error:
            self.failed = error
            return self._none

    def _index(self, choice):
        chosen, n = self._choose(choice), len(choice.candidates)
        for i, candidate in enumerate(choice.candidates):
            if candidate is chosen:
                return i
        if isinstance(chosen, int) and not isinstance(chosen, bool) and 0 <= chosen < n:
            return chosen
        raise ValueError(f"a policy returned {chosen!r}, expected one of its {n} candidates or an index below {n}")
