/** Users of what a changed header declares: their references lead to the definition. */
import { expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const world = shared(
  await indexed({
    "os.h":
      '#pragma once\nnamespace os {\nbool open_file(const char* name);\nint pid();\n}\n#ifdef ALONE\n#include "os-inl.h"\n#endif\n',
    "os-inl.h":
      '#include "os.h"\nnamespace os {\nbool open_file(const char* name) { return name; }\nint pid() { return 4; }\n}\n',
    "cart.h": "#pragma once\nclass Cart {\n public:\n  void add(int n);\n};\n",
    "cart.cc": '#include "cart.h"\nvoid Cart::add(int n) {}\n',
    "other.cc": "namespace os {\nbool open_file(const char* name) { return false; }\n}\n",
    "checkout.cc":
      '#include "cart.h"\n#include "os.h"\nint checkout(int n) {\n  Cart cart;\n  cart.add(n);\n  return os::open_file("log");\n}\n',
  }),
);

const reasons = async (changed: string): Promise<readonly string[]> => {
  const run = await world.run("review", { constraints: { ...NO_CONSTRAINTS, changed: [changed] } });
  return run.pkg.provenance.symbols.map(({ path, qualified_name, why }) => `${path}:${qualified_name} (${why})`);
};

test("a review of a declaration in a header shows what uses the definition", async () => {
  const all = await reasons("os.h:os.open_file");
  expect(all).toContain("os.h:os.open_file (was changed)");
  expect(all).toContain("checkout.cc:checkout (uses os.open_file, which was changed)");
  expect(all.join()).not.toContain("other.cc");
  expect(all.join()).not.toContain("os.pid");
});

test("and so does one of a member that its class declares", async () => {
  expect(await reasons("cart.h:Cart.add")).toContain("checkout.cc:checkout (uses Cart.add, which was changed)");
});
