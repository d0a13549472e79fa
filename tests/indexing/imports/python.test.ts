import { describe } from "bun:test";
import { checkEdges } from "./imports-check.ts";

describe("relative imports", () => {
  checkEdges(
    "are resolved from the importing file",
    `
//- auth/__init__.py
//- auth/handler.py
from .ldap import bind
from . import tokens
//- auth/ldap.py
//- auth/tokens.py
//- ldap.py
`,
    `
auth/handler.py -> auth/ldap.py
auth/handler.py -> auth/tokens.py
`,
  );

  checkEdges(
    "go up any number of levels, but not out of the repository",
    `
//- a/__init__.py
//- a/top.py
//- a/b/__init__.py
//- a/b/c/__init__.py
//- a/b/c/deep.py
from ...top import x
from ..... import nothing
from .....a import top
from .. import name_of_init
//- other.py
`,
    `
a/b/c/deep.py -> a/b/__init__.py
a/b/c/deep.py -> a/top.py
`,
  );
});

describe("absolute imports", () => {
  checkEdges(
    "start from the folder above the outermost package",
    `
//- src/shop/__init__.py
//- src/shop/cart.py
import shop.prices
import shop.taxes as t
from shop.stock import item
from shop import orders, VERSION
//- src/shop/prices.py
//- src/shop/taxes/__init__.py
//- src/shop/stock.py
//- src/shop/orders.py
`,
    `
src/shop/cart.py -> src/shop/__init__.py
src/shop/cart.py -> src/shop/orders.py
src/shop/cart.py -> src/shop/prices.py
src/shop/cart.py -> src/shop/stock.py
src/shop/cart.py -> src/shop/taxes/__init__.py
`,
  );

  checkEdges(
    "of generated modules resolve to the deepest existing package",
    `
//- pkg/__init__.py
//- pkg/fast/__init__.py
//- main.py
import pkg.fast._native
import elsewhere.fast
`,
    "main.py -> pkg/fast/__init__.py",
  );

  checkEdges(
    "from tests find the installed src layout",
    `
//- pyproject.toml
[project]
name = "shop"
//- src/shop/__init__.py
//- src/shop/cart.py
//- tests/test_cart.py
from shop.cart import Cart
from helpers import make
//- tests/helpers.py
//- tests/unit/test_more.py
from helpers import make
`,
    `
tests/test_cart.py -> src/shop/cart.py
tests/test_cart.py -> tests/helpers.py
tests/unit/test_more.py -> tests/helpers.py
`,
  );

  checkEdges(
    "find package folders that the configuration names",
    `
//- one/setup.py
setup(packages=find_packages("python"), package_dir={"": "python"})
//- one/python/alpha/__init__.py
//- two/pyproject.toml
[tool.setuptools.packages.find]
where = ["lib"]
//- two/lib/beta/__init__.py
//- three/setup.cfg
[options]
package_dir =
  = code
//- three/code/gamma/__init__.py
//- four/pyproject.toml
[tool.hatch.build.targets.wheel]
packages = ["sources/delta"]
//- four/sources/delta/__init__.py
//- tools/run.py
import alpha, beta, gamma, delta
`,
    `
tools/run.py -> four/sources/delta/__init__.py
tools/run.py -> one/python/alpha/__init__.py
tools/run.py -> three/code/gamma/__init__.py
tools/run.py -> two/lib/beta/__init__.py
`,
  );

  checkEdges(
    "in a repository of many projects resolve to the nearest one of that name",
    `
//- services/a/pyproject.toml
//- services/a/app/__init__.py
//- services/a/app/main.py
from app import models
from shared import log
//- services/a/app/models.py
//- services/b/pyproject.toml
//- services/b/app/__init__.py
//- services/b/app/main.py
from app import models
//- services/b/app/models.py
//- libs/shared/pyproject.toml
//- libs/shared/shared/__init__.py
//- libs/shared/shared/log.py
`,
    `
services/a/app/main.py -> libs/shared/shared/log.py
services/a/app/main.py -> services/a/app/models.py
services/b/app/main.py -> services/b/app/models.py
`,
  );

  checkEdges(
    "reach into namespace packages, also across several roots",
    `
//- a/pyproject.toml
//- a/src/acme/one/__init__.py
//- a/src/acme/plain.py
//- b/pyproject.toml
//- b/src/acme/two/__init__.py
//- b/src/acme/two/use.py
from acme import one, plain
from acme.one import x
import acme
`,
    `
b/src/acme/two/use.py -> a/src/acme/one/__init__.py
b/src/acme/two/use.py -> a/src/acme/plain.py
`,
  );

  checkEdges(
    "from the package that the whole repository is find the files beside it",
    `
//- __init__.py
//- nodes.py
from utils import load
from inner.deep import load as deep
//- utils.py
//- inner/__init__.py
from utils import load
//- inner/deep.py
`,
    `
inner/__init__.py -> utils.py
nodes.py -> inner/deep.py
nodes.py -> utils.py
`,
  );

  checkEdges(
    "with a broken configuration follow the layout",
    `
//- pyproject.toml
[[[ not toml
//- src/pkg/__init__.py
//- tests/test_it.py
import pkg
`,
    "tests/test_it.py -> src/pkg/__init__.py",
  );
});

describe("external names", () => {
  checkEdges(
    "are never resolved by name alone",
    `
//- pyproject.toml
//- src/app/__init__.py
//- src/app/json/__init__.py
//- src/app/yaml.py
//- src/app/views.py
import json, yaml
from redis import Redis
//- tests/fixtures/redis/__init__.py
//- tests/fixtures/requests/setup.py
//- tests/fixtures/requests/requests/__init__.py
//- src/app/client.py
import requests
//- tools/yaml/__init__.py
`,
    "",
  );

  checkEdges(
    "are shadowed by files next to a script outside a package, as in Python",
    `
//- scripts/run.py
import calendar
import helper
//- scripts/calendar.py
//- scripts/helper.py
//- pkg/__init__.py
//- pkg/mod.py
import calendar
import helper
//- pkg/calendar.py
//- pkg/helper.py
`,
    `
scripts/run.py -> scripts/calendar.py
scripts/run.py -> scripts/helper.py
`,
  );

  checkEdges(
    "of the standard library are not files above a package, and a module has no submodules",
    `
//- logging.py
//- config.py
//- pkg/__init__.py
//- pkg/mod.py
import logging
import config
//- pkg/other.py
import config.deep.er
`,
    "pkg/mod.py -> config.py",
  );

  checkEdges(
    "in a namespace folder inside a package do not resolve to siblings, except in a test",
    `
//- pkg/__init__.py
//- pkg/outer.py
//- pkg/inner/app.py
import helper
from .near import x
//- pkg/inner/helper.py
//- pkg/inner/near.py
//- pkg/inner/deep/__init__.py
//- pkg/inner/deep/mod.py
import near
import outer
//- pkg/samples/test_two.py
import one
//- pkg/samples/one.py
`,
    `
pkg/inner/app.py -> pkg/inner/near.py
pkg/inner/deep/mod.py -> pkg/inner/near.py
pkg/samples/test_two.py -> pkg/samples/one.py
`,
  );
});

describe("what an import names", () => {
  checkEdges(
    "is the package if its __init__ has the name, else the submodule",
    `
//- pkg/__init__.py
from .app import app
from . import views
class config: ...
//- pkg/app.py
//- pkg/views.py
//- pkg/config.py
//- pkg/plain.py
//- use.py
from pkg import app, config
//- use_modules.py
from pkg import views, plain
`,
    `
pkg/__init__.py -> pkg/app.py
pkg/__init__.py -> pkg/views.py
use.py -> pkg/__init__.py
use_modules.py -> pkg/plain.py
use_modules.py -> pkg/views.py
`,
  );

  checkEdges(
    "is the submodule that the __init__ imports by the package's full name",
    `
//- src/app/__init__.py
from app import views
from app.inner import models as tables
from app._built import fast
//- src/app/views.py
//- src/app/tables.py
//- src/app/fast.py
//- src/app/inner/__init__.py
from app.inner import models
//- src/app/inner/models.py
//- src/app/use.py
from app import views
from .inner import models
//- src/app/use_names.py
from app import tables
//- src/app/use_built.py
from app import fast
`,
    `
src/app/__init__.py -> src/app/inner/models.py
src/app/__init__.py -> src/app/views.py
src/app/inner/__init__.py -> src/app/inner/models.py
src/app/use.py -> src/app/inner/models.py
src/app/use.py -> src/app/views.py
src/app/use_built.py -> src/app/__init__.py
src/app/use_names.py -> src/app/__init__.py
`,
  );

  checkEdges(
    "can be a star, type-only, conditional, or given as a string",
    `
//- a.py
from typing import TYPE_CHECKING
from b import *
if TYPE_CHECKING:
    from c import C
    from b import B
try:
    import d
except ImportError:
    import e as d
def late():
    import f
    importlib.import_module("g")
//- b.py
//- c.py
//- d.py
//- e.py
//- f.py
//- g.py
`,
    `
a.py -> b.py
a.py -> b.py (types)
a.py -> c.py (types)
a.py -> d.py
a.py -> e.py
a.py -> f.py
a.py -> g.py
`,
  );

  checkEdges(
    "is the source rather than the stub, except in stubs",
    `
//- m.py
//- m.pyi
import n
//- n.py
//- n.pyi
//- only.pyi
//- use.py
import m, only
`,
    `
m.pyi -> n.pyi
use.py -> m.py
use.py -> only.pyi
`,
  );
});
