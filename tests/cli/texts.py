"""Texts of bytes from files and names, on every way out.   texts.py WARPBEAM SOURCE_ROOT

Names of kernels, labels, parameters and files, sources, arguments and messages with control bytes, bytes that are no
UTF-8, marks of direction, and what JSON, XML, CSV and folded stacks give a meaning, through the verbs and formats: each
document is whole, valid in its format, and has neither a control character nor a byte that is no UTF-8; what cannot be
written is an error with a message, never an empty document with exit 0."""
import csv
import gzip
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom
import xml.parsers.expat

warpbeam, root = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
own_script = open(os.path.join(root, "frontends/cli/report.js"), encoding="utf-8").read()
passed = failed = 0
# Each so-many-th program goes through all verbs.
sample = int(os.environ.get("WB_SAMPLE") or os.environ.get("WB_TEST_ALL") or 2)
programs = 0
LONG = b"n" * 10240
# What a name may have in it: the kinds that have broken a document once.
ODD = {
    "control": b"a\x1b[31m\x07b\x7f",
    "bytes": b"a\xff\xc3(\xed\xa0\x80",
    "c1": "a\u009b31m\u202eb\u2028".encode(),
    "markup": b"a<script>alert(1)</script>&amp;]]>--><!--",
    "quotes": b"a\"b'c\\d`e$(f);g,h=i",
    "unicode": "käfer→∑".encode(),
    "long": LONG + "ä".encode() * 10,
}


def check(ok, what, output=b""):
    global passed, failed
    passed += bool(ok)
    failed += not ok
    if not ok:
        print("FAILED:", what, output[:400])
    return ok


def visible(data):
    """The text of `data` if all of it can be shown, else None."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    return None if bad else text


def is_json(text):
    json.loads(text)


def is_lines_of_json(text):
    for line in text.splitlines():
        json.loads(line)


def is_xml(text):
    xml.dom.minidom.parseString(text.encode())


class Page(html.parser.HTMLParser):
    """Scripts are the page's own, to the byte, or data."""
    script = None

    def handle_starttag(self, tag, attributes):
        assert tag not in ("iframe", "object"), tag
        assert not any(name.startswith("on") for name, _ in attributes), attributes
        if tag == "script":
            assert attributes in ([], [("type", "application/json"), ("id", "history")]), attributes
            self.script = "data" if attributes else "own"

    def handle_endtag(self, tag):
        self.script = None if tag == "script" else self.script

    def handle_data(self, data):
        if self.script == "own":
            assert data.strip() == own_script.strip(), data
        elif self.script == "data":
            json.loads(data)


def is_page(text):
    Page().feed(text)


def is_table(text):
    rows = list(csv.reader(io.StringIO(text)))
    assert len({len(row) for row in rows}) == 1, "rows of unequal length"


def is_folded(text):
    for line in text.splitlines():
        assert re.search(r" \d+$", line), line


def is_png(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + size]
        if kind == b"tEXt" or kind == b"iTXt":
            assert visible(body.split(b"\0", 1)[1].lstrip(b"\0")) is not None, body[:100]
        at += 12 + size
    assert kind == b"IEND"


def run(arguments, status, judge=None, stdin=b""):
    """Run a verb; both of its outputs can be shown, and `judge` accepts what it wrote."""
    done = subprocess.run([os.fsencode(warpbeam)] + [os.fsencode(a) for a in arguments], input=stdin,
                          capture_output=True, timeout=120)
    name = b" ".join(os.fsencode(a)[:80] for a in arguments).decode("ascii", "backslashreplace")
    statuses = status if isinstance(status, tuple) else (status,)
    good = check(done.returncode in statuses, f"{name}: exit {done.returncode}, expected {status}",
                 done.stderr or done.stdout)
    check(visible(done.stderr) is not None, f"{name}: stderr", done.stderr)
    if judge is not is_png:
        check(visible(done.stdout) is not None, f"{name}: stdout", done.stdout)
    if good and judge and done.returncode == 0:
        check(done.stdout or b"so there is no stack to write" in done.stderr, f"{name}: nothing is written")
    if judge and good and done.stdout:
        try:
            judge(done.stdout if judge is is_png else done.stdout.decode())
        except (AssertionError, ValueError, xml.parsers.expat.ExpatError) as why:
            check(False, f"{name}: {why}", done.stdout)
        else:
            check(True, name)
    return done


EXPORTS = {"perfetto": is_json, "kanata": None, "vcd": None, "folded": is_folded, "jsonl": is_lines_of_json,
           "csv": is_table}


def every_way(path, *options, source=True):
    """All verbs that read a program. Text with control bytes is taken for assembly only if --format says so, which
    export has for itself: it gets a trace then."""
    global programs
    programs += 1
    if programs % sample != 1 % sample:
        return
    with open(path, "rb") as f:
        control = re.search(b"[\0-\x08\x0e-\x1f\x7f]", f.read())
    format = ["--format", "asm"] if control and path.endswith(b".s") else []
    options = list(options) + format
    run(["info", path] + format, 0)
    run(["info", path, "--json"] + format, 0, is_json)
    run(["dis", path] + format, 0)
    run(["dis", path, "--json"] + format, 0, is_json)
    if source:
        run(["dis", path, "--source"] + format, 0)
    run(["lint", path] + format, (0, 1))
    o = list(options)
    run(["run", path] + o, 0)
    run(["run", path, "--json"] + o, 0, is_json)
    run(["run", path, "--stats", "-"] + o + ["-q"], 0)
    run(["bill", path] + o, 0)
    run(["annotate", path] + o, 0)
    run(["report", path, "-o", "-"] + o, 0, is_page)
    state = run(["shot", path, "-o", "p.svg"] + o, 0).stdout.decode().strip()
    run(["shot", path, "-o", "q.svg", "--state", state] + o, 0)
    with open("p.svg", "rb") as f:
        data = f.read()
    check(visible(data) is not None, f"{path}: SVG", data)
    try:
        is_xml(data.decode(errors="replace"))
    except xml.parsers.expat.ExpatError as why:
        check(False, f"{path}: SVG: {why}")
    run(["shot", path, "-o", "-"] + o, 0, is_png)
    run(["tui", path, "--print"] + o, 0)
    run(["debug", path] + o, 0, stdin=b"info\nlist\nstep\nbacktrace\nlocals\nquit\n")
    run(["compare", path, "--json"] + o, 0, is_json)
    run(["compare", path] + o, 0)
    for name, judge in EXPORTS.items():
        if name != "folded" and not format:
            run(["export", path, "--format", name] + o, 0, judge)
    run(["run", path, "--trace", "t.trace"] + o, 0)
    run(["run", "t.trace"], 0)
    for name, judge in EXPORTS.items():
        run(["export", "t.trace", "--format", name], 0, judge)
    run(["diff", "t.trace", "t.trace"], 0)


# A source with everything in its comments and where text is taken as it comes.
def assembly(name, argument=b"zero=256"):
    comment = b"// " + b" ".join(ODD.values()) + b"\r\n"
    with open(name, "wb") as f:
        f.write(comment + b".kernel k\n.grid 1\n.block 32\n.param ptr out\n.arg " + argument + b"\n" +
                b"// expect: exit 0 \x1b\xff\n\tcvt u32 $r0 u16 $r0l // \xff\x1b]]>\r\n\tmov b32 $r1 0x1\n"
                b"\tand b32 $c0 # $r0 $r1\n\tjoinat #j\n\t(e $c0) bra #l\n\tadd b32 $r0 $r0 $r1\n"
                b"l:\tadd b32 $r0 $r0 $r1\nj:\tjoin nop\n\texit nop\n")


def cubin(name, kernel):
    with open(name, "wb") as f:
        f.write(b"architecture {sm_10}\nabiversion {1}\ncode {\n\tname = " + kernel +
                b"\n\tlmem = 0\n\tsmem = 16\n\treg = 4\n\tbar = 0\n\tbincode {\n\t\t0xf0000001 0xe0000001\n\t}\n}\n")


def code_object(name, kernel):
    with open(os.path.join(root, "tests/gcn/two.hsaco"), "rb") as f:
        old = f.read()
    new = old.replace(b".name\xa3add", b".name\xa3" + kernel)
    assert len(kernel) == 3 and new != old
    with open(name, "wb") as f:
        f.write(new)


# A trace that somebody else has written: its header is any JSON.
def trace(name, kernel):
    with gzip.open("t.trace", "rb") as f:
        line, header, rest = f.read().split(b"\n", 2)
    header = json.loads(header)
    header["kernel"] = kernel
    header["writer"] = kernel
    for row in header["code"]:
        row["label"] = row["text"] = kernel
    with gzip.open(name, "wb") as f:
        f.write(line + b"\n" + json.dumps(header).encode() + b"\n" + rest)


def names_of_the_host():
    assembly(b"if.s")
    every_way(b"if.s")
    for kind in ("control", "bytes", "c1", "quotes", "markup"):
        name = ODD[kind].replace(b"/", b"|")
        with open(name, "wb") as f:
            f.write(bytes(256))
        assembly(b"if" + name + b".s")
        every_way(b"if" + name + b".s", "-a", b"in=" + name)
        # A trace carries the files that its program names by itself, and runs with them.
        if not set(b" ,\"") & set(name):
            assembly(b"own.s", b"in=" + name)
            run(["run", "own.s", "--format", "asm", "--trace", "own.trace"], 0)
            run(["run", "own.trace", "--json"], 0, is_json)
        run(["run", "if.s", "--format", "asm", "--kernel", name], 2)
        run(["run", "if.s", "--format", "asm", "-a", name], 2)
        run(["run", name + b"-absent.s"], 3)
        run([name], 2)
        run(["debug", "if.s", "--format", "asm"], 0, stdin=b"print " + name + b"\nbreak " + name + b"\nquit\n")
        with open("plan.json", "w") as f:
            json.dump({"file": (b"if" + name + b".s").decode(errors="replace"), "set": {"format": "asm"},
                       "axes": {"policy": ["rr", "gto"]}, "columns": ["cycles"]}, f)
        done = run(["sweep", "plan.json"], (0, 1), is_table)
        check(done.returncode == (kind == "bytes"), "sweep of a named file")


# OpenCL C: the compiler of the host takes some of these names and refuses others; what it says may be shown.
def sources_in_c():
    for name in (ODD["control"] + ODD["bytes"], ODD["c1"] + ODD["markup"] + ODD["quotes"]):
        line = re.sub(rb"[\r\n]", b"_", name)
        with open(b"k.cl", "wb") as f:
            f.write(b"// " + line + b"\n// .block 32\n// .arg zero=256\n// expect: exit 0 " + line +
                    b"\n__kernel void k(__global int *p) { p[get_global_id(0)] = 1; } // " + line + b"\r\n")
        if run(["info", b"k.cl"], (0, 3, 4)).returncode == 3:
            print("skipped: no compiler of OpenCL C")
            return
        every_way(b"k.cl", source=False)
    with open(b"k.cl", "wb") as f:
        f.write(b"__kernel void k(__global int *p) { \xff\x1b[31m }\n")
    run(["run", b"k.cl"], 4)


def names_in_files():
    for kind, name in ODD.items():
        name = re.sub(rb"\s", b"_", name)
        for path in (b"k.cubin",):
            cubin(path, name)
            if run(["info", path], (0, 4)).returncode == 0:
                every_way(path, source=False)
        trace("odd.trace", ODD[kind].decode(errors="replace") + "\x1b\n;")
        for format, judge in EXPORTS.items():
            run(["export", "odd.trace", "--format", format], 0, judge)
        # Bytes that are no program: messages repeat them.
        for text in (name, b".kernel " + name, b".arg " + name, b".include \"" + name + b"\"", b".chip " + name):
            with open("wrong.s", "wb") as f:
                f.write(b".kernel k\n" + text + b"\n\texit nop\n")
            run(["run", "wrong.s", "--format", "asm"], (0, 2, 3, 4))
    for name in (b"\xff\x1b\"", b"<&;", b"]]>", b"\xe2\x80\xae", b"a\0b", b"'\\\""):
        code_object(b"odd.hsaco", name)
        done = run(["info", b"odd.hsaco", "--json"], 0, is_json)
        kernel = json.loads(done.stdout)["kernels"][0]["name"]
        every_way(b"odd.hsaco", "--kernel", kernel, "-a", "zero=256", "-a", "u32=1", "-a", "shared=256",
                  source=False)


def a_document_that_cannot_be_written():
    assembly(b"if.s")
    for arguments in (["run", "--json"], ["run", "--stats", "/dev/full"], ["info", "--json"], ["dis", "--json"],
                      ["compare", "--json"], ["report", "-o", "/dev/full"], ["shot", "-o", "/dev/full"],
                      ["run", "--trace", "/dev/full"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([warpbeam, arguments[0], "if.s", "--format", "asm"] + arguments[1:], stdout=full,
                                  stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        check(done.returncode == 3 and done.stderr, f"{arguments} on a full disk: exit {done.returncode}", done.stderr)
    with open("/dev/full", "wb") as full:
        for name in set(EXPORTS) - {"folded"}:
            done = subprocess.run([warpbeam, "export", "t.trace", "--format", name], stdout=full,
                                  stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
            check(done.returncode == 3 and done.stderr, f"export {name}: exit {done.returncode}", done.stderr)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    names_of_the_host()
    names_in_files()
    sources_in_c()
    a_document_that_cannot_be_written()
    os.chdir("/")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
