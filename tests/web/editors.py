"""The editor of a page beside CodeMirror 5 (Debian: libjs-codemirror), at 390 by 844 pixels: bytes, what a screen reader's
tree has of the text, and whether a composed text arrives. editors.py WARPBEAM SOURCE; docs/explanation/page.md."""
import gzip
import html
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser  # noqa: E402

warpbeam, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
library = pathlib.Path("/usr/share/javascript/codemirror/lib")
if not (library / "codemirror.js").exists():
    print("skipped: no libjs-codemirror")
    sys.exit(77)
text = (source / "examples/ifelse.s").read_text()
script, style = (library / "codemirror.js").read_text(), (library / "codemirror.css").read_text()


def other(kind):
    return f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>CodeMirror</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style>
<body><textarea id="t" aria-label="program text">{html.escape(text)}</textarea><script>{script}</script><script>
window.cm = window.CodeMirror.fromTextArea(document.getElementById("t"), {{ lineNumbers: true, inputStyle: "{kind}" }});
cm.getInputField().setAttribute("aria-label", "program text");</script>"""


def size(name, *parts):
    data = "".join(parts).encode()
    print(f"{name:28} {len(data):8,} bytes, {len(gzip.compress(data, 9)):8,} of gzip")


size("editor.js", (source / "frontends/web/editor.js").read_text())
size("codemirror.js and .css", script, style)
area = "document.querySelector('.area')"
with tempfile.TemporaryDirectory() as folder:
    own = pathlib.Path(folder) / "own.html"
    subprocess.run([warpbeam, "page", str(source / "examples/ifelse.s"), "-o", str(own), "-q"], check=True)
    rows = [("text area", own, f"{area}.value",
             f"document.querySelector('[data-tab=code]').click(); {area}.focus(); {area}.setSelectionRange(0, 0)")]
    for kind in ("textarea", "contenteditable"):
        file = pathlib.Path(folder) / f"{kind}.html"
        file.write_text(other(kind))
        rows.append((f"CodeMirror, {kind}", file, "cm.getValue()", "cm.focus(); cm.setCursor(0, 0)"))
    browser = Browser()
    try:
        for name, file, value, focus in rows:
            page = browser.page(width=390, height=844, ratio=3, touch=True)
            page.open(file.as_uri())
            page.wait("Boolean(window.cm || document.body.dataset.stopped)")
            page.evaluate(focus)
            tree = page.call("Accessibility.getFullAXTree")["nodes"]
            read = [len(n.get("value", {}).get("value", "")) for n in tree
                    if n.get("role", {}).get("value") == "textbox" and not n.get("ignored")]
            page.call("Input.imeSetComposition", text="に", selectionStart=1, selectionEnd=1)
            page.call("Input.imeSetComposition", text="にほ", selectionStart=2, selectionEnd=2)
            page.call("Input.insertText", text="日本")
            print(f"{name:28} text boxes with {read} of {len(text)} characters; composed text arrived: "
                  f"{page.evaluate(value) == '日本' + text}")
            page.close()
    finally:
        browser.close()
