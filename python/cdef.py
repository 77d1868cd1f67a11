"""Prints the declarations of include/warpbeam.h as a Python module for cffi, which reads C without a preprocessor.

usage: cdef.py warpbeam.h > _cdef.py
"""
import re
import sys


def declarations(header):
    """The declarations of a header's text: comments, preprocessor lines and the C++ brackets are gone."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", " ", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    text = text.replace("WB_API ", "")
    return re.sub(r"\s*\n\s*", "\n", text).strip()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        text = header.read()
    abi = re.search(r"#define WB_ABI_VERSION (\d+)", text)
    print('"""Made from include/warpbeam.h by python/cdef.py."""')
    print(f"ABI = {abi.group(1)}")
    print(f"CDEF = r'''\n{declarations(text)}\n'''")
