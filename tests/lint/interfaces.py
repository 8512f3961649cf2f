# SPDX-License-Identifier: MIT
# tests/lint/interfaces.py — what the Python package offers says its types, and is described in
# numpy's style: every name of the __all__ of its modules, and the public methods of its classes.
import ast
import inspect
import os
import re

from sources import files_of, lines_of, report, root_from_arguments

PACKAGE = "python/synthoscope/"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ELSEWHERE = re.compile(r"are\s+those\s+of\s+`\w+`")  # "Parameters and errors are those of `f`."


def definitions(tree):
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, *FUNCTIONS))}


def offered(tree):
    """The names in __all__ of a module."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "__all__":
            return ast.literal_eval(node.value)
    return []


def homes(tree):
    """Where names come from that a module takes from private ones beside it: name -> module."""
    return {alias.asname or alias.name: node.module for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module
            for alias in node.names}


def sections(docstring):
    """What stands below each underlined heading, as lines."""
    parts = re.split(r"^([A-Z]\w+(?: \w+)?)\n-{3,}$", docstring, flags=re.MULTILINE)
    return {name: body.strip("\n").split("\n") for name, body in zip(parts[1::2], parts[2::2])}


def described(lines):
    """The names at the margin of a section: "a, b : type"."""
    names = [line.split(" : ")[0] for line in lines if line and not line.startswith(" ")]
    return [name.strip() for joined in names for name in joined.split(",")]


def parameters_of(function):
    """(name, argument) of all but self and cls."""
    given = function.args
    rows = [(a.arg, a) for a in given.posonlyargs + given.args]
    rows += [("*" + given.vararg.arg, given.vararg)] if given.vararg else []
    rows += [(a.arg, a) for a in given.kwonlyargs]
    rows += [("**" + given.kwarg.arg, given.kwarg)] if given.kwarg else []
    return [row for row in rows if row[0] not in ("self", "cls")]


def about_types(function):
    bare = [name for name, argument in parameters_of(function) if argument.annotation is None]
    if bare:
        yield f"say the type of {', '.join(bare)}"
    if function.returns is None and function.name != "__init__":
        yield "say the type of the result"


def about_words(function, docstring):
    """Complaints about the description of a function, or of what makes an object."""
    found, given = sections(docstring), [name for name, _ in parameters_of(function)]
    if ELSEWHERE.search(docstring):
        return
    if given and described(found.get("Parameters", [])) != given:
        yield f"describe {', '.join(given)} below Parameters, in this order"
    returns = function.returns is not None and ast.unparse(function.returns) not in ("None", "Self")
    decorated = {ast.unparse(decorator) for decorator in function.decorator_list}
    if given and returns and "property" not in decorated and not {"Returns", "Yields"} & set(found):
        yield "describe the result below Returns"
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(function))
    if given and raises and "Raises" not in found:
        yield "say below Raises what is refused"


def about_function(function, docstring):
    yield from ((function.lineno, text) for text in about_types(function))
    yield from ((function.lineno, text) for text in about_words(function, docstring))


def about(node):
    """Complaints about a function or a class: (line, text)."""
    docstring = inspect.cleandoc(ast.get_docstring(node) or "")
    if not re.match(r"[^\n]+[.:](\n|$)", docstring):
        yield node.lineno, "begin a docstring with a sentence on a line of its own"
    if isinstance(node, FUNCTIONS):
        yield from about_function(node, docstring)
        return
    for member in node.body:
        if isinstance(member, FUNCTIONS) and member.name == "__init__":
            yield from about_function(member, docstring)
        elif isinstance(member, FUNCTIONS) and not member.name.startswith("_"):
            yield from about(member)


def complaints(root):
    trees = {path: ast.parse("\n".join(lines_of(root, path))) for path in files_of(root)
             if path.startswith(PACKAGE) and path.endswith(".py")}
    for path, tree in trees.items():
        if os.path.basename(path).startswith("_") and not path.endswith("__init__.py"):
            continue
        for name in offered(tree):
            home = path
            if name not in definitions(tree) and name in homes(tree):
                home = PACKAGE + homes(tree)[name].replace(".", "/") + ".py"
            node = definitions(trees[home]).get(name) if home in trees else None
            for line, text in about(node) if node else ():
                yield f"{home}:{line}: {name}: {text}"


if __name__ == "__main__":
    report("interfaces", sorted(set(complaints(root_from_arguments()))))
