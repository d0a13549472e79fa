/** Pruning a store with a bucket while somebody pushes again what is just removed. */
import { beforeAll, expect, test } from "bun:test";
import { blobStore } from "../../src/store/blobs.ts";
import type { Bucket } from "../../src/store/bucket.ts";
import { openConnection } from "../../src/store/open-store.ts";
import { snapshotStore } from "../../src/store/snapshots.ts";
import { pruneStore } from "../../src/store/upkeep.ts";
import { postgresProblem, sharedPostgres } from "../support/postgres.ts";
import { newStore } from "../support/team-store.ts";

const onPostgres = test.skipIf(postgresProblem !== null);

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

onPostgres("a chunk that is pushed again while its object is removed is there afterwards", async () => {
  const address = await newStore(postgres);
  const connect = () => openConnection({ address, flag: "--at", variables: {} }, new AbortController().signal);
  const [owner, writer] = [connect(), connect()];
  const objects = new Map<string, Uint8Array>();
  const bytes = Buffer.from("def one(): return 1\n");
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const transfer = { chunks: 0, bytes: 0 };
  let pushing: Promise<void> | null = null;
  const bucket: Bucket = {
    shown: "s3://team/",
    put: async (name, packed) => void objects.set(name, packed),
    get: async (name) => objects.get(name) ?? null,
    remove: async (name) => {
      pushing ??= blobStore(writer, bucket, false).putSmall([{ hash, bytes }], transfer);
      await Promise.race([pushing, Bun.sleep(200)]);
      objects.delete(name);
    },
  };
  const blobs = blobStore(owner, bucket, false);
  await blobs.putSmall([{ hash, bytes }], transfer);
  await postgres.query(address, "update cra.chunks set used_at = 1");
  const rule = { days: null, branches: [], repositories: [], dryRun: false };
  expect(await pruneStore(owner, { blobs, snapshots: snapshotStore(owner), bucket }, rule)).toMatchObject({
    chunks: 1,
  });
  await pushing;
  expect((await blobs.getSmall([hash], transfer)).get(hash)).toEqual(new Uint8Array(bytes));

  // Without anybody else nothing is left.
  await postgres.query(address, "update cra.chunks set used_at = 1");
  await pruneStore(owner, { blobs, snapshots: snapshotStore(owner), bucket }, rule);
  expect([objects.size, await postgres.query(address, "select 1 from cra.chunks")]).toEqual([0, []]);
  for (const connection of [owner, writer]) await connection.close();
});
