/** What is read lies below the root, even while another process swaps a folder on the way for a link. */
import { expect, test } from "bun:test";
import { closeSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  filesInside,
  idOf,
  inCheckedFolder,
  inFolder,
  openChecked,
  openFileInside,
} from "../../../src/source/files/open-inside.ts";
import { readFile, readingInTurn } from "../../../src/source/files/read-file.ts";
import { NO_INDEX } from "../../../src/source/revisions/git-index.ts";
import { openWorkTree } from "../../../src/source/revisions/work-tree.ts";
import { listedFileReader, listFiles } from "../../../src/source/walk/sandboxed-reader.ts";
import { walkTree } from "../../../src/source/walk/tree.ts";
import { startSwapper } from "../../support/swapper.ts";
import { temporaryFolder } from "../fixture.ts";

const OUTSIDE = "from outside";
const SIGNAL = new AbortController().signal;

/** Runs `attempt` while `a/dir` is swapped, `least` times and until it succeeded and failed often; returns everything that it read. */
async function whileSwapping(
  least: number,
  attempt: (root: string, outside: string) => Promise<string | null>,
): Promise<ReadonlySet<string>> {
  using outside = temporaryFolder({ "dir/f": OUTSIDE, "dir/outside-name": OUTSIDE });
  symlinkSync(OUTSIDE, join(outside.path, "dir/link"));
  using folder = temporaryFolder({ "a/dir/f": "inside" });
  symlinkSync("inside", join(folder.path, "a/dir/link"));
  const read = new Set<string>();
  await using swapper = await startSwapper(join(folder.path, "a/dir"), join(outside.path, "dir"));
  for (let done = 0, succeeded = 0, failed = 0; done < least || succeeded < 30 || failed < 30; done++) {
    const text = await attempt(folder.path, outside.path);
    if (text === null) failed++;
    else {
      succeeded++;
      read.add(text);
    }
  }
  expect(await swapper.stop()).toBeGreaterThan(200);
  return read;
}

test("a file that is read while a folder is swapped", async () => {
  const read = await whileSwapping(2_000, async (root) => {
    const file = readFile(root, "a/dir/f", 100);
    return file.kind === "bytes" ? Buffer.from(file.bytes).toString() : null;
  });
  expect([...read]).toEqual(["inside"]);
});

test("files that are read in turn while their folder is swapped", async () => {
  const read = await whileSwapping(2_000, async (root) =>
    readingInTurn(root, new Uint8Array(100), (readOne) => {
      const texts = ["a/dir/f", "a/dir/f", "a/dir/g"].flatMap((path) => {
        const file = readOne(path, 100);
        return file.kind === "bytes" ? [Buffer.from(file.bytes).toString()] : [];
      });
      // Whatever the first one says, the second one has the same folder.
      return texts.length === 0 ? null : [...new Set(texts)].join();
    }),
  );
  expect([...read]).toEqual(["inside"]);
});

test("a file that was listed while its folder was swapped", async () => {
  const read = await whileSwapping(2_000, async (root, outside) => {
    const stat = statSync(join(outside, "dir/f"));
    const listed = { path: "a/dir/f", sizeBytes: stat.size, modifiedMs: 0, id: idOf(stat) };
    const inside = statSync(join(root, "a/dir/f"), { throwIfNoEntry: false });
    const texts = [listed, { ...listed, id: inside === undefined ? "" : idOf(inside) }].map((file) => {
      const part = listedFileReader(root)(file, { bytesMax: 100, of: "head" });
      return part.kind === "bytes" ? Buffer.from(part.head).toString() : null;
    });
    return texts[0] ?? texts[1] ?? null;
  });
  expect([...read]).toEqual(["inside"]);
});

test("files that are listed while a folder is swapped", async () => {
  const read = await whileSwapping(100, async (root) => {
    const ways = { under: ["a/dir"], ignore: null, without: [], isWanted: () => true, signal: SIGNAL };
    const { files } = await listFiles(root, ways);
    return files.map(({ path }) => path).join() || null;
  });
  expect([...read]).toEqual(["a/dir/f"]);
});

test("a folder that is listed while it is swapped", async () => {
  const read = await whileSwapping(100, async (root) => {
    const { files } = await walkTree(root, { readTracked: async () => null });
    // A listing may have the folder under both names.
    return [...new Set([...files].map(({ path }) => path.replace(/^a\/dir[^/]*\//, "")))].join() || null;
  });
  expect([...read]).toEqual(["f"]);
});

test("the target of a link whose folder is swapped", async () => {
  const read = await whileSwapping(2_000, async (root) => {
    const folders = { kind: "found", folder: root, commonFolder: root } as const;
    const known = { folders, settings: [], index: NO_INDEX, submodules: new Map(), hashChars: 40 };
    const content = openWorkTree(root, known).content("a/dir/link", { mode: "120000", hash: "" });
    return "text" in content && content.text !== "" ? content.text : null;
  });
  expect([...read]).toEqual(["inside"]);
});

function openInTurn(root: string, path: string): ReturnType<typeof openFileInside> {
  const files = filesInside(root);
  try {
    // The folder is opened for the first, and known for the second.
    closeSync(files.open(path).descriptor);
    return files.open(path);
  } finally {
    files.close();
  }
}

/** With the path of an opened handle, and without, as where there is no `/proc`. */
const ways = [
  { name: "by handle", open: openFileInside, within: inFolder },
  { name: "in turn", open: openInTurn, within: inFolder },
  { name: "by path", open: openChecked, within: inCheckedFolder },
] as const;

test.each(ways)("$name: links, other kinds of entries and replaced folders are refused", ({ open, within }) => {
  using outside = temporaryFolder({ "dir/f": OUTSIDE });
  using folder = temporaryFolder({ "a/dir/f": "inside", "a/other/f": "inside" });
  symlinkSync(join(outside.path, "dir"), join(folder.path, "a/link"));
  symlinkSync("other", join(folder.path, "a/near"));
  symlinkSync("dir/f", join(folder.path, "a/file"));
  Bun.spawnSync(["mkfifo", join(folder.path, "a/pipe")]);
  const { descriptor, stat } = open(folder.path, "a/dir/f");
  expect([readFileSync(descriptor, "utf8"), stat.size]).toEqual(["inside", 6]);
  closeSync(descriptor);
  for (const path of ["a/link/f", "a/near/f", "a/file", "a/pipe", "a/dir", "a/missing", "missing/f"])
    expect(() => open(folder.path, path)).toThrow();
  expect(within(folder.path, "a/dir", (place) => readdirSync(place))).toEqual(["f"]);
  expect(within(folder.path, "", (place) => readdirSync(place))).toEqual(["a"]);
  for (const path of ["a/link", "a/near", "a/dir/f", "a/pipe", "missing"])
    expect(() => within(folder.path, path, (place) => readdirSync(place))).toThrow();
  const swapped = (): readonly string[] =>
    within(folder.path, "a/dir", (place) => {
      renameSync(join(folder.path, "a/dir"), join(folder.path, "a/kept"));
      symlinkSync(join(outside.path, "dir"), join(folder.path, "a/dir"));
      return [readFileSync(join(place, "f"), "utf8")];
    });
  if (within === inFolder) expect(swapped()).toEqual(["inside"]);
  else expect(swapped).toThrow();
});
