/** Objects are read without git as git reads them, and hostile ones within limits. */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { isTooLarge } from "../../../src/source/git/inflate.ts";
import { expandHash, isMissingObject, openObjectStore, readObject } from "../../../src/source/git/object-store.ts";
import { shared } from "../../support/shared.ts";
import { git, temporaryFolder } from "../fixture.ts";
import { copies, deltaSize, oidOf, type PackedEntry, writePack } from "./packed-objects.ts";

const foldersOf = (folder: string) => ({ kind: "found", folder, commonFolder: folder }) as const;
const MIB = 1024 * 1024;

describe("what git wrote", () => {
  const repo = shared(temporaryFolder());
  git(repo.path, ["init", "--quiet"]);
  const lines = Array.from({ length: 400 }, (_, line) => `line ${line} ${oidOf(line)}`);
  for (let version = 0; version < 40; version++) {
    writeFileSync(join(repo.path, "long.txt"), lines.with(version * 7, `changed ${version}`).join("\n"));
    writeFileSync(join(repo.path, "empty"), "");
    git(repo.path, ["add", "."]);
    git(repo.path, ["commit", "--quiet", "-m", `Version ${version}`]);
  }
  git(repo.path, ["tag", "-a", "v1", "-m", "One"]);
  const all = git(repo.path, ["cat-file", "--batch-all-objects", "--batch-check"]).trim().split("\n");
  const types = { commit: "commit", tree: "tree", blob: "blob", tag: "tag" } as const;
  const contents = async () => {
    const store = openObjectStore(foldersOf(join(repo.path, ".git")));
    const found: string[] = [];
    for (const line of all) {
      const [oid = "", type = ""] = line.split(" ");
      const known = Object.values(types).find((one) => one === type) ?? "blob";
      const content = await readObject(store, oid, known);
      expect(createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex")).toBe(oid);
      expect(expandHash(store, oid.slice(0, 12))).toBe(oid);
      found.push(line);
    }
    const error = await readObject(store, oidOf(0), "blob").catch((thrown: unknown) => thrown);
    expect(isMissingObject(error)).toBe(true);
    expect(expandHash(store, "ffff")).toBeNull();
    store.close();
    return found.length;
  };
  test("is read loose, packed by offset, packed by hash, and in several packs", async () => {
    expect(await contents()).toBe(all.length);
    git(repo.path, ["repack", "--quiet", "-a", "-d", "-f", "--depth=200", "--window=50"]);
    expect(await contents()).toBe(all.length);
    git(repo.path, ["-c", "repack.useDeltaBaseOffset=false", "repack", "--quiet", "-a", "-d", "-f"]);
    expect(await contents()).toBe(all.length);
  });
  test("changed bytes of pack and index give an error or another content, never more", async () => {
    git(repo.path, ["repack", "--quiet", "-a", "-d", "-f"]);
    const folder = join(repo.path, ".git/objects/pack");
    const names = readdirSync(folder).filter((name) => /\.(pack|idx)$/.test(name));
    const whole = names.map((name) => readFileSync(join(folder, name)));
    const change = fc.record({ file: fc.nat(1), at: fc.nat(100_000), byte: fc.nat(255) });
    const oids = all.map((line) => line.slice(0, 40));
    const attempt = async (changes: readonly { file: number; at: number; byte: number }[]): Promise<void> => {
      using other = temporaryFolder();
      mkdirSync(join(other.path, "objects/pack"), { recursive: true });
      for (const [file, name] of names.entries()) {
        const bytes = Buffer.from(whole[file] ?? []);
        for (const one of changes) if (one.file === file) bytes[one.at % bytes.length] = one.byte;
        writeFileSync(join(other.path, "objects/pack", name), bytes);
      }
      const store = openObjectStore(foldersOf(other.path));
      for (const oid of oids) {
        const found = await readObject(store, oid, "blob").catch((error: unknown) => error);
        if (!(found instanceof Uint8Array)) expect(found).toBeInstanceOf(Error);
      }
      store.close();
    };
    const changes = fc.array(change, { minLength: 1, maxLength: 8 });
    await fc.assert(fc.asyncProperty(changes, attempt), { seed: 11, numRuns: 30 });
  });
});

describe("hostile objects", () => {
  const oid = oidOf(0);
  const blob = (content: Uint8Array, size?: number): PackedEntry => ({
    oid,
    kind: "blob",
    content,
    ...(size === undefined ? {} : { size }),
  });
  const zeros = Buffer.alloc(16 * MIB);
  const chain = (length: number, kind: "offset" | "hash"): readonly PackedEntry[] => [
    { oid: oidOf(length), kind: "blob", content: zeros },
    ...Array.from({ length }, (_, at) => ({
      oid: oidOf(length - 1 - at),
      kind,
      content: copies(16 * MIB, 8 * MIB, 2),
      base: at,
    })),
  ];
  /** Each needs the one before; the first needs the last. */
  const circle: readonly PackedEntry[] = [0, 1, 2].map((at) => ({
    oid: oidOf(at),
    kind: "hash",
    content: Buffer.from([0, 0]),
    base: (at + 2) % 3,
  }));
  const failing: readonly (readonly [string, readonly PackedEntry[]])[] = [
    ["unpacks to 100 MiB and says so", [blob(Buffer.alloc(100 * MIB))]],
    ["unpacks to 100 MiB and claims one byte", [blob(Buffer.alloc(100 * MIB), 1)]],
    ["claims 2^60 bytes", [blob(Buffer.from("x"), 2 ** 50)]],
    ["claims more than it has", [blob(Buffer.from("x"), 900)]],
    ["is a delta to 2 GiB", [{ ...blob(copies(16 * MIB, 16 * MIB - 1, 128)), kind: "offset", base: 1 }]],
    ["has 40 deltas of 16 MiB by offset", chain(40, "offset")],
    ["has 40 deltas of 16 MiB by hash", chain(40, "hash")],
    ["has deltas in a circle", circle],
    ["is its own base", [{ ...blob(Buffer.from([0, 0])), kind: "hash", base: 0 }]],
    ["has a base that is not there", [{ ...blob(Buffer.from([0, 0])), kind: "hash", base: 9 }]],
    ["copies from behind its base", deltaOn(Buffer.concat([deltaSize(5), deltaSize(5), Buffer.from([0x91, 3, 5])]))],
    ["copies to behind its end", deltaOn(Buffer.concat([deltaSize(5), deltaSize(1), Buffer.from([0x90, 5])]))],
    ["is a delta that ends early", deltaOn(Buffer.concat([deltaSize(5), deltaSize(9), Buffer.from([0x90])]))],
    ["is a delta with a reserved command", deltaOn(Buffer.concat([deltaSize(5), deltaSize(5), Buffer.from([0])]))],
    ["is an empty delta", deltaOn(Buffer.alloc(0))],
  ];
  function deltaOn(content: Uint8Array): readonly PackedEntry[] {
    return [
      { oid: oidOf(1), kind: "blob", content: Buffer.from("12345") },
      { oid, kind: "offset", content, base: 0 },
    ];
  }
  test.each(failing)("one that %s is refused", async (_name, entries) => {
    using folder = temporaryFolder();
    writePack(folder.path, entries);
    const store = openObjectStore(foldersOf(folder.path));
    const error = await readObject(store, oid, "blob").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    store.close();
  });
  test("a delta within the limits is applied", async () => {
    using folder = temporaryFolder();
    writePack(folder.path, [
      { oid: oidOf(1), kind: "blob", content: zeros },
      { ...blob(copies(16 * MIB, 8 * MIB, 2)), kind: "offset", base: 0 },
    ]);
    const store = openObjectStore(foldersOf(folder.path));
    expect((await readObject(store, oid, "blob")).length).toBe(16 * MIB);
    store.close();
  });
  test("a loose object that unpacks to too much is too large", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "objects", oid.slice(0, 2)), { recursive: true });
    const bytes = deflateSync(Buffer.concat([Buffer.from(`blob ${100 * MIB}\0`), Buffer.alloc(100 * MIB)]));
    writeFileSync(join(folder.path, "objects", oid.slice(0, 2), oid.slice(2)), bytes);
    const store = openObjectStore(foldersOf(folder.path));
    const error = await readObject(store, oid, "blob").catch((thrown: unknown) => thrown);
    expect(isTooLarge(error)).toBe(true);
    store.close();
  });
});
