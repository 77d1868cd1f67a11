"""Warpbeam from Python: load a program, run it, read its report; step through it; show its picture in a notebook.

    import warpbeam
    program = warpbeam.load("examples/ifelse.s")
    result = program.run()
    print(result.counters["divergent_branch"], result.bill)

Everything here is a function of libwarpbeam's header in Python's clothes, by cffi; names, units and meanings are those of
warpbeam.h. Buffers are bytes, or NumPy arrays where NumPy is installed.
"""
import html
import os
import re
import subprocess
import tempfile
import threading

import cffi

from ._cdef import ABI, CDEF
from .policy import Policy

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["load", "loads", "occupancy", "Program", "Launch", "Result", "Page", "Picture", "Error", "version", "Device",
           "Array", "Kernel"]

ffi = cffi.FFI()
ffi.cdef(CDEF)


def _open_library():
    """$WARPBEAM_LIBRARY, or the library as the system finds it."""
    name = os.environ.get("WARPBEAM_LIBRARY", f"libwarpbeam.so.{ABI}")
    try:
        library = ffi.dlopen(name)
    except OSError as error:
        raise ImportError(f"{name} cannot be loaded ({error}); install Warpbeam, or name its library in "
                          "$WARPBEAM_LIBRARY") from None
    if library.wb_abi() != ABI:
        raise ImportError(f"{name} has ABI {library.wb_abi()}; this package was made for {ABI}")
    return library


lib = _open_library()
WB_OK = 0


class Error(RuntimeError):
    """What a function of the library refused, or how a run ended that did not end well.

    status: an exit code of the command line (2 usage, 3 host, 4 input, 5 fault, 6 limit, 7 hang); file, line, column,
    offset: where; result: of a run, what there is of it."""

    def __init__(self, diag, result=None):
        self.status = int(diag.status)
        self.text = re.sub(r"--format (\w+)", r'format="\1"', _text(diag.text))
        self.file = _text(diag.file)
        self.line = diag.line
        self.column = diag.column
        self.offset = diag.offset
        self.result = result
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        super().__init__(f"{place}: {self.text}" if place else self.text)


def version():
    """The library's version: "0.3.0"."""
    return _text(lib.wb_version())


# ---- from C ----

def _text(pointer):
    """A C text, or None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def _value(value, kind):
    """A member of a struct as Python has it."""
    if kind.kind == "primitive":
        return value if kind.cname in ("_Bool", "bool") else value
    if kind.kind == "enum":
        return int(value)
    if kind.kind == "array":
        if kind.item.cname == "char":
            return _text(value)
        return [_value(item, kind.item) for item in value]
    if kind.kind == "pointer" and kind.item.cname == "char":
        return _text(value)
    if kind.kind == "struct":
        return _struct(value)
    if kind.kind == "pointer" and kind.item.kind == "struct" and value != ffi.NULL:
        return _struct(value[0])
    return None


def _struct(value, skip=()):
    """A struct as a dict. Arrays behind pointers are the caller's to add."""
    return {name: _value(getattr(value, name), field.type)
            for name, field in ffi.typeof(value).fields if name not in skip}


def _list(pointer, n):
    """n structs behind a pointer as dicts."""
    return [_struct(pointer[i]) for i in range(n)]


def _texts(array):
    """The texts of an array that NULL ends."""
    return [_text(text) for text in array if text != ffi.NULL]


def _stall_names():
    return [_text(lib.wb_stall_name(i)) for i in range(lib.wb_stalls())]


# ---- to C ----

def _for_c(text):
    """A text as bytes for C, where a NUL is the end: ValueError if the text has a NUL."""
    data = text.encode() if isinstance(text, str) else text
    if b"\0" in data:
        raise ValueError(f"found a NUL in {text!r}, expected a text without")
    return data


def _option_texts(options):
    """Names and texts of keyword arguments, in order."""
    for name, value in options.items():
        values = value if isinstance(value, (list, tuple)) and name not in ("grid", "block") else [value]
        for item in values:
            if isinstance(item, bool):
                item = "on" if item else "off"
            if isinstance(item, (list, tuple)):
                item = ",".join(str(part) for part in item)
            yield name.rstrip("_").replace("_", "-"), str(item)


def _switches():
    """Names of the options that have no text on a command line."""
    names, index = set(), 0
    while (info := lib.wb_option(index)) != ffi.NULL:
        if info.kind == lib.WB_OPT_SWITCH:
            names.add(_text(info.name))
        index += 1
    return names


class _Config:
    """A wb_config made of keyword arguments: mp_mode="0x1" is --mp-mode 0x1; True and False are on and off, a list gives
    an option several times; a callable policy chooses warps itself. It outlives what is made of it."""

    def __init__(self, options):
        self.handle = ffi.gc(_memory(lib.wb_config_new()), lib.wb_config_free)
        self._policy = None
        if callable(options.get("policy")):
            self._policy = Policy(ffi, options["policy"])
            options = {name: value for name, value in options.items() if name != "policy"}
            lib.wb_config_policy(self.handle, self._policy.callback, ffi.NULL)
        for name, text in _option_texts(options):
            diag = ffi.new("struct wb_diag *")
            _check(lib.wb_config_set(self.handle, _for_c(name), _for_c(text), diag), diag)

    def raise_failure(self):
        """Raise what a policy has raised since the last call."""
        if self._policy and self._policy.failed:
            failed, self._policy.failed = self._policy.failed, None
            raise failed


def _check(status, diag, result=None):
    if status != WB_OK:
        raise Error(diag, result)


def _memory(pointer):
    if pointer == ffi.NULL:
        raise MemoryError("the host has no memory")
    return pointer


_NUMPY_KINDS = {"u1": "u8", "i1": "s8", "u2": "u16", "i2": "s16", "u4": "u32", "i4": "s32", "u8": "u64", "i8": "s64",
                "f4": "f32", "f8": "f64"}


def _argument(value, declared):
    """An argument as the word of -a and, of a buffer, its bytes. declared: bytes of the parameter that it is for, or
    0."""
    if isinstance(value, str):
        return value, None
    if numpy is not None and isinstance(value, numpy.generic):
        return f"{_NUMPY_KINDS[value.dtype.str[1:]]}={value.item()!r}", None
    if isinstance(value, bool):
        raise TypeError("an argument is a word of -a (\"u32=1\"), a number or a buffer; found a bool")
    if isinstance(value, int):
        bits = 64 if declared == 8 else 32
        return f"{'s' if value < 0 else 'u'}{bits}={value}", None
    if isinstance(value, float):
        return f"f{64 if declared == 8 else 32}={value!r}", None
    try:
        view = memoryview(value)
    except TypeError:
        raise TypeError(f"found {type(value).__name__}, expected bytes, an array (numpy.array(..., dtype=...)), a number "
                        "or a word of -a") from None
    if view.format[-1:] in "wOUV":
        raise TypeError(f"found an array of {view.format!r}, expected numbers: numpy.array(..., dtype=...)")
    if not view.c_contiguous:
        raise ValueError("a buffer argument must be contiguous")
    return f"zero={view.nbytes}", view.cast("B")


# ---- programs ----

_WORDS = ("args", "expectations", "scene")     # members of a wb_kernel that are lists of texts


class Program:
    """A file, or text, with its kernels."""

    def __init__(self, handle, name, options=None, is_file=False):
        self._is_file = is_file
        self._handle = ffi.gc(handle, lib.wb_program_free)
        self._options = dict(options or {})
        self._for_chip = {}
        self.name = name

    def _compiled(self, options):
        """This program, or the same source compiled for the chip that the options name: code of one chip is no code of
        another."""
        chip = options.get("chip")
        if chip is None or chip == self._options.get("chip") or self.format not in ("asm", "opencl"):
            return self
        if chip not in self._for_chip:
            file = ffi.new("struct wb_file *")
            lib.wb_program_file(self._handle, 0, file)
            source = bytes(ffi.buffer(file.bytes, file.size))
            self._for_chip[chip] = loads(source, self.name, **{**self._options, "chip": chip})
        return self._for_chip[chip]

    @property
    def format(self):
        return _text(lib.wb_program_format(self._handle))

    @property
    def kernels(self):
        """A dict for each kernel: name, machine, chip, registers, parameters as `params`, launch defaults …"""
        kernels = []
        for i in range(lib.wb_program_kernels(self._handle)):
            k = lib.wb_program_kernel(self._handle, i)
            kernel = _struct(k[0], skip=("nparams", "params", "nnames", "names", *_WORDS))
            kernel["params"] = _list(k.params, k.nparams)
            kernel["names"] = _list(k.names, k.nnames)
            for words in _WORDS:
                at, kernel[words] = getattr(k, words), []
                while at != ffi.NULL and at[len(kernel[words])] != ffi.NULL:
                    kernel[words].append(_text(at[len(kernel[words])]))
            kernels.append(kernel)
        return kernels

    @property
    def warnings(self):
        """What is probably a mistake in a text that was assembled or compiled."""
        found, diag = [], ffi.new("struct wb_diag *")
        while lib.wb_program_warning(self._handle, len(found), diag):
            found.append(str(Error(diag)))
        return found

    def disassemble(self, source=False, bare=False, **options):
        """The listing of every kernel; source: as a text that can be assembled."""
        text, diag = ffi.new("struct wb_text *"), ffi.new("struct wb_diag *")
        flags = (lib.WB_LIST_SOURCE if source else 0) | (lib.WB_LIST_BARE if bare else 0)
        _check(lib.wb_disassemble(self._compiled(options)._handle, _Config(options).handle, flags, text, diag), diag)
        listing = _text(text.data)
        lib.wb_text_free(text)
        return listing

    def launch(self, *args, kernel=None, **options):
        """A Launch of a kernel with these arguments: buffers (bytes, bytearray, arrays), numbers, NumPy scalars, or words
        of -a; options as on the command line ("mp_mode" for --mp-mode)."""
        return Launch(self._compiled(options), args, kernel, options)

    def run(self, *args, kernel=None, check=True, **options):
        """Run to the end: a Result. A fault, limit or hang raises Error, whose `result` has the report; with
        check=False it is returned."""
        return self.launch(*args, kernel=kernel, **options).run(check)

    def __repr__(self):
        return f"<warpbeam.Program {self.name}: {self.format}, {', '.join(k['name'] for k in self.kernels)}>"

    def _as_options(self, more=None):
        """The program's own options, and `more`, as words of a command line."""
        words = []
        for name, text in _option_texts({**self._options, **(more or {})}):
            if name not in _switches():
                words += ["--" + name, text]
            else:
                words.append(("--" if text == "on" else "--no-") + name)
        return words

    def _text_bytes(self):
        """The text of a program that is no file; None: the program is a file."""
        if self._is_file:
            return None
        file = ffi.new("struct wb_file *")
        lib.wb_program_file(self._handle, 0, file)
        return bytes(ffi.buffer(file.bytes, file.size))

    def picture(self, *options):
        """What the window shows, with options of `warpbeam shot`: program.picture("--at", "120")."""
        return Picture(self.name, [*self._as_options(), *options], self._text_bytes())

    def report(self, *options):
        """The page of `warpbeam report`, with its options: program.report("--against", "other.s")."""
        return Page(self.name, [*self._as_options(), *options], self._text_bytes())


def load(path, **options):
    """Load a file of any kind that `warpbeam run` takes."""
    program, diag = ffi.new("struct wb_program **"), ffi.new("struct wb_diag *")
    _check(lib.wb_program_open(_for_c(os.fsencode(path)), _Config(options).handle, program, diag), diag)
    return Program(program[0], os.fspath(path), options, is_file=True)


def loads(source, name="text.s", **options):
    """Load a text or bytes; the name's ending may say what they are, as a file's would."""
    data = source.encode() if isinstance(source, str) else bytes(source)
    program, diag = ffi.new("struct wb_program **"), ffi.new("struct wb_diag *")
    _check(lib.wb_program_load(data, len(data), _for_c(name), _Config(options).handle, program, diag), diag)
    return Program(program[0], name, options)


# ---- launches ----

def _is_short(goal):
    """Whether a move takes no time worth a thread: a few issues."""
    return goal.keys() == {"issues"} and goal["issues"] <= 1000


class Launch:
    """A kernel with arguments and memory: run it, or step through it."""

    def __init__(self, program, args, kernel, options):
        self.program = program      # outlives the launch
        self._config = _Config(options)
        self._diag = ffi.new("struct wb_diag *")
        launch = ffi.new("struct wb_launch **")
        name = _for_c(kernel) if kernel else ffi.NULL
        _check(lib.wb_launch_new(program._handle, name, self._config.handle, launch, self._diag), self._diag)
        self._handle = ffi.gc(launch[0], lib.wb_launch_free)
        self._types = {}
        self._asked = args, kernel, dict(options)
        self._add(args, self._params(kernel))

    @classmethod
    def _of(cls, handle, program, config, keeps):
        """A launch that a prepared kernel has made; `config` and `keeps` outlive the launch."""
        launch = cls.__new__(cls)
        launch._config = config
        launch.program, launch._keeps, launch._handle, launch._types = program, keeps, handle, {}
        launch._asked = None
        launch._diag = ffi.new("struct wb_diag *")
        return launch

    def _params(self, kernel):
        kernels = self.program.kernels
        return next((k["params"] for k in kernels if k["name"] == kernel), kernels[0]["params"] if kernels else [])

    def _add(self, args, params):
        buffers = []
        for i, value in enumerate(args):
            word, data = _argument(value, params[i]["size"] if i < len(params) else 0)
            self._check(lib.wb_launch_arg(self._handle, _for_c(word), self._diag))
            if data is not None:
                buffers.append((i, data))
                self._types[i] = getattr(value, "dtype", None), getattr(value, "shape", None)
        if not buffers:
            return
        self._check(lib.wb_launch_prepare(self._handle, self._diag))
        for i, data in buffers:
            if data.nbytes:
                self._check(lib.wb_launch_write_arg(self._handle, i, 0, ffi.from_buffer(data), data.nbytes,
                                                    self._diag))

    def _drawn(self, kind, options):
        """A Picture or Page of the run with these arguments: buffers are as at the start, in files of a while."""
        if self._asked is None:
            raise ValueError("a launch on a device has memory of other launches; expected one of program.launch or run")
        if callable(self._asked[2].get("policy")):
            raise ValueError("a picture and a page know the policies of --policy alone, expected a run with one of them")
        (args, kernel, own), params = self._asked, self._params(self._asked[1])
        words = self.program._as_options(own) + (["--kernel", kernel] if kernel is not None else [])
        with tempfile.TemporaryDirectory() as folder:
            for i, value in enumerate(args):
                word, data = _argument(value, params[i]["size"] if i < len(params) else 0)
                if data is not None:
                    word = "in=" + os.path.join(folder, str(i))
                    with open(word[3:], "wb") as f:
                        f.write(data)
                words += ["-a", word]
            return kind(self.program.name, [*words, *options], self.program._text_bytes())

    def _check(self, status):
        _check(status, self._diag)

    def _stop(self, done):
        """Interrupt the launch until the function that moves it has returned, whatever else is pressed meanwhile."""
        while not done.is_set():
            try:
                lib.wb_launch_interrupt(self._handle)
                done.wait(0.02)
            except BaseException:
                pass

    def _moved(self, function, *arguments):
        """A function that moves the launch, called so that Ctrl-C ends it. Python answers signals in its main thread alone,
        between two of its own instructions: so the main thread waits there, and another one calls."""
        if threading.current_thread() is not threading.main_thread():
            return function(self._handle, *arguments)
        done, status = threading.Event(), []

        def call():
            try:
                status.append(function(self._handle, *arguments))
            finally:
                done.set()

        try:
            threading.Thread(target=call, daemon=True).start()
            done.wait()
        except BaseException:
            self._stop(done)
            raise
        return status[0]

    def run(self, check=True):
        """Run to the end: a Result. Ctrl-C ends the run with KeyboardInterrupt."""
        status = self._moved(lib.wb_launch_run, self._diag)
        self._config.raise_failure()
        result = Result(self)
        if check or not result.report["result"]:
            _check(status, self._diag, result)
        return result

    def argument(self, index, dtype=None):
        """What a buffer argument holds: an array of the type that it came with, or of `dtype`; bytes without NumPy."""
        n = lib.wb_launch_arg_bytes(self._handle, index)
        data = bytearray(n)
        if not n and index not in self._types:
            raise IndexError(f"argument {index} is no buffer")
        if n:
            self._check(lib.wb_launch_read_arg(self._handle, index, 0, ffi.from_buffer(data), n, self._diag))
        kind, shape = self._types.get(index, (None, None))
        if numpy is None or (dtype is None and kind is None):
            return bytes(data)
        array = numpy.frombuffer(data, dtype or kind)
        return array.reshape(shape) if dtype is None and shape is not None else array

    def prints(self):
        """What the program has printed with printf: (block, warp, lane, text) by block, warp, issue and lane."""
        out, lost = ffi.new("const struct wb_print **"), ffi.new("uint64_t *")
        n = lib.wb_launch_prints(self._handle, out, lost)
        return [(p.block, p.warp, p.lane, ffi.string(p.text).decode()) for p in out[0][0:n]] if n else []

    def memory(self, space, address, size):
        """Bytes of memory: space "g", "s", "l", "c0" … "g15"."""
        data = bytearray(size)
        self._check(lib.wb_launch_read(self._handle, _for_c(space), address, ffi.from_buffer(data), size, self._diag))
        return bytes(data)

    # Stepping (section 7 of the header).

    def _move(self, function, goal, short=False):
        where = ffi.new("struct wb_where *")
        call = (lambda f, *arguments: f(self._handle, *arguments)) if short else self._moved
        status = call(function, goal, where, self._diag)
        self._config.raise_failure()
        self._check(status)
        return _struct(where[0])

    def _goal(self, goal):
        c = ffi.new("struct wb_goal *")
        when = goal.pop("when", None)
        text = ffi.new("char[]", _for_c(when)) if when else ffi.NULL
        c.when = text
        for name, value in goal.items():
            setattr(c, name, value)
        return c, text

    def forward(self, **goal):
        """Move until the goal is met: issues=1, cycles=100, stops=…, when="…"; a dict like wb_where."""
        c, text = self._goal(goal := goal or {"issues": 1})
        return self._move(lib.wb_launch_forward, c, _is_short(goal))

    def back(self, **goal):
        """The same, backwards."""
        c, text = self._goal(goal := goal or {"issues": 1})
        return self._move(lib.wb_launch_back, c, _is_short(goal))

    def goto(self, issue=None, cycle=None):
        """Go to a position, or to the first one at a cycle or behind it."""
        if issue is None and cycle is not None:
            return self._move(lib.wb_launch_goto_cycle, cycle)
        return self._move(lib.wb_launch_goto, issue or 0)

    def warp(self, slot, mp=0):
        """The warp in a slot of a multiprocessor, or None."""
        warp = ffi.new("struct wb_warp *")
        return _struct(warp[0]) if lib.wb_launch_warp(self._handle, mp, slot, warp) else None

    def register(self, name, block=0, warp=0):
        """A register of a warp in every lane: a list, or an array where NumPy is."""
        value = ffi.new("uint32_t[]", lib.WB_LANES)
        self._check(lib.wb_launch_read_register(self._handle, block, warp, _for_c(name), value, self._diag))
        machine = ffi.new("struct wb_machine *")
        lib.wb_launch_machine(self._handle, machine)
        lanes = list(value)[:machine.lanes]
        return lanes if numpy is None else numpy.array(lanes, dtype="u4")


class Result:
    """What a launch did: its report as dicts, what its arguments hold now."""

    def __init__(self, launch):
        self.launch = launch
        report = lib.wb_launch_report(launch._handle)
        if report == ffi.NULL:
            raise MemoryError("the host has no memory")
        self.report = _report(report)

    @property
    def counters(self):
        """Every counter by its name."""
        return self.report["counters"]

    @property
    def bill(self):
        """Where every lane slot of every issue went."""
        return self.report["bill"]

    @property
    def branches(self):
        """Branches that sent lanes away, the dearest first."""
        return self.report["branches"]

    @property
    def pcs(self):
        """A row for each instruction."""
        return self.report["pcs"]

    @property
    def warps(self):
        """A row for each warp."""
        return self.report["warps"]

    @property
    def stalls(self):
        """Warp cycles by what they were spent on."""
        return self.report["time"]["stalls"]

    def picture(self, *options):
        """What the window shows of this run, its arguments included, with options of `warpbeam shot`."""
        return self.launch._drawn(Picture, options)

    def page(self, *options):
        """The page of `warpbeam report` about this run, its arguments included."""
        return self.launch._drawn(Page, options)

    def argument(self, index, dtype=None):
        """What a buffer argument holds after the run."""
        return self.launch.argument(index, dtype)

    def prints(self):
        """What the program has printed with printf: (block, warp, lane, text) by block, warp, issue and lane."""
        return self.launch.prints()

    def __repr__(self):
        launch, counters = self.report["launch"], self.counters
        return (f"<{launch['kernel']} on {launch['chip']}: {self.report['result']}, "
                f"{counters.get('instructions', 0)} warp instructions, {counters.get('cycles', 0)} cycles>")

    def _repr_html_(self):
        """The bill, the dearest branches and the time, as tables."""
        bill, stalls = self.bill, {name: n for name, n in self.stalls.items() if n and name != "no_warp"}
        parts = [(name, n) for name, n in bill.items() if isinstance(n, int) and name != "lane_slots" and n]
        return "".join((
            f"<p><b>{html.escape(repr(self)[1:-1])}</b></p>",
            _table(f"The bill: {bill['lane_slots']:,} lane slots", ("lanes", "slots", "share"),
                   [(name.replace("_", " "), f"{n:,}", _share(n, bill["lane_slots"])) for name, n in parts]),
            _table("Lost by branch", ("branch", "at", "splits", "lost"),
                   [(b["text"], hex(b["pc"]), f"{b['splits']:,}", f"{b['lost']:,}")
                    for b in self.branches[:5] if b["lost"]]),
            _table("Where the time went", ("warps", "cycles", "share"),
                   [(name.replace("_", " "), f"{n:,}", _share(n, sum(stalls.values())))
                    for name, n in stalls.items()]),
        ))


def _share(part, whole):
    return f"{part / whole:.1%}" if whole else ""


def _table(title, head, rows):
    """A table of texts, the first column to the left; nothing without rows."""
    if not rows:
        return ""
    sides = ["left"] + ["right"] * (len(head) - 1)

    def row(tag, cells):
        return "<tr>" + "".join(f'<{tag} style="text-align:{side}">{html.escape(cell)}</{tag}>'
                                for side, cell in zip(sides, cells)) + "</tr>"

    return (f"<table><caption>{html.escape(title)}</caption><thead>{row('th', head)}</thead><tbody>"
            f"{''.join(row('td', cells) for cells in rows)}</tbody></table>")


def _report(r):
    skip = ("ncounters", "counters", "nbranches", "branches", "npcs", "pcs", "nwarps", "warps", "nwaits", "waits",
            "nwarnings", "warnings", "ncauses", "causes")
    names = _stall_names()
    report = _struct(r[0], skip)
    report["counters"] = {_text(c.name): int(c.value) if c.integer else c.value
                          for c in (r.counters[i] for i in range(r.ncounters))}
    report["branches"] = _list(r.branches, r.nbranches)
    report["pcs"] = _list(r.pcs, r.npcs)
    report["causes"] = [dict(cause, reason=names[cause["reason"]]) for cause in _list(r.causes, r.ncauses)]
    report["warps"] = [dict(_struct(r.warps[i], ("stalls",)),
                            stalls=dict(zip(names, r.warps[i].stalls[0:lib.wb_stalls()]))) for i in range(r.nwarps)]
    for pc in report["pcs"]:
        pc["stalls"] = dict(zip(names, pc["stalls"]))
    report["waits"] = [_text(r.waits[i]) for i in range(r.nwaits)]
    report["warnings"] = [_text(r.warnings[i]) for i in range(r.nwarnings)]
    report["time"]["stalls"] = dict(zip(names, report["time"]["stalls"]))
    report["occupancy"]["limiters"] = _texts(r.occupancy.limiters)
    return report


# ---- pictures and pages ----

def _error(status, text):
    diag = ffi.new("struct wb_diag *", {"status": status, "offset": -1})
    diag.text = text.encode()[:len(diag.text) - 1]
    return Error(diag)


def _drawn(verb, file, options, name, text=None):
    """The bytes of the file that a verb of the program `warpbeam` ($WARPBEAM names another) writes about a program; text:
    the program's bytes, where it is no file. The program is never taken as an option, and options cannot name the
    output."""
    file, options = os.fsdecode(file), [os.fsdecode(option) for option in options]
    for option in options:
        word = option.partition("=")[0]
        if option.startswith("-o") or (len(word) > 2 and "--output".startswith(word)):
            raise ValueError(f"found the option {option!r}, expected none for the output, which is in memory")
    if file.startswith("-"):
        file = os.path.join(os.curdir, file)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        if text is not None:
            file = os.path.join(folder, os.path.basename(file) or "text.s")
            with open(file, "wb") as f:
                f.write(text)
        program = os.environ.get("WARPBEAM", "warpbeam")
        try:
            done = subprocess.run([program, verb, *options, "-o", path, "--", file],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        except OSError as why:
            raise _error(3, f"{program} cannot be started ({why.strerror}): pictures and reports are drawn by the "
                            "program; put its folder into $PATH, or name the program in $WARPBEAM") from None
        if not os.path.exists(path):
            raise _error(done.returncode, done.stderr.decode("utf-8", "replace").strip().removeprefix("warpbeam: "))
        with open(path, "rb") as drawn:
            return drawn.read()


class Picture:
    """A PNG of what the window shows; a notebook displays it."""

    def __init__(self, file, options=(), text=None):
        self.png = _drawn("shot", file, options, "shot.png", text)

    def __repr__(self):
        return f"<a picture, PNG of {len(self.png):,} bytes>"

    def _repr_png_(self):
        return self.png


class Page:
    """The page of `warpbeam report`: `html` has all of it, save() writes it, a notebook displays it in a frame."""

    def __init__(self, file, options=(), text=None):
        self.html = _drawn("report", file, options, "report.html", text).decode()

    def __repr__(self):
        return f"<a page, HTML of {len(self.html):,} letters>"

    def save(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.html)

    def _repr_html_(self):
        return ('<iframe sandbox="allow-scripts" style="width:100%;height:40em;border:0" '
                f'srcdoc="{html.escape(self.html)}"></iframe>')


# ---- chips ----

def occupancy(chip, threads, regs, smem, rules=None, warp_regs=0):
    """How many blocks a multiprocessor of a chip takes, and what limits it."""
    out, diag = ffi.new("struct wb_occupancy *"), ffi.new("struct wb_diag *")
    block = ffi.new("struct wb_block_needs *", (threads, regs, warp_regs, smem))
    _check(lib.wb_occupancy(_for_c(chip), block, _for_c(rules) if rules else ffi.NULL, out, diag), diag)
    result = _struct(out[0], ("limiters",))
    result["limiters"] = _texts(out.limiters)
    return result


from .device import Array, Device, Kernel      # noqa: E402: made of everything above
