"""A page made by `warpbeam page`, opened in Chromium from a file with the network off: test_page.py WARPBEAM SOURCE [PART]...

Pictures equal `shot`, reports equal `run --json`, keys reach the same states as `tui --keys` would, a wrong text has its
diagnostic at its place, the page lives without what a browser may lack, and labs are judged as in a terminal.
WB_PAGE_ALL=1: every text example and lab."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

if not (shutil.which("chromium") or shutil.which("chromium-browser")):
    print("skipped: no chromium")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser, check, finish  # noqa: E402

warpbeam, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
work = pathlib.Path(tempfile.mkdtemp(prefix="wb-page-"))


def run(*arguments, code=0, cwd=None):
    r = subprocess.run([warpbeam, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)
    if code is not None and r.returncode != code:
        raise SystemExit(f"{arguments}: exit {r.returncode}: {r.stderr}")
    return r.stdout


def page_of(file, name, *options):
    out = work / name
    run("page", file, "-o", out, "-q", *options, cwd=source / "examples")
    return out


# The canvas, and the picture of `shot`, compared pixel by pixel in the page. The first and the last row of text differ:
# a picture has neither "paused" nor hints of keys.
COMPARE = """(async () => {
    const canvas = document.querySelector("#stage canvas"), image = new Image();
    image.src = "data:image/png;base64,%s";
    await image.decode();
    const pixels = (what) => {
        const c = new OffscreenCanvas(image.width, image.height), x = c.getContext("2d");
        x.drawImage(what, 0, 0);
        return new Uint32Array(x.getImageData(0, 0, c.width, c.height).data.buffer);
    };
    const a = pixels(canvas), b = pixels(image);
    let differ = 0;
    for (let i = 18 * image.width; i < a.length - 17 * image.width; i++)
        differ += a[i] !== b[i];
    return { size: canvas.width + "x" + canvas.height, differ };
})()"""
SIZE = "(() => { const c = document.querySelector('#stage canvas'); return c.width + 'x' + c.height; })()"


def settle(page):
    """Until the address has followed the last stop."""
    page.wait("document.body.dataset.settled && document.body.dataset.settled === document.body.dataset.stopped")


def press(page, key):
    """Press a key that draws, and wait for what it draws."""
    before = page.evaluate("Number(document.body.dataset.stopped)")
    page.key(key)
    page.wait(f"Number(document.body.dataset.stopped) > {before}")


def state(page):
    settle(page)
    return page.evaluate("decodeURI(location.hash.slice(1))")


def same_picture(page, file, what):
    import base64
    size = page.evaluate(SIZE)
    png = work / "shot.png"
    run("shot", file, "--size", size, "--scale", 1, "--state", state(page), "-o", png, "-q", cwd=source / "examples")
    found = page.evaluate(COMPARE % base64.b64encode(png.read_bytes()).decode())
    check(what, found, {"size": size, "differ": 0})


def opened(browser, url, **how):
    page = browser.page(**how)
    page.open(url)
    page.wait("document.body.dataset.stopped")
    return page


def gallery(browser):
    files = ["ifelse.s", "collatz.s", "textured-triangle.s", "diffuse.vsh"]
    if os.environ.get("WB_PAGE_ALL"):
        files = sorted(p.name for p in (source / "examples").iterdir() if p.suffix in (".s", ".vsh", ".gsh"))
    for file in files:
        page = opened(browser, page_of(file, "one.html").as_uri())
        same_picture(page, file, f"{file}: the canvas and shot")
        check(f"{file}: complaints", page.complaints, [])
        page.close()


def themes(browser):
    url = page_of("ifelse.s", "ifelse.html").as_uri()
    for features, theme in (((("prefers-color-scheme", "dark"),), "dark"), ((("prefers-color-scheme", "light"),), "light"),
                            ((("prefers-contrast", "more"),), "high-contrast")):
        page = opened(browser, url, features=features)
        check(f"theme {theme}", page.evaluate("document.documentElement.dataset.theme"), theme)
        same_picture(page, "ifelse.s", f"the canvas in {theme}")
        page.close()
    page = opened(browser, url + "#wb1:theme=print")
    same_picture(page, "ifelse.s", "the canvas in print")
    page.close()


def keys(browser):
    """Each key's state is that of the same command at the same place in the program."""
    page = opened(browser, (work / "ifelse.html").as_uri())
    page.evaluate("document.getElementById('stage').focus()")
    for key, part in (("Home", ";c=0;i=0;"), ("n", ";c=504;i=1;"), ("d", ";c=552;i=7;"), ("p", ";i=6;"), ("3", "pane=stack"),
                      ("f", "alone=1"), ("f", "pane=stack;front=board;theme"), ("End", ";i=26;")):
        press(page, key)
        now = state(page)
        check(f"key {key}: {part} in {now}", part in now, True)
    same_picture(page, "ifelse.s", "the canvas after keys")
    report = json.loads(run("run", "ifelse.s", "--json", cwd=source / "examples"))
    issues = {}
    for row in report["per_pc"]:
        issues[row["line"]] = issues.get(row["line"], 0) + row["issues"]
    found = page.evaluate("Object.fromEntries([...document.querySelectorAll('.gutter small')].map((e) => "
                          "[[...e.parentNode.parentNode.children].indexOf(e.parentNode) + 1, Number(e.textContent)]))")
    check("issues of each line in the gutter", found, {str(line): n for line, n in issues.items()})
    page.key("X")
    page.wait("document.getElementById('text').textContent.includes('SM board')")
    check("key X shows the panes as text", page.evaluate("document.getElementById('text').hidden"), False)
    check("keys: complaints", page.complaints, [])
    page.close()


# The tour of samples.sh by keys that Chromium sends; ? opens the page's help, and Esc would leave the panes.
TOUR = """Home n n p N P ] [ d D j J s S l L u U End Home b b k ' k < > Tab S-Tab 1 2 3 4 5 6 7 8 9 0 f f
    Up Down PageUp PageDown w W m h c c c c c t t t t r r s S l L e E n N P n : g o t o Space 6 0 0 Enter F10 S-F10"""


def tour(browser):
    """The state strings of `tui --keys`, behind each third key, or each (WB_PAGE_ALL)."""
    # The address waits a quarter of a second between two states: not here.
    at_once = "(() => { const later = window.setTimeout; window.setTimeout = (f, ms) => later(f, ms > 250 ? ms : 0); })()"
    page = opened(browser, page_of("nested.s", "nested.html").as_uri() + "#wb1:theme=dark", before=at_once)
    page.evaluate("document.getElementById('stage').focus()")
    pressed, expected, found = ["Home"], [], []
    press(page, "Home")
    every = 1 if os.environ.get("WB_PAGE_ALL") else 3
    for n, key in enumerate(TOUR.split()):
        page.key(key)
        pressed.append(key)
        typed = ":" in pressed and "Enter" not in pressed
        if typed or n % every:
            continue
        text = run("tui", "nested.s", "--print", "--size", "160x24", "--keys", " ".join(pressed + ["y"]), cwd=source / "examples")
        expected.append(key + " " + re.findall(r"wb1:k=\S*", text)[-1])
        try:
            page.wait(f"decodeURI(location.hash).slice(1).startsWith({json.dumps(expected[-1][len(key) + 1:])})", 5)
        except RuntimeError:
            pass
        found.append(key + " " + state(page)[:len(expected[-1]) - len(key) - 1])
    for e, f in zip(expected, found):
        check("tour", f, e)
    check("tour: complaints", page.complaints, [])
    page.close()


# Number of the marked line, the sentence, row and column of the underline.
MARK = """(() => { const at = (s, name) => Number(s.style.getPropertyValue(name)), u = document.querySelector('.underline.error');
    return [document.querySelector('.gutter .error').textContent, document.querySelector('.sentence.error').textContent,
        at(u, '--row'), at(u, '--from')]; })()"""


def wrong_texts():
    """Whole programs of wrong.txt (samples.sh has all of them, without a browser): each sixth."""
    rows = (source / "tests/web/wrong.txt").read_text().splitlines()[:: 1 if os.environ.get("WB_PAGE_ALL") else 6]
    for row in rows:
        row = row.replace("\\n", "\n").replace("\\t", "\t")
        yield row if row.startswith(".") else f".kernel k\n.block 32\n\t{row}\nend:\texit nop\n"


def editor(browser):
    page = opened(browser, (work / "ifelse.html").as_uri())
    before = state(page)
    text = (source / "examples/ifelse.s").read_text()
    put = "(t) => { const a = document.querySelector('.area'); a.value = t; a.dispatchEvent(new Event('input')); }"
    wrong = work / "ifelse.s"
    for new in wrong_texts():
        wrong.write_text(new)
        r = subprocess.run([warpbeam, "run", "ifelse.s"], capture_output=True, text=True, cwd=work)
        said = page.evaluate(f"({put})({json.dumps(new)})")
        said = page.wait("document.getElementById('status').classList.contains('bad') && "
                         "document.getElementById('say').textContent")
        plain = said.split(": ", 1)[1] if said.startswith("line ") else said
        check(f"{new}: `{plain}` is what run says", plain in r.stderr, True)
        place = re.search(r"ifelse\.s:(\d+):(\d+): ", r.stderr)
        if place:
            line, column = int(place[1]), int(place[2])
            left = new.split("\n")[line - 1][:column - 1]
            check(f"{new}: line, sentence and underline", page.evaluate(MARK), [str(line), plain, line - 1, len(left.expandtabs(8))])
        page.evaluate(f"({put})({json.dumps(text)})")
        page.wait("!document.getElementById('status').classList.contains('bad')")
    check("the same place after a right text", state(page), before)
    page.evaluate("document.getElementById('words').click()")
    page.wait("document.getElementById('text').textContent.includes('SM board')")
    check("the headline has the program's name", page.evaluate("document.getElementById('text').textContent.includes('ifelse.s')"), True)
    page.evaluate("document.getElementById('words').click()")
    changed = text.replace("0x64", "0x65")
    page.evaluate(f"({put})({json.dumps(changed)})")
    page.wait("location.hash.includes(';s=')")
    link = page.evaluate("location.hash")
    page.close()
    page = opened(browser, (work / "ifelse.html").as_uri() + link)
    check("the changed text comes back from the address", page.evaluate("document.querySelector('.area').value"), changed)
    page.close()


def hostile(browser):
    url = (work / "ifelse.html").as_uri()
    bomb = "(async () => { const s = new Blob([' '.repeat(1e7)]).stream().pipeThrough(new CompressionStream('deflate-raw'));" \
        "const b = new Uint8Array(await new Response(s).arrayBuffer()); return btoa(String.fromCharCode(...b))" \
        ".replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, ''); })()"
    page = opened(browser, url)
    bomb = page.evaluate(bomb)
    page.close()
    for fragment in ("#wb1:shape=round", "#wb1:c=1;s=AAAA", "#%ff", "#wb1:pane=%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E",
                     "#wb1:c=1;s=" + bomb, "#\"'><img src=x onerror=alert(1)>"):
        page = opened(browser, url + fragment)
        settle(page)
        check(f"{fragment[:40]}: elements from an address", page.evaluate("document.querySelectorAll('img, #stage script').length"), 0)
        check(f"{fragment[:40]}: the text stays", page.evaluate("document.querySelector('.area').value.includes('.kernel ifelse')"), True)
        check(f"{fragment[:40]}: complaints", [c for c in page.complaints if "blocked" not in c], [])
        page.close()


def options_of_address(browser):
    """Options of the run in the address; wrong ones are named, and the rest is obeyed."""
    url = (work / "ifelse.html").as_uri()
    page = opened(browser, url + "#wb1:i=3;o=policy:gto;o=block:32")
    check("options stay in the address", ";o=policy:gto;o=block:32" in state(page), True)
    check("the block of the address", "block 32" in page.evaluate("document.getElementById('pane-text').textContent"), True)
    page.close()
    page = opened(browser, url + "#wb1:i=3;o=colour:red")
    said = page.wait("document.getElementById('status').classList.contains('bad') && document.getElementById('say').textContent")
    check("a wrong option is named", "colour" in said, True)
    check("the rest is obeyed", ";i=3;" in state(page), True)
    page.close()


def hostile_program(browser):
    """Markup in a program's text, name and diagnostics stays text."""
    evil = work / "a&b<i>.s"
    text = (source / "examples/ifelse.s").read_text()
    evil.write_text("// </script><script>document.title = 'taken'</script><img src=x>\n" + text)
    out = work / "evil.html"
    run("page", evil, "-o", out, "-q")
    page = opened(browser, out.as_uri())
    check("hostile program: title", page.evaluate("document.title"), "a&b<i>.s")
    check("hostile program: elements", page.evaluate("document.querySelectorAll('img, i').length"), 0)
    check("hostile program: text", page.evaluate("document.querySelector('.area').value"), evil.read_text())
    check("hostile program: complaints", page.complaints, [])
    page.close()


def compiled(browser):
    """A program compiled on the command line: the source is shown, not to be changed, and the panes are those of shot."""
    if subprocess.run([warpbeam, "run", "collatz.cl", "-q"], cwd=source / "examples", capture_output=True).returncode:
        print("no compiled page: collatz.cl does not compile here", file=sys.stderr)
        return
    for name, options in (("amd.html", ()), ("nvidia.html", ("--chip", "g200"))):
        page = opened(browser, page_of("collatz.cl", name, *options).as_uri() + "#wb1:c=100;s=y0sHAA")
        check(f"{name}: the source", page.evaluate("document.querySelector('.area').value"),
              (source / "examples/collatz.cl").read_text())
        check(f"{name}: read only", page.evaluate("document.querySelector('.area').readOnly"), True)
        check(f"{name}: says why", "no compiler" in page.evaluate("document.getElementById('note').textContent"), True)
        press(page, "n") if page.evaluate("document.getElementById('stage').focus()") is None else None
        check(f"{name}: stepped", ";i=" in state(page), True)
        check(f"{name}: complaints", page.complaints, [])
        page.close()


def ptx_beside(browser):
    """PTX whose lines are of a file in CUDA C++: the page shows that file, with its counts at its lines."""
    cuda = "__global__ void sevens(int *p)\n{\n\tp[0] = 7;\n}\n"
    (work / "sevens.cu").write_text(cuda)
    (work / "sevens.ptx").write_text(
        ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry sevens(.param .u64 p)\n{\n.reg .b32 %r<4>;\n"
        ".reg .b64 %d<4>;\n.loc 1 3 0\nld.param.u64 %d1, [p];\nmov.u32 %r1, 7;\nst.global.u32 [%d1], %r1;\n"
        ".loc 1 4 0\nret;\n}\n.file 1 \"sevens.cu\"\n")
    run("page", work / "sevens.ptx", "-a", "zero=4", "--block", "32", "-o", work / "sevens.html", "-q")
    page = opened(browser, (work / "sevens.html").as_uri())
    check("ptx: the source", page.evaluate("document.querySelector('.area').value"), cuda)
    check("ptx: complaints", page.complaints, [])
    page.close()


def kernels(browser):
    """A file of several kernels: the menu has them, a choice opens another, and the address brings the choice back."""
    out = work / "two.html"
    (work / "two.s").write_text(".kernel one\n.block 32\n\tmov b32 $r1 0x1\n\texit nop\n"
                                ".kernel other\n.block 64\n\tmov b32 $r2 0x2\n\texit nop\n")
    run("page", work / "two.s", "--kernel", "one", "-o", out, "-q")
    page = opened(browser, out.as_uri())
    menu = "(() => { const m = document.getElementById('kernel'); return [m.hidden, [...m.options].map((o) => o.value), m.value]; })()"
    check("kernels: the menu", page.evaluate(menu), [False, ["one", "other"], "one"])
    page.evaluate("(() => { const m = document.getElementById('kernel'); m.value = 'other'; m.onchange({ target: m }); })()")
    page.wait("location.hash.includes('k=other') && location.hash.includes(';o=kernel:other')")
    link = page.evaluate("location.hash")
    check("kernels: complaints", page.complaints, [])
    page.close()
    page = opened(browser, out.as_uri() + link)
    check("kernels: the choice of an address", ("k=other" in state(page), page.evaluate(menu)), (True, [False, ["one", "other"], "other"]))
    page.close()
    page = opened(browser, (work / "ifelse.html").as_uri())
    check("kernels: no menu for a single kernel", page.evaluate(menu)[0], True)
    page.close()


def refusals():
    raw = work / "words.bin"
    raw.write_bytes(bytes(64))
    for arguments, code in (((source / "examples/ifelse.s", "-a", f"in={raw}",
                                                              "--max-bytes", "16"), 4),
                            ((source / "examples/ifelse.s", "--against", raw), 2), ((work / "none.s",), 3)):
        r = subprocess.run([warpbeam, "page", *map(str, arguments), "-o", str(work / "no.html")], capture_output=True)
        check(f"page {arguments[0].name} {arguments[1:]}: exit", (r.returncode, (work / "no.html").exists()), (code, False))


def lacking(browser):
    """Each thing taken away before the page's script runs."""
    url = (work / "ifelse.html").as_uri()
    for what, script in (("Worker", "delete window.Worker;"),
                         ("OffscreenCanvas", "delete HTMLCanvasElement.prototype.transferControlToOffscreen;"),
                         ("localStorage", "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")):
        page = opened(browser, url, before=script)
        same_picture(page, "ifelse.s", f"without {what}")
        page.close()
    for what, script in (("WebAssembly", "delete window.WebAssembly;"), ("SIMD", "WebAssembly.validate = () => false;"),
                         ("tail calls", "const v = WebAssembly.validate; WebAssembly.validate = (b) => !b.includes(18) && v(b);")):
        page = browser.page(before=script)
        page.open(url)
        page.wait("document.querySelector('.lack') && document.querySelector('.lack').textContent.includes('still')")
        check(f"without {what}: the still picture", page.evaluate("document.querySelector('#still svg').getBoundingClientRect().width > 300"), True)
        check(f"without {what}: named", what in page.evaluate("document.querySelector('.lack').textContent"), True)
        page.evaluate("document.getElementById('tables').click()")
        check(f"without {what}: the report", (width_of(page, "#report table") > 0, width_of(page, "#stage")), (True, 0))
        check(f"without {what}: complaints", page.complaints, [])
        page.close()
    page = browser.page(features=(("prefers-color-scheme", "light"),), before="delete window.WebAssembly;")
    page.open(url)
    page.wait("document.querySelector('.lack')")
    check("without WebAssembly: the light picture", page.evaluate(
        "document.querySelector('#still svg rect').getAttribute('fill') === document.querySelector('#paper svg rect').getAttribute('fill')"), True)
    page.close()


def width_of(page, selector):
    """Of the first such element as shown; 0: hidden, or in nothing shown."""
    return page.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); return e.checkVisibility("
                         "{ visibilityProperty: true }) ? e.getBoundingClientRect().width : 0; })()")


def parts(browser):
    """Report, folds, more controls, the switch of Tab, the wheel over a pane without the focus, a drag by touch."""
    url = (work / "ifelse.html").as_uri()
    page = opened(browser, url)
    report = json.loads(run("run", "ifelse.s", "--json", cwd=source / "examples"))
    page.evaluate("document.getElementById('tables').focus()")
    page.key("Enter")
    page.wait("document.querySelectorAll('#report th').length === 18")
    rows = page.evaluate("Object.fromEntries([...document.querySelectorAll('#report tr')].filter((r) => r.cells.length === 3)"
                         ".map((r) => [r.cells[0].textContent, r.cells[1].textContent]))")
    check("the report's counters, but for zeros", {k: v for k, v in rows.items() if k in report["counters"]},
          {k: f"{v:.3f}" if isinstance(v, float) else f"{v:,}" for k, v in report["counters"].items() if v})
    check("report: captions", page.evaluate("[...document.querySelectorAll('#report caption')].map((c) => c.textContent)"),
          ["Counters", "The bill: 832 lane slots", "Lost lane slots by branch", "Where the time went: 1,392 warp cycles",
           "What would help: estimates, each alone"])
    # Both warps of ifelse take different times; a click says whose a cell is.
    page.evaluate("document.querySelectorAll('#report .map rect')[1].dispatchEvent(new MouseEvent('click'))")
    check("map of cost", page.evaluate("[document.querySelectorAll('#report .map rect').length,"
                                       "document.querySelector('#report .map p').textContent.split(',')[0]]"),
          [len(report["per_warp"]), f"Block 0 warp 1: {report['per_warp'][1]['issues']} instructions"])
    check("report in the place of the panes", (width_of(page, "#stage"), width_of(page, "#report") > 600), (0, True))
    page.evaluate("document.getElementById('tables').click()")
    check("panes again", (width_of(page, "#stage") > 600, width_of(page, "#report")), (True, 0))
    page.evaluate("document.getElementById('tables').click(); document.getElementById('words').click()")
    check("text in the place of the report", (width_of(page, "#report"), width_of(page, "#text") > 600), (0, True))
    page.evaluate("document.getElementById('tables').click()")
    check("report in the place of the text", (width_of(page, "#report") > 600, width_of(page, "#text")), (True, 0))
    page.evaluate("document.getElementById('report').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
    check("Esc closes the report", (width_of(page, "#stage") > 600, width_of(page, "#report")), (True, 0))
    before = width_of(page, "#code")
    page.evaluate("document.getElementById('divider').focus()")
    page.key("Right")
    page.key("Right")
    check("the divider takes arrow keys", (page.evaluate("document.getElementById('divider').ariaValueNow"), width_of(page, "#code") > before),
          ("34", True))
    x, y = page.evaluate("(() => { const r = document.getElementById('stage').getBoundingClientRect(); "
                         "return [r.left + r.width / 4, r.bottom - 100]; })()")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=40)
    page.wait("location.hash.includes(';pc=')")
    check("the wheel over Annotate, the focus on the board", ";pane=board;" in state(page), True)
    moves = "(() => { const a = document.querySelector('.area'), e = new KeyboardEvent('keydown', { key: 'Tab', cancelable: true, " \
        "bubbles: true }); a.focus(); a.setSelectionRange(3, 3); return !a.dispatchEvent(e); })()"
    check("Tab writes behind a line's beginning", page.evaluate(moves), True)
    page.evaluate("document.getElementById('tab-moves').click()")
    check("Tab leaves by the switch of the help", page.evaluate(moves), False)
    check("parts: complaints", page.complaints, [])
    page.close()
    page = opened(browser, url, width=820, height=1180, touch=True)
    for fold, hidden in (("#name", "#editor"), ("[data-fold=panes]", "#stage")):
        check(f"fold {fold}", (width_of(page, hidden) > 0, page.evaluate(f"document.querySelector('{fold}').ariaExpanded")), (True, "true"))
        page.evaluate(f"document.querySelector('{fold}').click()")
        check(f"folded {fold}", (width_of(page, hidden), page.evaluate(f"document.querySelector('{fold}').ariaExpanded")), (0, "false"))
        page.evaluate(f"document.querySelector('{fold}').click()")
    x, y = page.evaluate("(() => { const r = document.getElementById('stage').getBoundingClientRect(); "
                         "return [r.left + r.width / 4, r.bottom - 60]; })()")
    for kind, points in (("touchStart", [(x, y)]), ("touchMove", [(x, y - 30)]), ("touchMove", [(x, y - 60)]), ("touchEnd", [])):
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": a, "y": b} for a, b in points])
    page.wait("location.hash.includes(';pc=')")
    page.close()
    page = opened(browser, url, width=390, height=844, touch=True)
    check("phone: the second row of controls is away", width_of(page, "#help"), 0)
    page.evaluate("document.getElementById('more').click()")
    check("phone: the second row of controls", page.evaluate("[...document.querySelectorAll('#tools button')].filter((b) => "
          "b.checkVisibility()).map((b) => b.getBoundingClientRect().height >= 44)"), [True] * 6)
    check("phone: controls over each other", page.evaluate(OVERLAPS), [])
    page.close()


# Contrast of each visible text with the colour behind, where it is below 4.5 : 1. Disabled controls may be fainter.
FAINT = """(() => {
    const light = (c) => { const [r, g, b] = c.map((v) => v / 255).map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b; };
    const colour = (text) => text.match(/[\d.]+/g).map(Number);
    const behind = (e) => { for (; e; e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
    const faint = [];
    for (const e of document.querySelectorAll('body *')) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!own || !e.checkVisibility() || e.closest('svg, script, .unseen, :disabled, .area'))
            continue;
        const a = light(colour(getComputedStyle(e).color).slice(0, 3)), b = light(behind(e));
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < 4.5)
            faint.push((e.id || e.className || e.tagName) + ' ' + ratio.toFixed(2));
    }
    return [...new Set(faint)];
})()"""


def contrast(browser):
    """No faint text in any theme, in help, report, diagnostics, on paper."""
    lab = page_of("lab1-branch", "contrast.html")
    wrong = ".kernel k\n.block 32\n.regs 4\n\tadd b32 $r4 $r0 0x64\n\tbra #ende\n"
    for theme in ("dark", "light", "high-contrast", "print"):
        page = opened(browser, lab.as_uri() + f"#wb1:theme={theme}")
        page.wait(VERDICT)
        check(f"{theme}: the page has the theme", page.evaluate("document.documentElement.dataset.theme"), theme)
        page.evaluate("(() => { for (const d of document.querySelectorAll('details')) d.open = true; "
                      "document.getElementById('tables').click(); document.getElementById('manual').show(); })()")
        check(f"{theme}: faint text", page.evaluate(FAINT), [])
        page.evaluate(f"(() => {{ const a = document.querySelector('.area'); a.value = {json.dumps(wrong)}; "
                      "a.dispatchEvent(new Event('input')); })()")
        page.wait("document.querySelector('.sentence.error')")
        check(f"{theme}: faint diagnostics", page.evaluate(FAINT), [])
        page.call("Emulation.setEmulatedMedia", media="print")
        check(f"{theme} on paper: faint text", page.evaluate(FAINT), [])
        page.close()


def paper(browser):
    """On paper: title or question, the first picture in the theme of print, the program, the report; no controls."""
    for name, file, pages in (("ifelse.s", "ifelse.html", 3), ("lab1-branch", "contrast.html", 3)):
        page = opened(browser, page_of(name, file).as_uri() + "#wb1:theme=dark")
        pdf = page.call("Page.printToPDF")["data"]
        import base64
        check(f"{name} on paper: sheets", len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(pdf))), pages)
        page.call("Emulation.setEmulatedMedia", media="print")
        shown = [s for s in ("#title", "#lab h2", "#paper svg", "#listing", "#report table", "#bar", "#code", "#still", "canvas",
                             "#lab details", "#status") if page.evaluate(f"Boolean(document.querySelector('{s}'))") and width_of(page, s)]
        check(f"{name} on paper: parts", shown, ["#lab h2" if "lab" in name else "#title", "#paper svg", "#listing", "#report table"])
        check(f"{name} on paper: the program", ".kernel" in page.evaluate("document.getElementById('listing').textContent"), True)
        check(f"{name} on paper: the picture is white", page.evaluate(
            "document.querySelector('#paper svg rect').getAttribute('fill')").lower() in ("#ffffff", "#fff", "white"), True)
        page.close()


def reader(browser):
    """What a screen reader's tree has: names of all controls, picture, the focused pane's text, the sentence; and Tab goes
    through all of the page."""
    page = opened(browser, (work / "ifelse.html").as_uri())
    page.wait("document.getElementById('pane-text').textContent")
    page.key("Tab")
    page.key("Enter")
    check("reader: the first Tab leads to the panes", page.evaluate("document.activeElement.id"), "stage")
    nodes = [n for n in page.call("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]
    role = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes]
    controls = ("button", "slider", "checkbox", "tab", "textbox", "combobox", "image", "splitter", "dialog", "toolbar")
    check("reader: things without a name", [r for r, name in role if r in controls and not name.strip()], [])
    check("reader: pictures", [name for r, name in role if r == "image"], ["the panes of ifelse.s"])
    whole = " ".join(name for r, name in role if r in ("StaticText", "InlineTextBox"))
    check("reader: the focused pane", "SM board" in whole and "2 warps" in whole, True)
    check("reader: the sentence", "bra at 0x18: 16 of 32 lanes jump to 0x30" in whole, True)
    check("reader: headings", [name for r, name in role if r == "heading"][:1], ["ifelse.s"])
    said = "['place', 'say'].map((i) => document.getElementById(i)).map((e) => [e.ariaLive, e.textContent])"
    before = page.evaluate(said)
    page.evaluate("document.getElementById('stage').focus()")
    page.key("n")
    page.wait(f"JSON.stringify({said}) !== {json.dumps(json.dumps(before, separators=(',', ':'), ensure_ascii=False))}")
    after = page.evaluate(said)
    check("reader: a step is said", ([e[0] for e in after], after != before), (["polite", "polite"], True))
    page.evaluate("document.querySelector('#bar button').focus()")
    seen, last = [], None
    for _ in range(60):
        page.key("Tab")
        now = page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName")
        seen += [now] if now != last else []
        if now == "BODY":
            break
        last = now
    order = ["smaller", "larger", "theme", "share", "words", "tables", "help", "name", "download", "area", "divider", "stage"]
    check("Tab's order", [s for s in seen if s in order], order)
    check("Tab goes on behind the last", "BODY" in seen or seen.count("stage") == 1, True)
    page.close()


def no_file(browser):
    """A dropped file that is no program leaves a diagnostic, a good one takes the program's place; a large text is read."""
    page = opened(browser, (work / "ifelse.html").as_uri())
    drop = """(async (bytes, name) => { const t = new DataTransfer(); t.items.add(new File([new Uint8Array(bytes)], name));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: t, cancelable: true })); })(%s, %s)"""
    bad = "document.getElementById('status').classList.contains('bad')"
    for what, data in (("words", bytes(range(256)) * 4), ("nothing", b"")):
        page.evaluate(drop % (list(data), json.dumps(what)))
        page.wait(bad)
        check(f"dropped {what}: the strip", width_of(page, "#strip") > 0, True)
    page.evaluate("(() => { const t = new DataTransfer(); t.items.add(new File([new Uint8Array(2 << 20)], 'large')); "
                  "window.dispatchEvent(new DragEvent('drop', { dataTransfer: t, cancelable: true })); })()")
    page.wait("document.getElementById('say').textContent.includes('2097152 bytes')")
    good = ".kernel dropped\n.block 32\n" + "\tadd b32 $r1 $r1 0x1\n" * 3000 + "\texit nop\n"
    page.evaluate(drop % (list(good.encode()), '"dropped.s"'))
    page.wait(f"!{bad} && location.hash.includes('k=dropped')")
    check("dropped: complaints", page.complaints, [])
    page.evaluate("document.getElementById('revert').click()")
    page.wait("location.hash.includes('k=ifelse')")
    page.close()


def editing(browser):
    """Keys of the editor, a breakpoint by the gutter that stays, the changed text saved, kept and offered again."""
    url = page_of("collatz.s", "editing.html").as_uri()
    page = opened(browser, url, before="URL.createObjectURL = (b) => { window.saved = b; return 'data:,'; }; delete window.Worker;")
    text = page.evaluate("document.querySelector('.area').value")
    line = text.split("\n").index("step:") + 2
    page.evaluate("document.querySelector('.area').focus()")
    page.evaluate(f"document.querySelectorAll('.gutter > div')[{line - 1}].click()")
    marked = f"document.querySelectorAll('.gutter > div')[%d].classList.contains('break')"
    page.wait(marked % (line - 1))
    before = state(page)
    page.key("F10")
    page.wait(f"decodeURI(location.hash.slice(1)) !== {json.dumps(before)}")
    after = state(page)
    page.key("S-F10")
    page.wait(f"decodeURI(location.hash.slice(1)) !== {json.dumps(after)}")
    check("F10 and Shift-F10 step and go back", state(page), before)
    page.evaluate("(() => { const s = document.getElementById('speed'); s.value = 4; s.dispatchEvent(new Event('input')); "
                  "document.querySelector('#bar [data-command=start]').click(); document.querySelector('.area').focus(); })()")
    page.key("Enter", modifiers=2)
    page.wait("document.getElementById('say').textContent.includes('breakpoint')")
    check("Ctrl-Enter runs to the breakpoint, the arrow stands there", page.evaluate(
        "[document.getElementById('say').textContent, Number(document.querySelector('.gutter .here b').textContent)]"), ["breakpoint 1", line])
    page.evaluate("(() => { const a = document.querySelector('.area'); a.value += '// changed\\n'; a.dispatchEvent(new Event('input')); })()")
    page.wait("location.hash.includes(';s=')")
    page.wait(marked % (line - 1))
    saved = page.evaluate("(async () => { document.getElementById('download').click(); return await window.saved.text(); })()")
    check("Download has the changed text", saved, text + "// changed\n")
    page.close()
    page = opened(browser, url)
    check("a changed text is never loaded by itself", page.evaluate("document.querySelector('.area').value"), text)
    page.evaluate("document.querySelector('#note button').click()")
    page.wait("location.hash.includes(';s=')")
    check("a changed text is offered again", page.evaluate("document.querySelector('.area').value"), text + "// changed\n")
    check("editing: complaints", page.complaints, [])
    page.close()


def embedded(browser):
    """In a frame: bar and panes alone, the height posted once, no focus taken, a link to a window of its own."""
    page_of("ifelse.s", "inner.html")
    (work / "outer.html").write_text("<!DOCTYPE html><script>window.heard = []; onmessage = (e) => heard.push(e.data);</script>"
                                     "<iframe src='inner.html' width='700' height='500'></iframe>")
    page = browser.page()
    page.open((work / "outer.html").as_uri())
    page.wait("window.heard && heard.length")
    time.sleep(0.5)
    check("embedded: messages", page.evaluate("heard"), [{"warpbeam": "height", "height": 560}])
    check("embedded: focus", page.evaluate("document.activeElement.tagName"), "BODY")
    check("embedded: complaints", page.complaints, [])
    page.close()
    page = opened(browser, (work / "inner.html").as_uri() + "?embed", width=700, height=500)
    check("?embed: parts", [s for s in ("#bar", "#stage", "#own", "#code", "#divider") if width_of(page, s)], ["#bar", "#stage", "#own"])
    page.close()


def motion(browser):
    """Who wants less motion gets 4 pictures a second of a run at most, and the last one."""
    page = opened(browser, page_of("mandelbrot.s", "motion.html").as_uri(), features=(("prefers-reduced-motion", "reduce"),),
                  before="delete window.Worker; window.times = []; const put = CanvasRenderingContext2D.prototype.putImageData; "
                  "CanvasRenderingContext2D.prototype.putImageData = function (...a) { times.push(performance.now()); put.apply(this, a); };")
    page.evaluate("(() => { const s = document.getElementById('speed'); s.value = 3; s.dispatchEvent(new Event('input')); "
                  "document.getElementById('run').click(); times.length = 0; })()")
    page.wait("times.length >= 8", 60)
    # Turns begin a quarter of a second apart; drawing ends some time later.
    check("motion: 7 pictures take 1.5 s", page.evaluate("times[7] - times[1]") > 1250, True)
    check("motion: complaints", page.complaints, [])
    page.close()


def fingers(browser):
    """A tap is a click, two fingers zoom the timeline, a drag sideways moves the timeline."""
    page = opened(browser, (work / "ifelse.html").as_uri(), width=820, height=1180, touch=True)
    x, y = page.evaluate("(() => { const r = document.getElementById('stage').getBoundingClientRect(); "
                         "return [r.left + r.width / 2, r.top + r.height * .62]; })()")

    def touch(*steps):
        for kind, points in steps:
            page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(points)])

    touch(("touchStart", [(x - 30, y)]), ("touchStart", [(x - 30, y), (x + 30, y)]), ("touchMove", [(x - 90, y), (x + 90, y)]),
          ("touchEnd", []))
    page.wait("location.hash.includes(';zoom=')")
    before = state(page)
    touch(("touchStart", [(x, y)]), ("touchMove", [(x - 60, y)]), ("touchEnd", []))
    page.wait(f"decodeURI(location.hash.slice(1)) !== {json.dumps(before)}")
    touch(("touchStart", [(x, page.evaluate("document.getElementById('stage').getBoundingClientRect().bottom") - 60)]), ("touchEnd", []))
    page.wait("/;pane=(annotate|bill)/.test(location.hash)")
    check("fingers: complaints", page.complaints, [])
    page.close()


def endless(browser):
    """A program without an end is read to the limit of the record, is stopped by its button, and can be mended meanwhile."""
    page = opened(browser, (work / "ifelse.html").as_uri())
    put = "(t) => { const a = document.querySelector('.area'); a.value = t; a.dispatchEvent(new Event('input')); }"
    loop = ".kernel endless\n.block 64\nhere:\tadd b32 $r1 $r1 0x1\n\tbra #here\n"
    page.evaluate(f"({put})({json.dumps(loop)})")
    page.wait("location.hash.includes('k=endless')", 60)
    page.evaluate("document.getElementById('run').click()")
    page.wait("document.getElementById('run').ariaLabel === 'pause'")
    page.evaluate("document.getElementById('run').click()")
    page.wait("document.getElementById('run').ariaLabel === 'run'")
    page.evaluate("document.getElementById('tables').click()")
    page.wait("document.getElementById('report').textContent.includes('the instruction limit')", 60)
    page.evaluate("document.getElementById('tables').click()")
    page.evaluate(f"({put})({json.dumps(loop)})")
    page.evaluate("document.getElementById('revert').click()")     # perhaps while the endless run is recorded
    page.wait("location.hash.includes('k=ifelse')")
    check("endless: complaints", page.complaints, [])
    page.close()


# Number of the machine's turns, which are the page's own where there is no worker.
COUNTED = """delete window.Worker; window.turns = 0;
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (f) => frame((t) => { f(t); turns++; });"""


def budgets(browser):
    """The first picture takes 1.5 s of the processor at most, with the page's reading and the module's compilation; a frame
    at 60 steps a second, with the blit and all of the renderer's other work, 24 ms by mean (budgets.sh: 16 without)."""
    url = page_of("ifelse.s", "first.html").as_uri()
    before = browser.processor()
    page = browser.page()
    page.open(url)
    page.wait("document.body.dataset.ready")
    used = max(t - before.get(p, 0) for p, t in browser.processor().items())
    page.close()
    page = opened(browser, page_of("mandelbrot.s", "first.html").as_uri(), before=COUNTED)
    page.evaluate("(() => { const s = document.getElementById('speed'); s.value = 3; s.dispatchEvent(new Event('input')); "
                  "document.getElementById('run').click(); turns = 0; })()")
    page.wait("turns >= 60", 60)        # the code is compiled meanwhile
    before, begun = browser.processor(), page.evaluate("turns")
    page.wait(f"turns >= {begun + 120}", 60)
    after, turns = browser.processor(), page.evaluate("turns") - begun
    frame = 1000 * max(t - before.get(p, 0) for p, t in after.items()) / turns
    page.close()
    print(f"first picture: {used:.2f} s of the renderer's processor; a frame: {frame:.1f} ms", file=sys.stderr)
    check("budgets: the first picture within 1.5 s", used < 1.5, True)
    check("budgets: a frame within 24 ms", frame < 24, True)


# Pairs of controls of the bar, of the tabs, or of parts of the page that share more than half a pixel.
OVERLAPS = """['#bar > *, #tools > *', '#tabs > *', '#bar, #tabs, #code, #panes, #report, #divider, #status', '.head > *'].flatMap((which) => {
    const all = [...document.querySelectorAll(which)].filter((e) => e.getClientRects().length && !e.matches('.unseen, #tools'));
    const box = (e) => e.getBoundingClientRect(), apart = (a, b) => a.right - b.left < .5 || b.right - a.left < .5 ||
        a.bottom - b.top < .5 || b.bottom - a.top < .5;
    return all.flatMap((a, i) => all.slice(i + 1).filter((b) => !apart(box(a), box(b)))
        .map((b) => (a.id || a.outerHTML.slice(0, 40)) + ' and ' + (b.id || b.outerHTML.slice(0, 40))));
})"""


def sizes(browser):
    url = (work / "ifelse.html").as_uri()
    shapes = ((320, 568, 2, True), (390, 844, 3, True), (844, 390, 3, True), (612, 800, 1, False), (820, 1180, 2, True), (1280, 800, 1.5, False), (2560, 1440, 1.25, False))
    if os.environ.get("WB_PAGE_ALL"):
        shapes = [(w, h, ratio, touch) for w, h, _, touch in shapes for ratio in (1, 1.25, 1.5, 2, 3)]
    for width, height, ratio, touch in shapes:
        page = opened(browser, url, width=width, height=height, ratio=ratio, touch=touch)
        what = f"{width}x{height} at {ratio}"
        check(f"{what}: sideways scrolling", page.evaluate("document.documentElement.scrollWidth > innerWidth"), False)
        check(f"{what}: controls and parts over each other", page.evaluate(OVERLAPS), [])
        check(f"{what}: the bar's controls stand in the bar", page.evaluate("(() => { const b = document.getElementById('bar'); "
                                                                            "return b.scrollWidth - b.clientWidth; })()"), 0)
        # The picture of the last size may still be under way.
        # A picture has a whole number of units.
        page.wait("Math.abs(document.querySelector('#stage canvas').width - devicePixelRatio * "
                  "document.getElementById('stage').clientWidth) < 1 + Math.round(devicePixelRatio)")
        small = page.evaluate("[...document.querySelectorAll('#bar button')].filter((b) => b.getClientRects().length)"
                              ".map((b) => b.getBoundingClientRect()).filter((r) => r.width < 44 || r.height < 44).length")
        check(f"{what}: touch targets under 44", touch and small, 0 if touch else False)
        nameless = page.evaluate("[...document.querySelectorAll('button, input, textarea, [tabindex]')].filter((b) => !"
                                 "(b.getAttribute('aria-label') || b.textContent.trim() || b.title || (b.labels || []).length)).length")
        check(f"{what}: controls without a name", nameless, 0)
        if (width, height) == (390, 844):
            high = []
            for tab in ("code", "report", "panes"):
                page.evaluate(f"document.querySelector('#tabs [data-tab={tab}]').click()")
                high.append(page.evaluate("(() => { const s = document.getElementById('say'); return tab === 'code' && s.scrollHeight > "
                                          "s.clientHeight ? 0 : s.clientHeight; })()".replace("tab ===", f"'{tab}' ===")))
            check(f"{what}: the sentence is whole beside the code, a line elsewhere", [2 * h < high[0] for h in high], [False, True, True])
        # Larger letters as long as the picture fits; then the panes stand one under another, and scroll.
        for _ in range(9):
            page.evaluate("document.getElementById('larger').click()")
        check(f"{what}: the largest letters", page.evaluate("document.getElementById('larger').disabled"), True)
        if (width, height) in ((844, 390), (1280, 800), (390, 844)):
            page.wait("(() => { const s = document.getElementById('stage'); return s.scrollHeight > s.clientHeight; })()")
        page.evaluate("localStorage.clear()")
        check(f"{what}: complaints", page.complaints, [])
        page.close()


VERDICT = "document.getElementById('verdict').textContent"
GOALS = ("[...document.querySelectorAll('#goals > li')].map((l) => [l.querySelector('.state').textContent, "
         "[...l.querySelectorAll('ul li')].map((m) => m.textContent)])")


def judged_by_program(lab, file):
    """What the page says about each goal, from the document of `lab --json`."""
    goals = json.loads(run("lab", lab, file, "--json", code=None))["files"][0]["goals"]
    return [["met" if g["met"] else "missing",
             [m["sentence"] for m in g["lines"] if ("found" in m if g["met"] else m["verdict"] != "holds")]] for g in goals]


def labs(browser):
    """Question, live check, hints and solution; the verdicts are those of the terminal."""
    names = sorted(p.stem for p in (source / "examples/labs").glob("*.s"))
    for lab in names if os.environ.get("WB_PAGE_ALL") else names[:1]:
        begun, solved = work / f"{lab}.s", work / f"{lab}-solved.s"
        solved.write_text(run("lab", lab, "--solution"))
        page = opened(browser, page_of(lab, f"{lab}.html").as_uri())
        page.wait(VERDICT + ".includes(' goals met.')")
        text = page.evaluate("document.querySelector('.area').value")
        begun.write_text(text)
        check(f"{lab}: goals at first", page.evaluate(GOALS), judged_by_program(lab, begun))
        check(f"{lab}: hints and solution are folded", page.evaluate("document.querySelectorAll('#lab details[open]').length"), 0)
        check(f"{lab}: the editor has neither hint nor check", [w for w in ("// hint:", "// expect:") if w in text], [])
        # By keys alone: the last fold opens, and its button puts the solution into the editor.
        page.evaluate("document.querySelector('#solution summary').focus()")
        page.key("Enter")
        for _ in range(2):      # the text may take the focus, to be scrolled
            if page.evaluate("document.activeElement.id") != "take":
                page.key("Tab")
        check(f"{lab}: Tab reaches the button", page.evaluate("document.activeElement.id"), "take")
        page.key("Enter")
        page.wait(VERDICT + ".startsWith('Solved')")
        check(f"{lab}: goals of the solution", page.evaluate(GOALS), judged_by_program(lab, solved))
        check(f"{lab}: the verdict shows, wherever the text is scrolled", page.evaluate(
            "(() => { const l = document.getElementById('lab').getBoundingClientRect(), "
            "v = document.getElementById('verdict').getBoundingClientRect(); return v.top >= l.top - 1 && v.bottom <= l.bottom + 1; })()"),
            True)
        check(f"{lab}: the editor has the solution", page.evaluate("document.querySelector('.area').value"), solved.read_text())
        page.evaluate("document.execCommand('undo')")
        page.wait(VERDICT + ".includes(' goals met.')")
        check(f"{lab}: undo brings the own text back", page.evaluate("document.querySelector('.area').value"), text)
        page.evaluate("(() => { const a = document.querySelector('.area'); a.value += '\\tbroken\\n'; "
                      "a.dispatchEvent(new Event('input')); })()")
        page.wait(VERDICT + ".includes('nothing is judged')")
        check(f"{lab}: a wrong text meets and misses nothing", {g[0] for g in page.evaluate(GOALS)}, {"open"})
        check(f"{lab}: complaints", page.complaints, [])
        page.close()
    for width, height, touch in ((390, 844, True), (820, 1180, True), (1280, 800, False)):
        page = opened(browser, (work / f"{names[0]}.html").as_uri(), width=width, height=height, touch=touch)
        seen = page.evaluate("['lab', 'code', 'panes'].filter((i) => document.getElementById(i).getClientRects().length)")
        check(f"lab at {width}: parts that show", seen, ["lab"] if width < 600 else ["lab", "code", "panes"])
        page.wait(VERDICT)
        check(f"lab at {width}: the tab", page.evaluate("document.querySelector('#tabs [data-tab=lab]').textContent"), "Lab 2/4")
        check(f"lab at {width}: sideways scrolling", page.evaluate("document.documentElement.scrollWidth > innerWidth"), False)
        small = page.evaluate("[...document.querySelectorAll('#lab summary')].filter((s) => s.getBoundingClientRect()"
                              ".height < 44).length")
        check(f"lab at {width}: touch targets under 44", touch and small, 0 if touch else False)
        page.close()
    page = browser.page(before="delete window.WebAssembly;")
    page.open((work / f"{names[0]}.html").as_uri())
    page.wait("document.querySelector('.lack')")
    check("lab without WebAssembly: the question", page.evaluate("document.querySelector('#lab p').innerText.length > 50"), True)
    page.close()


def labs_in_c(browser):
    """The compiled solution takes the program's place and gives it back; the verdicts are those of the terminal."""
    names = sorted(p.stem for p in (source / "examples/labs").glob("*.cl"))
    for lab in names if os.environ.get("WB_PAGE_ALL") else names[:1]:
        begun, solved = work / f"{lab}.cl", work / f"{lab}-solved.cl"
        solved.write_text(run("lab", lab, "--language", "c", "--solution"))
        page = opened(browser, page_of(f"{lab}.cl", f"{lab}-c.html").as_uri())
        page.wait(VERDICT + ".includes(' goals met.')")
        text = page.evaluate("document.querySelector('.area').value")
        begun.write_text(text)
        check(f"{lab} in C: goals at first", page.evaluate(GOALS), judged_by_program(lab, begun))
        page.evaluate("document.querySelector('#solution summary').click()")
        page.evaluate("document.getElementById('take').click()")
        page.wait(VERDICT + ".startsWith('Solved')")
        check(f"{lab} in C: goals of the solution", page.evaluate(GOALS), judged_by_program(lab, solved))
        check(f"{lab} in C: the editor has it", page.evaluate("document.querySelector('.area').value"), solved.read_text())
        page.evaluate("document.getElementById('take').click()")
        page.wait(VERDICT + ".includes(' goals met.')")
        check(f"{lab} in C: goals again", page.evaluate(GOALS), judged_by_program(lab, begun))
        check(f"{lab} in C: the text again", page.evaluate("document.querySelector('.area').value"), text)
        check(f"{lab} in C: complaints", page.complaints, [])
        page.close()


def bytes_of():
    one, two = page_of("ifelse.s", "a.html").read_bytes(), page_of("ifelse.s", "b.html").read_bytes()
    check("two runs write the same bytes", one == two, True)
    check("the page's bytes are under 1,000,000", len(one) < 1000000, True)
    check("a path of this host", str(source).encode() in one, False)
    if shutil.which("tidy"):
        errors = subprocess.run(["tidy", "-q", "-e", str(work / "a.html")], capture_output=True, text=True).stderr
        check("errors of tidy", [line for line in errors.splitlines() if "Error" in line], [])


browser = Browser()
try:
    bytes_of()
    refusals()
    page_of("ifelse.s", "ifelse.html")
    for part in (themes, gallery, compiled, ptx_beside, keys, tour, editor, kernels, hostile, options_of_address,
                 hostile_program, lacking, sizes, labs, labs_in_c, parts, contrast, paper, reader, no_file, editing, embedded, motion, fingers, endless, budgets):
        if sys.argv[3:] and part.__name__ not in sys.argv[3:]:
            continue
        begun = time.time()
        part(browser)
        print(f"{part.__name__}: {time.time() - begun:.1f} s", file=sys.stderr)
finally:
    browser.close()
    shutil.rmtree(work)
finish()
