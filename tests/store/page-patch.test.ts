/** Patches of chunks: a chunk comes back from them, and nothing else is taken for one. */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { CHUNK_BYTES } from "../../src/store/blobs.ts";
import { evenChunks } from "../../src/store/cut-chunks.ts";
import { openConnection, openStore } from "../../src/store/open-store.ts";
import { PATCHABLE_BYTES, pageHashes, patched, patchOf } from "../../src/store/page-patch.ts";
import { migrate } from "../../src/store/schema.ts";
import { postgresProblem, sharedPostgres } from "../support/postgres.ts";

const NEVER = new AbortController().signal;
const onPostgres = test.skipIf(postgresProblem !== null);
let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

const PAGE = PATCHABLE_BYTES / 16;
const hashesOf = (chunk: Uint8Array): Uint8Array => pageHashes(chunk) ?? new Uint8Array();

test("a patch of at most twelve pages makes the chunk again", () => {
  const pages = fc.uniqueArray(fc.nat(15), { maxLength: 16 });
  fc.assert(
    fc.property(pages, fc.nat(255), (changed, byte) => {
      const other = new Uint8Array(PATCHABLE_BYTES).fill(byte);
      const chunk = other.slice();
      for (const page of changed) chunk[page * PAGE + 7] = byte + 1;
      const patch = patchOf(chunk, hashesOf(other));
      expect(patch === null).toBe(changed.length > 12);
      if (patch === null) return;
      expect(patch.length).toBe(2 + changed.length * PAGE);
      expect(Buffer.from(patched(other, patch) ?? "").equals(chunk)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("what is no patch, or of another chunk, makes nothing", () => {
  const chunk = new Uint8Array(PATCHABLE_BYTES);
  for (const patch of [[], [1], [1, 0], [0, 0, 0], [255, 255, ...new Uint8Array(PAGE)]])
    expect(patched(chunk, Uint8Array.from(patch))).toBeNull();
  expect(patched(chunk.subarray(1), Uint8Array.of(0, 0))).toBeNull();
  expect([pageHashes(chunk.subarray(1)), patchOf(chunk, new Uint8Array(8))]).toEqual([null, null]);
});

onPostgres(
  "of a database that is stored already only changed pages are sent, and pruning keeps the others",
  async () => {
    const address = await postgres.createDatabase();
    const connection = openConnection({ address, flag: "--at", variables: {} }, NEVER);
    await migrate(connection);
    await connection.close();
    const store = await openStore({ address, flag: "--at", variables: {} }, "x1", NEVER);
    try {
      const before = crypto.getRandomValues(Buffer.alloc(CHUNK_BYTES));
      const earlier = Buffer.concat([before, before.map((byte) => byte + 1), before.subarray(0, PAGE)]);
      const send = async (bytes: Uint8Array, like: Parameters<typeof store.blobs.putDatabase>[1]) => {
        const sent = { chunks: 0, bytes: 0 };
        return { index: await store.blobs.putDatabase(evenChunks(bytes), like, sent), sent };
      };
      const first = await send(earlier, null);
      expect(first.sent.bytes).toBeGreaterThan(2 * CHUNK_BYTES);
      const states = [earlier];
      const names = [first.index];
      for (const page of [3, 30]) {
        const next = Buffer.from(states.at(-1) ?? earlier);
        next.write("changed", page * PAGE);
        const { index, sent } = await send(next, names.at(-1) ?? null);
        expect(sent.chunks).toBe(1);
        expect(sent.bytes).toBeLessThan(2 * PAGE);
        states.push(next);
        names.push(index);
      }
      const read = async (at: number, received = { chunks: 0, bytes: 0 }): Promise<Buffer> => {
        const pieces: Uint8Array[] = [];
        const name = names[at] ?? first.index;
        for await (const piece of store.blobs.get(name, received)) pieces.push(piece);
        return Buffer.concat(pieces);
      };
      for (const [at, state] of states.entries()) expect((await read(at)).equals(state)).toBe(true);
      // Two patches, and each chunk that one is applied to once.
      const received = { chunks: 0, bytes: 0 };
      await read(2, received);
      expect(received.chunks).toBe(5);
      expect(received.bytes).toBeLessThan(first.sent.bytes + 3 * PAGE);
      const [last] = names.slice(-1);
      if (last === undefined) throw new Error("nothing was stored");
      const tree = await store.blobs.put([Buffer.from("")], { chunks: 0, bytes: 0 });
      const chunks = (await store.blobs.chunksOf(last)) ?? [];
      const text = { craVersion: "1", extractor: "x1", configHash: "c", contentHash: "c".repeat(64) };
      const snapshot = { repository: "r", commit: "a".repeat(40), build: "b1", branch: "main", ...text };
      await store.snapshots.publish(
        { ...snapshot, isShallow: false, files: 0, hasTexts: false, index: last, tree },
        { chunks, blobs: [last.hash] },
      );
      for (const table of ["chunks", "blobs"]) await postgres.query(address, `update cra.${table} set used_at = 1`);
      expect(await store.prune({ days: 1, branches: [], repositories: [], dryRun: false })).toMatchObject({ blobs: 2 });
      expect((await read(2)).equals(states[2] ?? earlier)).toBe(true);
      const [base] = await store.blobs.basesOf(chunks);
      await postgres.query(address, `update cra.chunks set base = '${chunks[1]}' where hash = '${base}'`);
      await expect(read(2)).rejects.toThrow("is damaged");
      await postgres.query(address, `delete from cra.chunks where hash = '${base}'`);
      await expect(read(2)).rejects.toThrow("is damaged");
    } finally {
      await store.close();
    }
  },
);

test("the chunk that a patch is applied to stays as it is, for others are patches of it too", () => {
  const before = Buffer.alloc(PATCHABLE_BYTES, 1);
  const patch = patchOf(Buffer.alloc(PATCHABLE_BYTES, 1).fill(2, 0, PAGE), hashesOf(before));
  expect(patched(before, patch ?? new Uint8Array())?.[0]).toBe(2);
  expect(before.every((byte) => byte === 1)).toBe(true);
});
