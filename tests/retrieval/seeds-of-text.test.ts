/** From a task's text to its seeds: what a user names must get in, however the text is laid out. */
import { describe, expect, test } from "bun:test";
import { findAnchors } from "../../src/retrieval/anchors/anchors.ts";
import { pickSeeds } from "../../src/retrieval/scope/seeds.ts";
import { analyzeTask } from "../../src/task/analyze.ts";
import { knowledgeOf } from "../support/knowledge.ts";

const kb = knowledgeOf({
  files: {
    "app/(auth)/login/page.tsx": "",
    LICENSE: "",
    "src/blueprint.py": {
      text: "class Blueprint:\n  # Registers it.\n  def register(self):\n    pass",
      symbols: [
        { name: "Blueprint", kind: "class", lines: [1, 4] },
        { name: "register", kind: "method", lines: [3, 4], doc: 2, parent: 0 },
      ],
    },
    "src/compose.ts": "",
    "src/context.ts": {
      text: "class Context {\n render() {}\n}",
      symbols: [
        { name: "Context", kind: "class", lines: [1, 3] },
        { name: "render", kind: "method", lines: [2, 2], parent: 0 },
      ],
    },
    "src/json.py": { text: "def jsonify(): pass", symbols: [{ name: "jsonify", kind: "function", lines: [1, 1] }] },
    "src/runner.py": { text: "def test(it): pass", symbols: [{ name: "test", kind: "function", lines: [1, 1] }] },
    "src/tree.rs": {
      text: "fn gitignore() {}\nfn log() {}",
      symbols: [
        { name: "gitignore", kind: "function", lines: [1, 1] },
        { name: "log", kind: "function", lines: [2, 2] },
      ],
    },
    "src/utils/body.ts": {
      text: "export const parseBody = () => {}",
      symbols: [{ name: "parseBody", kind: "function", lines: [1, 1] }],
    },
    "src/web/users/index.ts": "",
    "src/大赛.ts": "",
  },
});
const files = kb.files();

/** Seeds as `path symbol symbol`. */
function seedsOf(text: string): readonly string[] {
  const task = analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
  return pickSeeds(findAnchors(task, kb, files), files).seeds.map(({ fileId, symbols }) =>
    [
      files.find(({ id }) => id === fileId)?.path,
      ...kb.symbolsById(symbols).map(({ qualifiedName }) => qualifiedName),
    ].join(" "),
  );
}

const check = (text: string, ...expected: readonly string[]) =>
  test(text.replaceAll("\n", "⏎"), () => expect(seedsOf(text)).toEqual([...expected]));

describe("in any form of line", () => {
  check("Please fix the `parseBody` function in src/utils/body.ts.\n\nIt fails", "src/utils/body.ts parseBody");
  check("Context.render in src/context.ts returns null\n\noften", "src/context.ts Context.render");
  check("Hello, src/compose.ts leaks\n\nreally", "src/compose.ts");
  check("It fails\n\nPlease change parseBody there", "src/utils/body.ts parseBody");
  check("It fails\n\nAffected file: src/compose.ts", "src/compose.ts");
  check("It fails\n\n- [ ] src/compose.ts handles errors", "src/compose.ts");
  check("It fails\n\n## Environment\n\nsee src/compose.ts and parseBody", "src/compose.ts");
});

describe("names in a title", () => {
  check("the `jsonify` helper fails on sets", "src/json.py jsonify");
  check("rename `Context` everywhere", "src/context.ts Context");
  check("Fix the Blueprint class", "src/blueprint.py Blueprint");
  check("class Blueprint: cleanup", "src/blueprint.py Blueprint");
  check("the context of a blueprint");
});

describe("what only looks like a call", () => {
  check("the tests hang\n\n* test(blueprints): wait for it\n* fix(docs): say so");
  check("test(blueprints): wait for it");
  check("two test(s) of the file hang\n\nwhere the render(s) end");
  check("it hangs\n\ntest(blueprints) never returns", "src/runner.py test");
});

describe("members of what a language has", () => {
  check("it fails\n\nand `console.log(x)` prints nothing, nor does console.log() or `console.log`");
  check("`console.log` prints nothing");
  check("it fails\n\nwhere `logger.log(x)` prints nothing", "src/tree.rs log");
  check("it fails\n\nwhere `this.console.log(x)` prints nothing", "src/tree.rs log");
});

describe("ordinary words", () => {
  // in addresses, paths and names of files between backticks
  check("it fails\n\nfor `GET /render/1` and `@render/test`, see `lib/render/test.go` and `render.go`");
  // a command names what it is about
  check("it fails\n\nwhen I call `npm test`", "src/runner.py test");
  check("it fails\n\nbut works without `--render`", "src/context.ts Context.render");
  check("it fails\n\nwhen I call `render`", "src/context.ts Context.render");
  check("it fails\n\n`.render` is not read", "src/context.ts Context.render");
  check("it fails\n\nneither `.log` nor `.gitignore` is read");
});

describe("paths", () => {
  check("fix src/大赛.ts", "src/大赛.ts");
  check("it fails\n\nin `app/(auth)/login/page.tsx`", "app/(auth)/login/page.tsx");
  check("update the LICENSE", "LICENSE");
  check("add src/api/users/index.ts");
  check("add src/api/users/index.ts:12");
});

describe("a line names the innermost symbol", () => {
  for (const place of [
    "src/blueprint.py:4",
    "`src/blueprint.py:2`",
    "src/blueprint.py#L3-L4",
    "src/blueprint.py:3-4.",
    "https://github.com/a/b/blob/main/src/blueprint.py#L4",
    "https://github.com/a/b/edit/main/src/blueprint.py#L4",
    "https://git.example.com/projects/A/repos/b/browse/src/blueprint.py#4",
    "https://git.example.com/projects/A/repos/b/browse/src/blueprint.py?at=refs%2Fheads%2Fmain#3-4",
    "https://dev.azure.com/a/b/_git/b?path=/src/blueprint.py&version=GBmain&line=4&lineEnd=5",
    "https://dev.azure.com/a/b/_git/b?version=GBmain&path=%2Fsrc%2Fblueprint.py&line=4",
    "https://a.googlesource.com/b/+/refs/heads/main/src/blueprint.py#4",
    "https://cs.example.com/a/b/+/main:src/blueprint.py;l=4",
  ]) {
    check(`see ${place}`, "src/blueprint.py Blueprint.register");
  }
  check("see src/blueprint.py:1", "src/blueprint.py Blueprint");
  check("see https://jira.example.com/browse/SHOP-12");
  check("see https://dev.azure.com/a/b/_git/b?path=/src/blueprint.py", "src/blueprint.py");
  check("see src/blueprint.py:400", "src/blueprint.py");
});

describe("a line in words", () => {
  for (const place of [
    "`src/blueprint.py` line 4",
    "`src/blueprint.py`, lines 3-4",
    "`src/blueprint.py` (line 4)",
    "`src/blueprint.py` L4",
    "line 4 of `src/blueprint.py`",
    "lines 3 to 4 in the file `src/blueprint.py`",
    "src/blueprint.py L4",
    "src/blueprint.py (L3-L4)",
    "src/blueprint.py, lines 3-4",
    "**src/blueprint.py** line 4",
    "src/blueprint.py第4行",
    "src/blueprint.py 的第 4 行",
    "src/blueprint.pyの4行目",
    "src/blueprint.py의 4번째 줄",
    "src/blueprint.py, строка 4",
    "src/blueprint.py, Zeile 4",
    "src/blueprint.py ligne 4",
    "src/blueprint.py línea 4",
    "Zeile 4 in src/blueprint.py",
    "строке 4 в src/blueprint.py",
  ])
    check(`it fails\n\nsee ${place}`, "src/blueprint.py Blueprint.register");
  check("it fails\n\nsee `src/blueprint.py`, 4 lines are missing", "src/blueprint.py");
});

describe("the key of a map that has none", () => {
  check("it fails\n\nKeyError: 'register'");
  check('it fails\n\nKeyError: "parseBody"');
  check("it fails\n\nwith `KeyError: 'parseBody'` and KeyError('jsonify')");
  check("it fails\n\ndjango.utils.datastructures.MultiValueDictKeyError: 'parseBody'");
  check("it fails\n\nKeyError: 'web.users'");
  check("it fails\n\ncart.rb:3:in `fetch': key not found: :register (KeyError)");
  check("it fails\n\n** (KeyError) key :register not found in: %{name: 1}");
  check('it fails\n\nErrorException: Undefined array key "parseBody"');
  check("it fails\n\nKeyNotFoundException: The given key 'parseBody' was not present in the dictionary.");
  check("it fails\n\nNoSuchElementException: Key parseBody is missing in the map.");
  // A registry has classes by their names.
  check("it fails\n\nKeyError: 'Blueprint'", "src/blueprint.py Blueprint");
  check("it fails\n\nKeyError: 'Context.render'", "src/context.ts Context Context.render");
  check("it fails\n\nKeyError: 'src/compose.ts'", "src/compose.ts");
  // What an object lacks is a name.
  check(
    "it fails\n\nAttributeError: 'NoneType' object has no attribute 'register'",
    "src/blueprint.py Blueprint.register",
  );
  check(
    "it fails\n\nTypeError: Cannot read properties of undefined (reading 'register')",
    "src/blueprint.py Blueprint.register",
  );
  check("it fails\n\nKeyError: 'register' in parseBody", "src/utils/body.ts parseBody");
});
