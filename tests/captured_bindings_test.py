#!/usr/bin/env python3
"""No lambda captures a name of a structured binding: `for (auto& [name, value] : all) f([&] { name; })`
is C++20, and clang refuses it until version 16. `[&name = name]` is what all compilers take.

usage: captured_bindings_test.py ROOT          look at the sources below ROOT
       captured_bindings_test.py --self-test   plant faults and check that they are found
"""

import re
import sys
from pathlib import Path

FOLDERS = ("core", "bvp", "ivp", "problems", "catalogue", "io", "models", "sparse", "large", "page",
           "parallel", "reproduce", "cli", "python", "include", "examples", "tests", "bench")
BINDING = re.compile(r"\bauto\s*&{0,2}\s*\[([\w,\s]+)\]\s*([:=({])")
LAMBDA = re.compile(r"(?<![\w)\]])\[([&=][^\[\]\n]*)\]\s*(\([^()]*\))?[^(){};]*\{")


def end_of(text, begin, opening, closing):
    """Where what is opened at `begin` is closed."""
    depth = 0
    for at in re.finditer(f"[{re.escape(opening + closing)}]", text[begin:]):
        depth += 1 if at.group() == opening else -1
        if depth == 0:
            return begin + at.start()
    return len(text)


def scope(text, binding):
    """Where the names of a binding are known, from its end on."""
    if binding.group(2) != ":":
        depth = 0
        for at in re.finditer("[{}]", text[binding.end():]):
            depth += 1 if at.group() == "{" else -1
            if depth < 0:
                return binding.end(), binding.end() + at.start()
        return binding.end(), len(text)
    begin = end_of(text, text.rfind("(", 0, binding.start()), "(", ")") + 1
    braced = text[begin:].lstrip().startswith("{")
    return begin, end_of(text, text.find("{", begin), "{", "}") if braced else text.find(";", begin)


def faults(text):
    """(line, name) of what lambdas capture by default."""
    text = re.sub(r"//[^\n]*", lambda of: " " * len(of.group()), text)
    found = []
    for binding in BINDING.finditer(text):
        names = [name.strip() for name in binding.group(1).split(",")]
        begin, end = scope(text, binding)
        for one in LAMBDA.finditer(text, begin, end):
            body = text[one.end():end_of(text, one.end() - 1, "{", "}")]
            for name in names:
                own = re.search(rf"\b{name} =", one.group(1)) or re.search(rf"\b{name}\b", one.group(2) or "")
                declared = re.search(rf"\b(?:auto|int|double|bool|\w+&)\s*&?\s*{name}\b", body)
                if not own and not declared and re.search(rf"(?<![\w.>:]){name}\b(?!\s*:)", body):
                    found.append((text.count("\n", 0, one.start()) + 1, name))
    return found


FAULTY = ("void f() { for (const auto& [name, value] : all) { any([&](int i) { return i == name; }); } }",
          "void f() { const auto [a, b] = two(); run([=] { return a; }); }",
          "void f() { const auto [a, b] = two(); if (x) { run([&] { return 2 * b; }); } }")
SOUND = ("void f() { for (const auto& [name, value] : all) { any([&name = name] { return name; }); } }",
         "void f() { { const auto [a, b] = two(); } run([&] { return a; }); }",
         "void f() { const auto [a, b] = two(); run([&](int a) { return a + x.b; }); v[a] = 1; }",
         "void f() { const auto [a, b] = two(); run([&] { const int b = 1; return b; }); }")


def main(arguments):
    if arguments == ["--self-test"]:
        wrong = [text for text in FAULTY if not faults(text)] + [text for text in SOUND if faults(text)]
        said = f"{len(FAULTY)} planted faults found"
    elif len(arguments) == 1:
        root = Path(arguments[0])
        files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]pp"))]
        wrong = [f"{path.relative_to(root)}:{line}: a lambda captures {name}, of a structured binding; "
                 f"write [&{name} = {name}]"
                 for path in files for line, name in faults(path.read_text(encoding="utf-8"))]
        wrong += [] if len(files) > 500 else [f"{len(files)} files below {root} are too few"]
        said = f"no binding is captured in {len(files)} files"
    else:
        sys.exit(__doc__)
    print("\n".join(wrong) or said)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
