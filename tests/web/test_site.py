"""The site of `./dev web`, made and opened in Chromium from a folder with the network off: test_site.py WARPBEAM SOURCE.

Every link and picture is there, the labs are linked in their order, programs in texts run and can be changed in place.
WB_PAGE_ALL=1: with the whole gallery, not four programs of it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

for program in ("chromium", "cmark-gfm"):
    if not shutil.which(program):
        print(f"skipped: no {program}")
        sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser, check, finish  # noqa: E402

warpbeam, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute()
site = pathlib.Path(tempfile.mkdtemp(prefix="wb-site-"))
named = [] if os.environ.get("WB_PAGE_ALL") else ["ifelse", "scan.cl", "lock-ok", "diffuse"]
examples = [name.replace(".cl", "-c") for name in named]


def links():
    """Targets of links, pictures, scripts, styles and frames, without those of programs' texts."""
    for page in sorted(site.glob("*.html")):
        text = re.sub(r'<script type="application/json".*?</script>', "", page.read_text(), flags=re.S)
        for target in re.findall(r'(?:href|src)="([^"#?]+)', text):
            if not target.startswith("data:"):
                yield page.name, target


def files():
    pages = {p.stem for p in site.glob("*.html")}
    in_c = {".cl": "-c", ".cu": "-cuda"}
    gallery = set(examples) or {p.stem + in_c.get(p.suffix, "") for p in (source / "examples").iterdir()
                                if p.suffix in (".s", ".vsh", ".gsh", *in_c)}
    check("programs without a page", gallery - pages, set())
    check("links that lead nowhere", [(p, t) for p, t in links() if "://" not in t and not (site / t).exists()], [])
    check("things from elsewhere", [(p, t) for p, t in links() if "://" in t], [])
    frames = {name: re.findall(r'<iframe src="([^?"]*)', (site / f"{name}.html").read_text())
              for name in ("first-divergence", "first-lab", "stack-against-mask")}
    check("programs in texts", frames, {"first-divergence": ["ifelse.html"], "first-lab": ["lab1-branch.html"],
                                        "stack-against-mask": ["ifelse.html", "ifelse-mask.html"]})
    check("a program's page has no picture of its own", [(site / "ifelse.html").stat().st_size < 40_000,
                                                         "<svg" in (site / "ifelse.html").read_text()], [True, False])
    check("the site has under 6 MB", sum(p.stat().st_size for p in site.iterdir()) < 6_000_000, True)
    check("paths of this host", [p.name for p in site.glob("*.html") if str(source) in p.read_text()], [])
    cards = re.findall(r'<h3><a href="([^"]*)"', (site / "index.html").read_text())
    labs = sorted((source / "examples/labs").glob("*.s"))
    check("cards of labs, in their order", cards[:len(labs)], [f"{p.stem}.html" for p in labs])
    check("cards of the gallery", len(cards) - len(labs), len(gallery))
    check("labs in C are linked", [p.stem for p in sorted((source / "examples/labs").glob("*.cl"))
                                   if f"{p.stem}-c.html" not in (site / "index.html").read_text()], [])
    check("directives of programs in cards", re.findall(r"\.(?:grid|block|arg) |expect:", re.sub(
        r"<code>.*?</code>", "", (site / "index.html").read_text())), [])
    of_c = [c.endswith(("-c.html", "-cuda.html")) for c in cards[len(labs):]]
    check("C comes first", of_c, sorted(of_c, reverse=True))


def frame(page, n):
    """Evaluates in the nth frame of a page."""
    with page.browser.condition:
        contexts = [e["params"]["context"] for e in page.browser.events
                    if e["method"] == "Runtime.executionContextCreated" and e["sessionId"] == page.session]
    inner = [c["id"] for c in contexts if c["origin"] and c["auxData"].get("frameId") != page.main]
    return lambda script: page.call("Runtime.evaluate", expression=script, returnByValue=True,
                                    contextId=inner[n])["result"].get("value")


def wait_for(what, evaluate, script, seconds=30):
    import time
    end = time.time() + seconds
    while time.time() < end:
        try:
            if evaluate(script):
                return
        except (IndexError, RuntimeError):
            pass        # the frame is not there yet
        time.sleep(0.05)
    check(what, "nothing", script)


def texts(browser):
    """Two machines side by side; a program in a tutorial is changed in place."""
    for name, programs in (("stack-against-mask", 2), ("first-divergence", 1)):
        page = browser.page(width=1280, height=1600)
        page.main = page.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        page.open((site / f"{name}.html").as_uri())
        page.wait("document.querySelector('.programs iframe')")
        page.evaluate("document.querySelector('.programs').scrollIntoView()")
        for n in range(programs):
            wait_for(f"{name}: program {n} runs", lambda s, n=n: frame(page, n)(s), "document.body.dataset.ready")
        tops = page.evaluate("[...document.querySelectorAll('.programs iframe')].map((f) => f.getBoundingClientRect().top)")
        check(f"{name}: programs side by side", len(set(tops)) == 1 and len(tops) == programs, True)
        inside = frame(page, 0)
        check(f"{name}: the editor shows", inside("document.getElementById('code').getClientRects().length"), 1)
        inside("(() => { const a = document.querySelector('.area'); a.value = a.value.replace('0x64', '0x65'); "
               "a.dispatchEvent(new Event('input')); })()")
        wait_for(f"{name}: the change runs", inside, "location.hash.includes(';s=')")
        check(f"{name}: complaints", page.complaints, [])
        page.close()


def lab_pages(browser):
    page = browser.page()
    page.open((site / "lab2-loop.html").as_uri())
    page.wait("document.getElementById('verdict').textContent")
    check("labs before and after", page.evaluate("[...document.querySelectorAll('#lab nav a')].map((a) => a.getAttribute('href'))"),
          ["lab1-branch.html", "lab3-barrier.html"])
    menu = ["index"] + [p.stem for p in sorted((source / "examples/labs").glob("*.s"))]
    check("the menu of programs", page.evaluate("(() => { const m = document.getElementById('programs'); "
          f"return [m.value, [...m.options].slice(0, {len(menu)}).map((o) => o.value)]; }})()"), ["lab2-loop", menu])
    page.evaluate("(() => { const m = document.getElementById('programs'); m.value = 'ifelse'; m.onchange(); })()")
    wait_for("the menu leads to another program", page.evaluate,
             "location.pathname.endsWith('/ifelse.html') && document.body.dataset.stopped")
    check("lab: complaints", page.complaints, [])
    page.close()


def filtered(browser):
    """The field leaves the cards that have all typed words, and says how many."""
    page = browser.page()
    page.open((site / "index.html").as_uri())
    page.wait("document.querySelector('input[type=search]')")
    shown = "[...document.querySelectorAll('.cards > li')].filter((c) => c.getClientRects().length).length"
    every = page.evaluate(shown)
    typed = ("(() => { const f = document.querySelector('input[type=search]'); f.value = '%s'; "
             "f.dispatchEvent(new Event('input')); })()")
    page.evaluate(typed % "barrier  WHOLE block")
    check("filter: cards with the words", page.evaluate("[...document.querySelectorAll('.cards > li:not([hidden]) h3')]"
                                                        ".map((h) => h.textContent)"),
          ["Lab 3: A barrier is for the whole block"])
    check("filter: their number", page.evaluate("document.querySelector('[role=status]').textContent"), "1 program")
    check("filter: a heading without cards", page.evaluate("[...document.querySelectorAll('h2')].map((h) => h.hidden)"), [False, True])
    page.evaluate(typed % "")
    check("filter: all again", page.evaluate(shown), every)
    check("filter: complaints", page.complaints, [])
    page.close()


def cards(browser):
    """Pictures are whole, and the parts of a bill stand out from their card."""
    for theme in ("light", "dark"):
        page = browser.page(features=(("prefers-color-scheme", theme),))
        page.open((site / "index.html").as_uri())
        page.wait("document.readyState === 'complete'")
        check(f"{theme}: cut pictures", page.evaluate(
            "[...document.querySelectorAll('.board')].filter((b) => { const o = b.getBoundingClientRect(), "
            "i = b.firstElementChild.getBoundingClientRect(); return i.right > o.right || i.bottom > o.bottom; }).length"), 0)
        check(f"{theme}: parts of bills as bright as their card", page.evaluate(
            "(() => { const light = (e) => { const [r, g, b] = getComputedStyle(e).backgroundColor.match(/[0-9.]+/g).map((c) => "
            "(c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
            "return [...new Set([...document.querySelectorAll('.bill span')].filter((e) => { "
            "const a = light(e), b = light(e.closest('li')); return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 1.5; })"
            ".map((e) => e.className))]; })()"), [])
        page.close()


def widths(browser):
    for name in ("index.html", "stack-against-mask.html", "lab1-branch.html"):
        for width, touch in ((390, True), (768, True), (820, True)):
            page = browser.page(width=width, height=900, touch=touch)
            page.open((site / name).as_uri())
            page.wait("document.readyState === 'complete'")
            check(f"{name} at {width}: controls beyond the bar", page.evaluate(
                "(() => { const b = document.getElementById('bar'); return b ? b.scrollWidth - b.clientWidth : 0; })()"), 0)
            check(f"{name} at {width}: sideways scrolling", page.evaluate("document.documentElement.scrollWidth > innerWidth"), False)
            page.close()


browser = None
try:
    subprocess.run(["sh", source / "frontends/web/site.sh", warpbeam, source, site, *named], check=True,
                   stderr=subprocess.DEVNULL)
    files()
    browser = Browser()
    for part in (texts, lab_pages, filtered, cards, widths):
        part(browser)
finally:
    if browser:
        browser.close()
    shutil.rmtree(site)
finish()
