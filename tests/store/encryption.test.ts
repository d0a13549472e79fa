/** Whom cra trusts to be the store: certificates and names are checked, and encryption is not given up silently. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../src/failure.ts";
import { openConnection } from "../../src/store/open-store.ts";
import { storeVersion } from "../../src/store/schema.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { type Postgres, postgresProblem, sharedPostgres, startPostgres } from "../support/postgres.ts";

const openssl = Bun.which("openssl");
const isPossible = postgresProblem === null && openssl !== null;

let folder: TempFolder;
let encrypted: Postgres | undefined;
let plain: Omit<Postgres, "stop"> | undefined;
beforeAll(async () => {
  if (!isPossible) return;
  folder = tempFolder();
  const made = Bun.spawnSync(
    [
      openssl,
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      "key.pem",
      "-out",
      "cert.pem",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost",
    ],
    { cwd: folder.path, stderr: "ignore" },
  );
  if (!made.success) throw new Error("openssl made no certificate");
  const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
  encrypted = await startPostgres({ certificate: read("cert.pem"), key: read("key.pem") });
  plain = await sharedPostgres();
});
afterAll(async () => {
  await encrypted?.stop();
  if (isPossible) folder[Symbol.dispose]();
});

/** Why a server is not used; "" if it is. */
const why = async (
  server: Pick<Postgres, "createDatabase"> | undefined,
  host: string,
  options: string,
): Promise<string> => whyNot(`${(await server?.createDatabase())?.replace("127.0.0.1", host)}?${options}`);

async function whyNot(address: string): Promise<string> {
  try {
    const connection = openConnection({ address, flag: "--at", variables: {} }, new AbortController().signal);
    await storeVersion(connection).finally(() => connection.close());
    return "";
  } catch (error) {
    if (error instanceof Failed) return error.message;
    throw error;
  }
}

test.skipIf(!isPossible)("a certificate has to be signed by a trusted authority, and to be for the host", async () => {
  const trusted = `sslrootcert=${join(folder.path, "cert.pem")}`;
  expect(await why(encrypted, "localhost", `sslmode=verify-full&${trusted}`)).toBe("");
  expect(await why(encrypted, "localhost", "sslmode=verify-full")).toContain("its certificate is not trusted");
  expect(await why(encrypted, "127.0.0.1", `sslmode=verify-full&${trusted}`)).toContain("certificate");
  expect(await why(encrypted, "127.0.0.1", `sslmode=verify-ca&${trusted}`)).toBe("");
  expect(await why(encrypted, "127.0.0.1", "sslmode=verify-ca")).toContain("its certificate is not trusted");
  expect(await why(encrypted, "localhost", "sslmode=verify-full&sslrootcert=/nowhere")).toContain("cannot be read");
});

test.skipIf(!isPossible)("a server that does not encrypt is not used where encryption is due", async () => {
  expect(await why(plain, "localhost", "sslmode=verify-full")).toContain("it does not encrypt");
  expect(await why(plain, "localhost", "")).toBe("");
});

test("certificates are read from a regular file of some size alone", async () => {
  using given = tempFolder();
  const [large, pipe] = [join(given.path, "large.pem"), join(given.path, "pipe")];
  writeFileSync(large, "-".repeat(16 * 1024 * 1024 + 1));
  Bun.spawnSync(["mkfifo", pipe]);
  for (const file of [large, pipe, given.path, join(given.path, "none")])
    expect(await whyNot(`postgres://u@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=${file}`)).toContain(
      "the certificates of sslrootcert cannot be read",
    );
});
