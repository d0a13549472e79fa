/**
 * An S3-compatible bucket that holds the chunks of a store, named by the user and never by the store.
 *
 * The keys come from the environment, as other programs read them: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
 * `AWS_REGION`, `AWS_ENDPOINT_URL`.
 */
import { S3Client } from "bun";
import type { Variables } from "../config/variables.ts";
import { Failed } from "../failure.ts";
import { errorCode } from "../text/system-errors.ts";

export type Bucket = {
  readonly shown: string;
  put(hash: string, packed: Uint8Array): Promise<void>;
  /** Null if there is none, or a larger one. */
  get(hash: string, bytesMax: number): Promise<Uint8Array | null>;
  remove(hash: string): Promise<void>;
};

const FORM = /^s3:\/\/(?<name>[a-z0-9][a-z0-9.-]{1,62})(?:\/(?<folder>[A-Za-z0-9_./-]{0,200}))?$/;

/** Opens `s3://bucket/folder`. Throws a usage failure for another address, or without keys. */
export function openBucket(typed: string, variables: Variables): Bucket {
  const form = FORM.exec(typed)?.groups;
  if (form === undefined)
    throw new Failed({
      code: "usage",
      message: "--bucket: not an address of a bucket",
      next: "give one like s3://bucket/folder",
    });
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!accessKeyId || !secretAccessKey)
    throw new Failed({
      code: "usage",
      message: "--bucket: no keys",
      next: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    });
  const { name = "", folder = "" } = form;
  const prefix = folder === "" ? "" : `${folder.replace(/\/+$/, "")}/`;
  const client = new S3Client({
    accessKeyId,
    secretAccessKey,
    bucket: name,
    region: variables.AWS_REGION ?? "us-east-1",
    ...(variables.AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: variables.AWS_SESSION_TOKEN }),
    ...(variables.AWS_ENDPOINT_URL === undefined ? {} : { endpoint: variables.AWS_ENDPOINT_URL }),
  });
  const shown = `s3://${name}/${prefix}`;
  const fileOf = (hash: string) => client.file(`${prefix}chunks/${hash}`);
  return {
    shown,
    put: (hash, packed) => guarded(shown, async () => void (await fileOf(hash).write(packed))),
    get: (hash, bytesMax) =>
      guarded(shown, async () => {
        try {
          const { size } = await fileOf(hash).stat();
          return size > bytesMax ? null : new Uint8Array(await fileOf(hash).arrayBuffer());
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      }),
    remove: (hash) => guarded(shown, () => fileOf(hash).delete()),
  };
}

async function guarded<Result>(where: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const why = `the bucket cannot be used (${errorCode(error) || "no answer"})`;
    throw new Failed({ code: "store-unavailable", where, why, next: "check its address and keys" }, { cause: error });
  }
}

const isMissing = (error: unknown): boolean =>
  ["NoSuchKey", "NotFound", "UnknownError404"].includes(errorCode(error) ?? "");
