/** The archive contains the licence of all code in the binary; missing licences are reported. */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependencies } from "../../package.json";
import { bundledPackages, licensedNames, licensedPackages, noticesPage } from "../../scripts/release/licences.ts";
import { writeRuntime } from "../../scripts/release/runtimes.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { runnerOf } from "../../scripts/release/try-out.ts";
import { tempFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dir, "../..");

test("every dependency and every grammar package has a licence text", () => {
  const names = licensedPackages(ROOT).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(dependencies), "@vscode/tree-sitter-wasm", "tree-sitter-json"]),
  );
  expect(names).not.toContain("typescript");
  const page = noticesPage(ROOT);
  for (const words of ["Bun runtime", "SQLite", "commander 15", "JavaScriptCore", "zod "])
    expect(page).toContain(words);
});

test("a package without a licence stops the release by name; a text in our folder fixes it", () => {
  using folder = tempFolder();
  const packages = { "": {}, "node_modules/@a/bare": { version: "1.0.0" }, "node_modules/tool": { dev: true } };
  writeFileSync(join(folder.path, "package-lock.json"), JSON.stringify({ packages }));
  mkdirSync(join(folder.path, "node_modules/@a/bare"), { recursive: true });
  mkdirSync(join(folder.path, "node_modules/tool"));
  const texts = join(folder.path, "texts");
  const message = `no licence text for @a/bare; add one to ${texts}`;
  expect(() => licensedPackages(folder.path, texts)).toThrow(new Error(message));
  mkdirSync(texts);
  writeFileSync(join(texts, "@a+bare.txt"), "as you like\n");
  expect(licensedPackages(folder.path, texts)).toEqual([
    { name: "@a/bare", version: "1.0.0", licence: "not named", text: "as you like" },
  ]);
});

test("the source maps of a build name the packages in it", () => {
  const map =
    '{"sources":["src/a.ts","node_modules/zod/v4/core.js","node_modules/@a/b/node_modules/@c/d/x.js","../zod.ts"]}';
  expect(bundledPackages([map])).toEqual(["@a/b", "@c/d", "zod"]);
});

test("bundled copies are listed with their version, and each has a licence text", () => {
  const region = "//#region ../../node_modules/.pnpm/";
  expect(
    bundledPackages([
      `"${region}ajv-formats@3.0.1_ajv@8.18.0/node_modules/ajv-formats/dist/a.js"`,
      `"${region}@a+b@1.0.0/node_modules/@a/b/x.js" and "node_modules/zod/x.js"`,
    ]),
  ).toEqual(["@a/b@1.0.0", "ajv-formats@3.0.1", "zod"]);
  const sdk = join(ROOT, "node_modules/@modelcontextprotocol/server/dist");
  const copies = bundledPackages(
    readdirSync(sdk)
      .filter((name) => /^(?:ajvProvider|src)-.*\.mjs$/.test(name))
      .map((name) => readFileSync(join(sdk, name), "utf8")),
  );
  expect(copies.length).toBeGreaterThan(3);
  expect(copies.filter((name) => !licensedNames(ROOT).has(name))).toEqual([]);
  for (const name of copies) expect(noticesPage(ROOT)).toContain(name.replace(/(?<=.)@/, " "));
});

test("every runtime is pinned by integrity, and a different one is refused", () => {
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  for (const { runtime } of TARGETS) expect(lock).toContain(`"node_modules/${runtime}"`);
  using folder = tempFolder();
  const [target] = TARGETS;
  if (target === undefined) throw new Error("there are no targets");
  const packages = { [`node_modules/${target.runtime}`]: { version: "1.0.0", integrity: "sha512-x" } };
  writeFileSync(join(folder.path, "package-lock.json"), JSON.stringify({ packages }));
  mkdirSync(join(folder.path, "dist/runtimes"), { recursive: true });
  writeFileSync(join(folder.path, "dist/runtimes/oven-bun-linux-x64-1.0.0.tgz"), "not it");
  expect(() => writeRuntime(folder.path, target, folder.path)).toThrow("does not match package-lock.json");
});

test("a binary is tried if the machine can run it; otherwise the reason is given", () => {
  const here = (programs: readonly string[], files: readonly string[] = []) => ({
    system: "linux",
    processor: "x64",
    which: (name: string) => (programs.includes(name) ? `/bin/${name}` : null),
    exists: (path: string) => files.includes(path),
  });
  const tried = (name: string, place: ReturnType<typeof here>) => {
    const target = TARGETS.find((one) => one.name === name);
    return target === undefined ? "no such target" : runnerOf(target, place);
  };
  expect(tried("linux-x64", here([]))).toEqual([]);
  expect(tried("linux-arm64", here([]))).toBe("it needs qemu-aarch64");
  expect(tried("linux-arm64", here(["qemu-aarch64-static"]))).toEqual(["/bin/qemu-aarch64-static"]);
  expect(tried("linux-arm64", here(["qemu-aarch64"], ["/usr/aarch64-linux-gnu/lib/libc.so.6"]))).toEqual([
    "/bin/qemu-aarch64",
    "-L",
    "/usr/aarch64-linux-gnu",
  ]);
  expect(tried("linux-x64-musl", here([]))).toBe("it needs /lib/ld-musl-x86_64.so.1");
  expect(tried("linux-x64-musl", here([], ["/lib/ld-musl-x86_64.so.1", "/etc/alpine-release"]))).toEqual([]);
  expect(tried("windows-x64", here([]))).toBe("it is for Windows");
});
