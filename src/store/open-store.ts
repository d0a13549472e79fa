/**
 * The door to a team's store on PostgreSQL: facts by content, indexes and trees by commit, grants of tokens, jobs.
 *
 * It stores and locks, and never scores. Nothing that comes out of it is trusted here: whoever uses it checks it against contents
 * (`db/curated/portable/portable-index.ts`, `db/export/packed-facts.ts`).
 */
import type { Variables } from "../config/variables.ts";
import { Failed } from "../failure.ts";
import { readStoreAddress, type StoreAddress, shownStoreAddress } from "./address.ts";
import { type BlobStore, blobStore } from "./blobs.ts";
import { type Bucket, openBucket } from "./bucket.ts";
import { type Connection, connect } from "./connection.ts";
import { type FactsStore, factsStore } from "./facts.ts";
import { type GrantStore, grantStore } from "./grants.ts";
import { type JobStore, jobStore } from "./jobs.ts";
import { storePassword } from "./password.ts";
import { checkVersion } from "./schema.ts";
import { type SnapshotStore, snapshotStore } from "./snapshots.ts";
import { type Pruned, type PruneRule, pruneStore, type StoreUse, storeUses } from "./upkeep.ts";

export type Store = {
  /** Its address without password. */
  readonly shown: string;
  /** Whether everything is encrypted on the way, or stays on this machine. */
  readonly isPrivate: boolean;
  readonly facts: FactsStore;
  readonly blobs: BlobStore;
  readonly snapshots: SnapshotStore;
  readonly grants: GrantStore;
  readonly jobs: JobStore;
  uses(): Promise<readonly StoreUse[]>;
  prune(rule: PruneRule): Promise<Pruned>;
  close(): Promise<void>;
};

/** `address` and `bucket` as typed; `variables` of the environment hold the password and the keys. */
type StoreRequest = {
  readonly address: string;
  readonly bucket?: string | undefined;
  /** Sends also what is there and replaces it, as it may be damaged. */
  readonly overwrites?: boolean;
  /** Where the address was typed, for messages: `--from`. */
  readonly flag: string;
  readonly variables: Variables;
};

/**
 * Opens a store of this cra's version. `extractor` names the facts that are read and written (`EXTRACTOR`). Throws a usage failure for an
 * address that cannot be used, `store-unavailable`, and `store-refused` for a store of another version.
 */
export async function openStore(request: StoreRequest, extractor: string, signal: AbortSignal): Promise<Store> {
  const bucket = request.bucket === undefined ? null : openBucket(request.bucket, request.variables);
  const connection = openConnection(request, signal);
  try {
    await checkVersion(connection);
    return storeOn(connection, addressOf(request), { bucket, extractor, overwrites: request.overwrites === true });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Connects without asking for a store, to create one. */
export function openConnection(request: StoreRequest, signal: AbortSignal): Connection {
  const address = addressOf(request);
  return connect(address, storePassword(address, request.variables), signal);
}

function addressOf({ address: typed, flag, variables }: StoreRequest): StoreAddress {
  const read = readStoreAddress(typed, variables.PGUSER);
  if (read.ok) return read.address;
  throw new Failed({ code: "usage", message: `${flag}: ${shownStoreAddress(typed)} ${read.why}`, next: read.next });
}

function storeOn(
  connection: Connection,
  { shown, isLocal, encryption }: StoreAddress,
  {
    bucket,
    extractor,
    overwrites,
  }: { readonly bucket: Bucket | null; readonly extractor: string; readonly overwrites: boolean },
): Store {
  const blobs = blobStore(connection, bucket, overwrites);
  const snapshots = snapshotStore(connection);
  return {
    shown,
    isPrivate: isLocal || encryption !== "off",
    facts: factsStore(connection, extractor, overwrites),
    blobs,
    snapshots,
    grants: grantStore(connection),
    jobs: jobStore(connection, extractor),
    uses: () => storeUses(connection),
    prune: (rule) => pruneStore(connection, { blobs, snapshots, bucket }, rule),
    close: () => connection.close(),
  };
}
