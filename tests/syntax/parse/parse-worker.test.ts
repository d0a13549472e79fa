/** The parse worker as a thread of a process: whatever a grammar is, standard output stays the command's own. */
import { expect, test } from "bun:test";

/** A library of WebAssembly that has no grammar in it. */
const NO_GRAMMAR = [0, 97, 115, 109, 1, 0, 0, 0, 0, 15, 8, ...Buffer.from("dylink.0"), 1, 4, 0, 0, 0, 0];

const PROGRAM = `
const { PYTHON_GRAMMAR } = await import("./src/languages/python/syntax.ts");
const { moduleOf, RUNTIME_PATH } = await import("./src/syntax/parse/wasm-modules.ts");
const worker = new Worker("./src/syntax/parse/parse-worker.ts");
const none = new WebAssembly.Module(new Uint8Array(${JSON.stringify(NO_GRAMMAR)}));
worker.addEventListener("message", ({ data }) => {
  if (data.kind === "ready") {
    const { wasm } = PYTHON_GRAMMAR;
    const modules = [{ path: RUNTIME_PATH, module: moduleOf(RUNTIME_PATH) }, { path: wasm, module: none }];
    worker.postMessage({ text: "x = 1", language: "python", problem: null, workMax: 1e9, isFresh: true, factsMax: 9, modules });
  } else {
    process.stderr.write("answered " + data.kind);
    worker.terminate();
  }
});
`;

test("an invalid grammar is reported on standard error", async () => {
  const run = Bun.spawn([process.execPath, "-e", PROGRAM], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  expect(stderr).toContain("Couldn't find language function");
  expect(stderr).toContain("answered broken");
  expect(stdout).toBe("");
});
