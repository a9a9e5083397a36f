"""The stubs are those of the package: the same names, parameters and defaults."""

import ast
import inspect
import unittest
from pathlib import Path

import daewave

STUBS = ast.parse(Path(daewave.__file__).with_name("__init__.pyi").read_text())


def parameters_of(function):
    """[(name, kind, default)] of a stub; the default as it is written."""
    a = function.args
    positional = [*a.posonlyargs, *a.args]
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    found = [(one.arg, "positional", default and ast.unparse(default))
             for one, default in zip(positional, defaults)]
    if a.vararg:
        found.append((a.vararg.arg, "all", None))
    found += [(one.arg, "keyword", default and ast.unparse(default))
              for one, default in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        found.append((a.kwarg.arg, "others", None))
    return found


def signature_of(function):
    """The same of what there is."""
    kinds = {inspect.Parameter.POSITIONAL_ONLY: "positional",
             inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
             inspect.Parameter.VAR_POSITIONAL: "all", inspect.Parameter.KEYWORD_ONLY: "keyword",
             inspect.Parameter.VAR_KEYWORD: "others"}
    return [(one.name, kinds[one.kind],
             None if one.default is inspect.Parameter.empty else one.default)
            for one in inspect.signature(function).parameters.values()]


class Stubs(unittest.TestCase):
    functions = {node.name: node for node in STUBS.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef)}

    def compare(self, name, stub, function):
        said, there = parameters_of(stub), signature_of(function)
        self.assertEqual([one[:2] for one in said], [one[:2] for one in there], name)
        for (parameter, _, text), (_, _, default) in zip(said, there):
            value = ast.literal_eval(text) if text else None
            self.assertEqual(value, default, f"{name}: {parameter}")

    def test_all_names_of_the_package_are_there_and_no_others(self):
        self.assertEqual({*self.functions, *self.classes}, set(daewave.__all__))

    def test_functions_have_their_parameters_and_say_what_they_do(self):
        for name, stub in self.functions.items():
            function = getattr(daewave, name)
            self.assertGreater(len(inspect.getdoc(function) or ""), 40, name)
            if name != "method_names":  # Compiled: without a signature.
                self.compare(name, stub, function)

    def test_classes_have_their_methods(self):
        for name, stub in self.classes.items():
            there = getattr(daewave, name)
            self.assertIn(ast.unparse(stub.bases[0]).split("[")[0] if stub.bases else "object",
                          {base.__name__ for base in there.__mro__}, name)
            self.assertGreater(len(there.__dict__.get("__doc__") or ""), 20, name)
            methods = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
            for method, node in methods.items():
                self.assertTrue(hasattr(there, method), f"{name}.{method}")
                if not method.startswith("_"):
                    self.assertGreater(len(inspect.getdoc(getattr(there, method)) or ""), 10,
                                       f"{name}.{method}")
                if name != "Report" and not method.startswith("_"):
                    self.compare(f"{name}.{method}", node, getattr(there, method))
            public = {one for one in vars(there) if not one.startswith("_")}
            self.assertEqual(public - set(methods), set(), name)

    def test_attributes_of_a_model_are_those_of_the_stub(self):
        model = daewave.Model("[dae.differential]\nx = '-x'\n[dae.start]\nx = 1\n")
        said = {node.target.id for node in self.classes["Model"].body
                if isinstance(node, ast.AnnAssign)}
        self.assertEqual(said, {one for one in vars(model) if not one.startswith("_")})


if __name__ == "__main__":
    unittest.main()
