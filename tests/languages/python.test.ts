/** What is found in Python: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("python");

finds(
  "definitions of every kind",
  symbolLines,
  `
"""The module.

More.
"""
from __future__ import annotations
__all__ = ["Public", "run"]

VERSION: str = "1"
UserId: TypeAlias = int
type Pair[T] = tuple[T, T]
low, high = 0, 1
if TYPE_CHECKING:
    try:
        FLAG = True
    except ImportError:
        FLAG = False


# Above the class.
@register(
    "x",
)
# between
class Public(Base, metaclass=Meta):
    """A class."""

    limit: int = 3
    _hidden = 1

    @property
    def size(self) -> int:
        """Args:
            none: at all
        """
        total = 1
        return total

    @overload
    def get(self, key: str) -> str: ...
    @overload
    def get(
        self,
        key: int,  # a comment
        *rest: str,
    ) -> int: ...

    async def _close(self) -> None:
        def inner(): pass
        class Local:
            x = 1

    def __init__(self): self.a = lambda: 1

def run(x):  # trailing
    '''Runs.

    :param x: what
    '''
    return x

def other():
    """
    Parameters
    ----------
    none
    """
`,
  `
-variable __all__ 6-6 __all__ = ["Public", "run"]
-variable VERSION 8-8 VERSION: str = "1"
-type_alias UserId 9-9 UserId: TypeAlias = int
-type_alias Pair 10-10 type Pair[T] = tuple[T, T]
-variable low 11-11 low, high = 0, 1
-variable high 11-11 low, high = 0, 1
-variable FLAG 14-14 FLAG = True
-variable FLAG 16-16 FLAG = False
+class Public 19/20-52@24 class Public(Base, metaclass=Meta) «plain: A class.»
+property Public.limit 27-27 limit: int = 3
-property Public._hidden 28-28 _hidden = 1
+method Public.size 30-36@31 def size(self) -> int «google: Args:⏎none: at all»
+method Public.get 38-39@39 def get(self, key: str) -> str
+method Public.get 40-45@41 def get(self, key: int, *rest: str) -> int
-method Public._close 47-50 async def _close(self) -> None
-function Public._close.inner 48-48 def inner()
-class Public._close.Local 49-50 class Local
-property Public._close.Local.x 50-50 x = 1
+method Public.__init__ 52-52 def __init__(self)
+function run 54-59 def run(x) «sphinx: Runs.⏎⏎:param x: what»
-function other 61-66 def other() «numpy: Parameters⏎----------⏎none»
`,
);

finds(
  "imports in every form",
  importLines,
  `
import os, a.b
import a.b.c as d
from . import near
from ..far.place import (one as uno, two)
from pkg import *
if TYPE_CHECKING:
    from types_only import T
    import typing_extras
def f():
    from inner import late
    mod = importlib.import_module("plugins.x")
    __import__("bare")
    importlib.import_module(f"{app}.models")
    late = import_module(f"plugins.{name}")
`,
  `
1 import os *>os
1 import a.b *>a.b
2 import a.b.c *>d
3 import . near
4 import ..far.place one>uno two
5 import pkg *
7 type types_only T
8 type typing_extras *>typing_extras
10 import inner late
11 dynamic plugins.x *>mod
12 dynamic bare
`,
);

finds(
  "uses of names",
  referenceLines,
  `
@app.route("/")
@cached
class A(Base, mod.Mixin, Generic[T], metaclass=Meta):
    x: Optional["pkg.Later"] = None
    def f(self, a: int | Foo | None, b: t.Dict[str, Bar]) -> "list[Baz]":
        self.g(a)
        np.linalg.norm(a)
        self.g(b)
        Foo()
build().run()
`,
  `
decorate app . route in A
decorate cached in A
inherit Base in A
inherit mod . Mixin in A
inherit Generic in A
type T in A
inherit Meta in A
type Optional in A.x
type pkg . Later in A.x
type int in A.f
type Foo in A.f
type t . Dict in A.f
type str in A.f
type Bar in A.f
type list in A.f
type Baz in A.f
call self . g in A.f
call np.linalg . norm in A.f
call Foo in A.f
call build
call build() . run
`,
);

finds(
  "names as values: arguments, entries, exceptions and patterns",
  referenceLines,
  `
from app import Late, connect, deps, errors
class Gone(Exception): ...
def load(name, connect2=None): ...
def a(db=Depends(connect), user: Annotated[str, Depends(deps.user)] = 1):
    run(load, done=deps.save, other=unknown)
    table = {"gone": Gone, "x": unknown}
    return [load, unknown]
def b(load):
    run(load)
    connect = make()
    run(connect)
    for deps in all(): run(deps.user)
def c(x):
    try: ...
    except Gone as late: raise Late from late
    except (errors.Bad, KeyError): raise errors.Worse
    match x:
        case Late(code=1): ...
        case errors.Worst(): ...
`,
  `
inherit Exception in Gone
call Depends in a
call connect in a
type Annotated in a
type str in a
call deps . user in a
call run in a
call load in a
call deps . save in a
call Gone in a
call run in b
call make in b
call all in b
call Gone in c
call Late in c
call errors . Bad in c
call KeyError in c
call errors . Worse in c
call errors . Worst in c
`,
);

finds(
  "functions that another one collects",
  referenceLines,
  `
from app import cli
@singledispatch
def show(x): ...
@show.register
def _(x: int): ...
@show.register(str)
def show_text(x): ...
@cli.command()
def run(): ...
@other.register
def none(): ...
class A:
    @property
    def a(self): ...
    @a.setter
    def a(self, b): ...
`,
  `
decorate singledispatch in show
decorate show in _
decorate show . register in _
type int in _
decorate show in show_text
decorate show . register in show_text
decorate cli in run
decorate cli . command in run
decorate other . register in none
decorate property in A.a
decorate a . setter in A.a
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
#!/usr/bin/env python
# Copyright 2020 Somebody, because lawyers.

# One line
# and another.
x = 1  # trailing
# TODO: do it
def f():
    # noqa: because of reasons
    # Sorted because callers rely on it.
    return 1  # see #1234
    # last

# Belongs to g.
def g(): pass
`,
  `
1-1 general: /usr/bin/env python
2-2 general: Copyright 2020 Somebody, because lawyers.
4-5 general in x: One line⏎and another.
6-6 general in x: trailing
7-7 todo in f: TODO: do it
9-9 general in f: noqa: because of reasons
10-10 rationale! in f: Sorted because callers rely on it.
11-11 bug_ref in f: see #1234
12-12 general in f: last
14-14 general in g: Belongs to g.
`,
);

test("the module's own documentation", async () => {
  const { doc } = await factsOf("python", '# a comment\n"""First.\n\n    Second.\n"""\nx = 1\n');
  expect(doc).toEqual({ content: "First.\n\nSecond.", format: "plain" });
});

test("without __all__, names without an underscore are exported", async () => {
  const lines = await symbolLines("python", "def a(): pass\ndef _b(): pass\nclass _C:\n  def d(self): pass\n");
  expect(lines.map((line) => line.split(" ", 2).join(" "))).toEqual([
    "+function a",
    "-function _b",
    "-class _C",
    "-method _C.d",
  ]);
});
