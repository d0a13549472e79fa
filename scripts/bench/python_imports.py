"""Says what Python itself resolves the imports of a repository to, without running any of its code.

Reads a JSON request from standard input, {"root", "files", "roots"} (the checkout, the Python files to look at, the
folders that installing the project or its own test settings put on the path), and prints {"imports": [...]}: every
module that a file names, with the file it leads to.

Imports are read with `ast` and found with `importlib.machinery.FileFinder`, folder by folder as PathFinder does,
namespace packages included. A file sees, in this order: the folder above its outermost package, or its own where that is
none (what a script or pytest puts first), the standard library, the roots of the request, and the folders above the
first one, up to the top of the repository.

`import a.b` needs a/b. `from a import b` needs a/b when b is a module and a's own code binds no other thing of that
name, else a, where the name comes from.
"""

import ast
import json
import os
import sys
from importlib.machinery import FileFinder, SourceFileLoader

LOADERS = ((SourceFileLoader, [".py"]), (SourceFileLoader, [".pyi"]))


class Found:
    """A module: its file (None for a namespace package) and the folders that hold its submodules."""

    def __init__(self, file, folders):
        self.file = file
        self.folders = folders


class Repository:
    def __init__(self, root, roots):
        self.root = root
        self.roots = [os.path.join(root, path) for path in roots]
        self.finders = {}
        self.bound = {}

    def find(self, name, folders):
        """One part of a dotted name in a list of folders; None if missing."""
        portions = []
        for folder in folders:
            finder = self.finders.get(folder)
            if finder is None:
                finder = self.finders[folder] = FileFinder(folder, *LOADERS)
            spec = finder.find_spec(name)
            if spec is None:
                continue
            if spec.loader is not None:
                return Found(spec.origin, list(spec.submodule_search_locations or []))
            portions += spec.submodule_search_locations
        return Found(None, portions) if portions else None

    def dotted(self, name, folders):
        found = Found(None, folders)
        for part in name.split("."):
            found = self.find(part, found.folders)
            if found is None:
                return None
        return found

    def base(self, file):
        folder = os.path.dirname(file)
        while folder != self.root and os.path.exists(os.path.join(folder, "__init__.py")):
            folder = os.path.dirname(folder)
        return folder

    def above(self, folder):
        while folder != self.root:
            folder = os.path.dirname(folder)
            if not os.path.exists(os.path.join(folder, "__init__.py")):
                yield folder

    def absolute(self, file, name):
        base = self.base(file)
        found = self.dotted(name, [base])
        if found is not None and found.file is not None:
            return found
        if name.split(".")[0] in sys.stdlib_module_names:
            return None
        # A namespace package can be spread over all of them.
        return self.dotted(name, [base, *self.roots, *self.above(base)])

    def relative(self, file, level, name):
        folder = os.path.dirname(file)
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        if not (folder + os.sep).startswith(self.root + os.sep):
            return None
        if name:
            return self.dotted(name, [folder])
        init = os.path.join(folder, "__init__.py")
        return Found(init if os.path.exists(init) else None, [folder])

    def names_bound(self, file):
        """The names that the code of a package binds, without its submodules."""
        known = self.bound.get(file)
        if known is not None:
            return known
        names = set()
        self.bound[file] = names
        tree = parse(file)
        for node in top_level(tree.body if tree else []):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.Import):
                names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not (node.level == 1 and node.module is None):
                names.update(alias.asname or alias.name for alias in node.names)
        return names


def top_level(nodes):
    """Every node that runs when a module is loaded, without the bodies of functions and classes."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def parse(file):
    try:
        with open(file, "rb") as stream:
            return ast.parse(stream.read())
    except (SyntaxError, ValueError, OSError):
        return None


def imports_of(repository, file):
    tree = parse(file)
    for node in ast.walk(tree) if tree else []:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found = repository.absolute(file, alias.name)
                if found is not None:
                    yield alias.name, found.file
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            if node.level:
                module = repository.relative(file, node.level, node.module)
            else:
                module = repository.absolute(file, node.module)
            if module is None:
                continue
            for alias in node.names:
                is_own = module.file and module.file != file and alias.name in repository.names_bound(module.file)
                submodule = None if is_own or alias.name == "*" else repository.find(alias.name, module.folders)
                yield name, (submodule and submodule.file) or module.file


def main():
    request = json.load(sys.stdin)
    root = os.path.realpath(request["root"])
    repository = Repository(root, request["roots"])
    imports = []
    for path in request["files"]:
        for specifier, target in imports_of(repository, os.path.join(root, path)):
            if target is not None:
                imports.append({"path": path, "specifier": specifier, "target": os.path.relpath(target, root)})
    json.dump({"imports": imports}, sys.stdout)


main()
