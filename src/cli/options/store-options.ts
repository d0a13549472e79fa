/** The options that go with the address of a team's store. */
import type { FromStoreRequest } from "../../app/indexing/index-repository.ts";
import type { Option } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

export const BUCKET: Option = {
  flag: "--bucket",
  value: "address",
  summary: "bucket that holds the store's chunks, as s3://bucket/folder",
};

/** Where the chunks lie, and what the repository is called. */
export const STORE_OPTIONS: readonly Option[] = [
  { flag: "--name", value: "name", summary: "name of the repository in the store, by default from its remote" },
  BUCKET,
];

/** The store that an option names; undefined without it. */
export function storeRequest(values: Values, flag: "--from" | "--to"): Omit<FromStoreRequest, "share"> | undefined {
  const address = values.text(flag);
  return address === undefined
    ? undefined
    : { store: { address, bucket: values.text("--bucket"), flag }, name: values.text("--name") };
}

/** How long giving back the lease of a job may take. */
export const LEASE_RETURN_MS = 2_000;
