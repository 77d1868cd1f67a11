"""Run the cells of the notebook and store it with their outputs, as Jupyter would, for viewers that run nothing.
    notebook.py [NOTEBOOK]   (from the root; PYTHONPATH, WARPBEAM and WARPBEAM_LIBRARY as for the package)
"""
import ast
import base64
import json
import os
import sys


def _lines(text):
    return text.splitlines(keepends=True)


def _output(value, count):
    data = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = _lines(value._repr_html_())
    if hasattr(value, "_repr_png_"):
        data["image/png"] = base64.b64encode(value._repr_png_()).decode()
    return {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


def executed(notebook):
    """The notebook with what each cell's last expression gives, all cells in one namespace."""
    namespace, count = {}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        tree = ast.parse("".join(cell["source"]))
        last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, "cell", "exec"), namespace)
        value = eval(compile(last, "cell", "eval"), namespace)
        cell["execution_count"] = count
        cell["outputs"] = [] if value is None else [_output(value, count)]
    return notebook


if __name__ == "__main__":
    PATH = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "divergence.ipynb")
    with open(PATH, encoding="utf-8") as f:
        NOTEBOOK = json.load(f)
    NOTEBOOK = executed(NOTEBOOK)
    with open(PATH, "w", encoding="utf-8") as f:
        json.dump(NOTEBOOK, f, indent=1, ensure_ascii=False)
        f.write("\n")
