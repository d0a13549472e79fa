import { describe } from "bun:test";
import { checkEdges } from "./imports-check.ts";

describe("relative specifiers", () => {
  checkEdges(
    "search extensions and index files, in TypeScript's order",
    `
//- src/a.ts
import "./b";
import "./c";
import "./d";
import "./e.service";
import "..";
import ".";
import "./data";
import "./data.json";
import "./B";
//- src/b.ts
//- src/b.js
//- src/c/index.tsx
//- src/d.d.ts
//- src/e.service.ts
//- src/index.ts
//- src/data.json
//- index.js
`,
    `
src/a.ts -> index.js
src/a.ts -> src/b.ts
src/a.ts -> src/c/index.tsx
src/a.ts -> src/d.d.ts
src/a.ts -> src/data.json
src/a.ts -> src/e.service.ts
src/a.ts -> src/index.ts
`,
  );

  checkEdges(
    "that name build output resolve to the source",
    `
//- a.ts
import "./b.js";
import "./c.jsx";
import "./d.mjs";
import "./e.cjs";
import "./f.js";
import "./icon.svg?raw";
//- b.ts
//- b.js
//- c.tsx
//- d.mts
//- e.cts
//- f.js
//- icon.svg
//- g.js
import "./b.js";
import "./c.js";
`,
    `
a.ts -> b.ts
a.ts -> c.tsx
a.ts -> d.mts
a.ts -> e.cts
a.ts -> f.js
a.ts -> icon.svg
g.js -> b.js
g.js -> c.tsx
`,
  );

  checkEdges(
    "resolve to a file of that name before a folder's package.json",
    `
//- index.js
const lib = require("./lib");
require("./app");
//- lib/package.json
{ "main": "./start.js" }
//- lib/start.js
//- app.js
//- app/package.json
{ "main": "./start.js" }
//- app/start.js
//- test/t.js
require("../");
require("../dist/index.js");
//- package.json
{ "main": "index.js" }
//- src/index.ts
`,
    `
index.js -> app.js
index.js -> lib/start.js
test/t.js -> index.js
test/t.js -> src/index.ts
`,
  );
});

checkEdges(
  "every form of import counts, and type-only ones are marked",
  `
//- a.ts
import type { T } from "./types";
import { type U } from "./types";
import { type V, w } from "./both";
import x = require("./x");
export * from "./star";
export { a as b } from "./named";
export type { Q } from "./q";
const later = await import("./later");
import(\`./\${later}\`);
//- types.ts
//- both.ts
//- x.ts
//- star.ts
//- named.ts
//- q.ts
//- later.ts
`,
  `
a.ts -> both.ts
a.ts -> both.ts (types)
a.ts -> later.ts
a.ts -> named.ts
a.ts -> q.ts
a.ts -> star.ts
a.ts -> types.ts (types)
a.ts -> x.ts
`,
);

describe("tsconfig", () => {
  checkEdges(
    "paths go by their exact name, or the longest pattern that fits",
    `
//- tsconfig.json
{"compilerOptions": {"paths": {
  "*": ["./any/*"],
  "@/*": ["./src/*"],
  "@/ui/*": ["./ui/src/*"],
  "@/ui/kit": ["./kit.ts"],
  "~*.gen": ["./made/*.ts"]
}}}
//- a.ts
import "@/x";
import "@/ui/y";
import "@/ui/kit";
import "~api.gen";
import "~api.gen.js";
import "z";
//- any/z.ts
//- kit.ts
//- made/api.ts
//- src/x.ts
//- src/ui/y.ts
//- ui/src/kit.ts
//- ui/src/y.ts
`,
    `
a.ts -> any/z.ts
a.ts -> kit.ts
a.ts -> made/api.ts
a.ts -> src/x.ts
a.ts -> ui/src/y.ts
`,
  );

  checkEdges(
    "paths come from the nearest configuration, with comments, trailing commas and extends",
    `
//- tsconfig.base.json
// shared
{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["libs/*/src", "libs/*"], "exact": ["./libs/one/src/index.ts"], } } }
//- app/tsconfig.json
{ /* mine */ "extends": ["../tsconfig.base", "some-package/tsconfig"], }
//- app/src/main.ts
import "@lib/one";
import "@lib/two/deep";
import "exact";
import "libs/two/deep";
import "@lib/none";
//- libs/one/src/index.ts
//- libs/two/deep.ts
//- alone/tsconfig.json
{ "compilerOptions": { "paths": { "~/*": ["./src/*"], "~/special/*": ["./other/*"] } } }
//- alone/src/a.ts
import "~/b";
import "~/special/c";
import "@lib/one";
import "libs/two/deep";
//- alone/src/b.ts
//- alone/other/c.ts
//- alone/src/special/c.ts
`,
    `
alone/src/a.ts -> alone/other/c.ts
alone/src/a.ts -> alone/src/b.ts
app/src/main.ts -> libs/one/src/index.ts
app/src/main.ts -> libs/two/deep.ts
`,
  );

  checkEdges(
    "paths come from a configuration that is a package of the workspace",
    `
//- package.json
{ "workspaces": ["config", "app", "site", "bare"] }
//- config/package.json
{ "name": "@acme/tsconfig", "exports": { "./strict": "./strict.json" } }
//- config/base.json
{ "compilerOptions": { "paths": { "~/*": ["${"$"}{configDir}/src/*"] } } }
//- config/strict.json
{ "extends": "./base" }
//- config/tsconfig.json
{ "compilerOptions": { "paths": { "@lib/*": ["../lib/*"] } } }
//- app/tsconfig.json
{ "extends": "@acme/tsconfig/base.json" }
//- app/src/main.ts
import "~/part";
import "@lib/text";
//- app/src/part.ts
//- site/tsconfig.json
{ "extends": ["@acme/tsconfig/strict", "left-pad/tsconfig.json"] }
//- site/src/main.ts
import "~/part";
//- site/src/part.ts
//- bare/tsconfig.json
{ "extends": "@acme/tsconfig" }
//- bare/main.ts
import "@lib/text";
//- lib/text.ts
`,
    `
app/src/main.ts -> app/src/part.ts
bare/main.ts -> lib/text.ts
site/src/main.ts -> site/src/part.ts
`,
  );

  checkEdges(
    "extends cycles end, jsconfig counts, references are followed, and broken files are ignored",
    `
//- a/tsconfig.json
{ "extends": "./other.json" }
//- a/other.json
{ "extends": "./tsconfig.json", "compilerOptions": { "paths": { "x": ["./x.ts"] } } }
//- a/use.ts
import "x";
//- a/x.ts
//- b/jsconfig.json
{ "compilerOptions": { "baseUrl": "src" } }
//- b/src/use.js
import "deep/y";
//- b/src/deep/y.js
//- c/tsconfig.json
{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }
//- c/tsconfig.app.json
{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }
//- c/src/use.ts
import "@/z";
//- c/src/z.ts
//- d/tsconfig.json
{ "compilerOptions": { "paths": 
//- d/use.ts
import "x";
`,
    `
a/use.ts -> a/x.ts
b/src/use.js -> b/src/deep/y.js
c/src/use.ts -> c/src/z.ts
`,
  );

  checkEdges(
    "the nearest configuration that includes a file applies to it",
    `
//- tsconfig.json
{ "compilerOptions": { "paths": { "~": ["./top.ts"] } } }
//- app/tsconfig.base.json
{ "exclude": ["src/left"], "compilerOptions": { "paths": { "~": ["./own.ts"] } } }
//- app/tsconfig.json
{ "extends": "./tsconfig.base.json", "include": ["src", "*.config.ts", "lib/**/*.js"], "references": [{ "path": "tests" }] }
//- app/tests/tsconfig.json
{ "files": ["one.ts"], "compilerOptions": { "paths": { "~": ["./tests.ts"] } } }
//- app/src/deep/a.ts
import "~";
//- app/src/left/b.ts
import "~";
//- app/vite.config.ts
import "~";
//- app/lib/x/c.js
import "~";
//- app/lib/x/d.ts
import "~";
//- app/tests/one.ts
import "~";
//- app/tests/two.ts
import "~";
//- top.ts
//- app/own.ts
//- app/tests/tests.ts
`,
    `
app/lib/x/c.js -> app/own.ts
app/lib/x/d.ts -> top.ts
app/src/deep/a.ts -> app/own.ts
app/src/left/b.ts -> top.ts
app/tests/one.ts -> app/tests/tests.ts
app/tests/two.ts -> top.ts
app/vite.config.ts -> app/own.ts
`,
  );
});

describe("packages", () => {
  checkEdges(
    "of a workspace resolve by name, through exports, with output mapped to sources",
    `
//- package.json
{ "name": "root", "workspaces": ["packages/*", "!packages/hidden"] }
//- packages/core/package.json
{ "name": "@acme/core", "exports": {
  ".": { "types": "./dist/index.d.ts", "import": "./dist/esm/index.mjs", "require": "./dist/cjs/index.cjs" },
  "./jsx": "./dist/jsx/index.js",
  "./features/*.js": { "default": "./dist/features/*.js" },
  "./dom": { "development": "./dist/development/dom-export.mjs", "default": "./dist/production/dom-export.mjs" },
  "./internal/*": null,
  "./features/secret.js": null } }
//- packages/core/src/index.ts
import "@acme/core/jsx";
//- packages/core/src/jsx/index.tsx
//- packages/core/src/features/a.ts
//- packages/core/dom-export.ts
//- packages/core/src/features/secret.ts
//- packages/core/src/internal/x.ts
//- packages/old/package.json
{ "name": "old", "main": "lib/main.js", "types": "lib/main.d.ts" }
//- packages/old/src/main.ts
//- packages/old/src/extra.ts
//- packages/bare/package.json
{ "name": "bare" }
//- packages/bare/index.js
//- packages/hidden/package.json
{ "name": "hidden" }
//- packages/hidden/index.js
//- fixtures/react/package.json
{ "name": "react" }
//- fixtures/react/index.js
//- packages/app/package.json
{ "name": "app" }
//- packages/app/src/main.ts
import "@acme/core";
import "@acme/core/features/a.js";
import "@acme/core/dom";
import "@acme/core/features/secret.js";
import "@acme/core/internal/x";
import "old";
import "old/src/extra";
import "bare";
import "hidden";
import "react";
import "fs";
import "node:path";
import "https://example.org/x.js";
`,
    `
packages/app/src/main.ts -> packages/bare/index.js
packages/app/src/main.ts -> packages/core/dom-export.ts
packages/app/src/main.ts -> packages/core/src/features/a.ts
packages/app/src/main.ts -> packages/core/src/index.ts
packages/app/src/main.ts -> packages/old/src/extra.ts
packages/app/src/main.ts -> packages/old/src/main.ts
packages/core/src/index.ts -> packages/core/src/jsx/index.tsx
`,
  );

  checkEdges(
    "of pnpm, of links and of the enclosing package are found",
    `
//- pnpm-workspace.yaml
catalog:
  - not/this
packages:
  # comment
  - 'libs/**'
  - "!**/old"  # gone
other:
  - tools
//- libs/x/y/package.json
{ "name": "y" }
//- libs/x/y/index.ts
//- libs/old/package.json
{ "name": "old" }
//- libs/old/index.ts
//- tools/package.json
{ "name": "tools", "dependencies": { "near": "file:../near" } }
//- tools/index.ts
import "y";
import "old";
import "near";
import "self";
//- near/package.json
{ "name": "near", "source": "start.ts" }
//- near/start.ts
//- package.json
{ "name": "self", "exports": "./src/self.ts" }
//- src/self.ts
`,
    `
tools/index.ts -> libs/x/y/index.ts
tools/index.ts -> near/start.ts
tools/index.ts -> src/self.ts
`,
  );

  checkEdges(
    "can have private names",
    `
//- package.json
{ "imports": { "#db": { "node": "./src/db.ts", "default": "left-pad" }, "#util/*": "./src/util/*.ts" } }
//- src/main.ts
import "#db";
import "#util/text";
import "#none";
//- src/db.ts
//- src/util/text.ts
`,
    `
src/main.ts -> src/db.ts
src/main.ts -> src/util/text.ts
`,
  );

  checkEdges(
    "can be private names of another package",
    `
//- package.json
{ "workspaces": ["lib", "app"] }
//- lib/package.json
{ "name": "@acme/lib", "exports": { ".": "./main.ts", "./*": "./parts/*.ts" } }
//- lib/main.ts
//- lib/parts/text.ts
//- app/package.json
{ "imports": { "#lib": "@acme/lib", "#lib/*": "@acme/lib/*", "#fs": { "node": "fs", "default": "./fs.ts" }, "#loop": "#loop" } }
//- app/main.ts
import "#lib";
import "#lib/text";
import "#fs";
import "#loop";
//- app/fs.ts
`,
    `
app/main.ts -> app/fs.ts
app/main.ts -> lib/main.ts
app/main.ts -> lib/parts/text.ts
`,
  );

  checkEdges(
    "prefer general conditions to platform conditions, and give require its own file",
    `
//- package.json
{ "name": "self", "imports": { "#engine": { "workerd": "./edge.ts", "default": "./plain.ts" } }, "exports": {
  "./both": { "browser": "./page.js", "import": "./both.mjs", "require": "./both.cjs" },
  "./own": { "types": "./own.d.ts", "@acme/source": "./own.ts", "default": "./dist/own.js" } } }
//- use.mjs
import "#engine";
import "self/both";
import "self/own";
//- old.cjs
const both = require("self/both");
//- edge.ts
//- plain.ts
//- page.js
//- both.mjs
//- both.cjs
//- own.d.ts
//- own.ts
`,
    `
old.cjs -> both.cjs
use.mjs -> both.mjs
use.mjs -> own.ts
use.mjs -> plain.ts
`,
  );
});
