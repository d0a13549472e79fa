/** Entries of npm packages that only a build makes. */
import { checkEdges } from "./imports-check.ts";

checkEdges(
  "an entry that a build makes leads to its source, and from TypeScript to written declarations",
  `
//- package.json
{ "name": "self", "source": "src/index.js", "module": "dist/self.mjs", "exports": {
  ".": { "types": "./src/index.d.ts", "default": "./dist/self.mjs" },
  "./hooks": { "types": "./hooks/src/index.d.ts", "import": "./hooks/dist/hooks.mjs", "require": "./hooks/dist/hooks.js" },
  "./tools": { "types": "./tools.d.ts", "default": "./dist/tools.js" },
  "./other": { "types": "./other.d.ts", "default": "./dist/made-of-many.js" },
  "./style": "./hooks/dist/hooks.css" } }
//- src/index.js
//- src/index.d.ts
//- src/tools.js
//- tools.d.ts
//- other.d.ts
//- hooks/package.json
{ "name": "self-hooks", "source": "src/main.js", "main": "./dist/hooks.js", "exports": { ".": { "import": "./dist/hooks.mjs" } } }
//- hooks/src/main.js
//- hooks/src/index.d.ts
//- test/a.test.jsx
import "self";
import "self/hooks";
import "self/tools";
import "self/other";
import "self/style";
//- test/b.test.tsx
import "self";
import "self/hooks";
import "self/tools";
//- test/built.test.js
import "../dist/self.mjs";
import "../hooks/dist/hooks.js";
`,
  `
test/a.test.jsx -> hooks/src/main.js
test/a.test.jsx -> other.d.ts
test/a.test.jsx -> src/index.js
test/a.test.jsx -> src/tools.js
test/b.test.tsx -> hooks/src/index.d.ts
test/b.test.tsx -> src/index.d.ts
test/b.test.tsx -> tools.d.ts
test/built.test.js -> hooks/src/main.js
test/built.test.js -> src/index.js
`,
);
