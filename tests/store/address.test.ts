/** How addresses of stores are read, and where passwords come from. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStoreAddress, type StoreAddress, shownStoreAddress } from "../../src/store/address.ts";
import { storePassword } from "../../src/store/password.ts";
import { tempFolder } from "../support/folder.ts";

const read = (typed: string, user?: string): StoreAddress => {
  const reading = readStoreAddress(typed, user);
  if (!reading.ok) throw new Error(reading.why);
  return reading.address;
};
const why = (typed: string): string => {
  const reading = readStoreAddress(typed, "me");
  return reading.ok ? "" : reading.why;
};

test("an address names a host, a port, a user and a database; other hosts are verified", () => {
  expect(read("postgres://ci@db.example.com/cra")).toMatchObject({
    host: "db.example.com",
    port: 5432,
    user: "ci",
    database: "cra",
    encryption: "verify-full",
    isLocal: false,
    shown: "postgres://ci@db.example.com:5432/cra",
  });
  expect(read("postgresql://127.0.0.1:99/x", "me")).toMatchObject({
    port: 99,
    user: "me",
    encryption: "off",
    isLocal: true,
  });
  expect(read("postgres://me@[::1]/x")).toMatchObject({ host: "::1", isLocal: true });
  expect(read("postgres://a%40b@/x?host=/run/postgresql")).toMatchObject({ socket: "/run/postgresql", user: "a@b" });
  expect(read("postgres://u@h/x?sslmode=disable")).toMatchObject({ encryption: "off", isLocal: false });
  expect(read("postgres://u@h/x?sslmode=verify-ca&sslrootcert=/ca.pem")).toMatchObject({
    encryption: "verify-ca",
    authorities: "/ca.pem",
  });
});

test("an address that cannot be used is refused with a reason that does not repeat it", () => {
  for (const [typed, reason] of [
    ["postgres://u:pw@h/d", "contains a password"],
    ["postgres://u:p/w@h/d", "contains a password"],
    ["postgres://u:@h/d", "contains a password"],
    ["postgres://u@h/d?password=pw", "contains a password"],
    ["mysql://u@h/d", "does not begin with postgres://"],
    ["postgres://u@h", "names no database"],
    ["postgres://u@/d", "names no host"],
    ["postgres://u@h/d?host=/run", "names two hosts"],
    ["postgres://u@h/d?host=run", "not an absolute folder"],
    ["postgres://u@h:0/d", "no valid port"],
    ["postgres://u@h/d?sslmode=require", "does not check who answers"],
    ["postgres://u@h/d?options=-c", "is not a valid address"],
    ["postgres://u@h/d\u001b[2J", "characters"],
    ["postgres://u@h/%ff", "names no database"],
  ] as const) {
    expect(why(typed)).toContain(reason);
    expect(why(typed)).not.toContain("pw");
  }
  const nobody = readStoreAddress("postgres://h/d", undefined);
  expect(nobody).toMatchObject({ ok: false, why: "names no user, and PGUSER is not set" });
  expect(shownStoreAddress("postgres://u:p@w@h/d?password=x")).toBe("postgres://h/d");
});

test("passwords come from PGPASSWORD, or from a file that only its owner reads", () => {
  using folder = tempFolder();
  const file = join(folder.path, "pass");
  writeFileSync(file, "# ours\nother:*:*:*:no\nh:5432:d:u:se\\:cr\\\\et\n*:*:*:*:rest\n", { mode: 0o600 });
  const address = read("postgres://u@h/d");
  expect(storePassword(address, { PGPASSWORD: "given", PGPASSFILE: file })).toBe("given");
  expect(storePassword(address, { PGPASSFILE: file })).toBe("se:cr\\et");
  expect(storePassword(read("postgres://v@h/d"), { PGPASSFILE: file })).toBe("rest");
  expect(storePassword(address, { HOME: folder.path })).toBe(null);
  const open = join(folder.path, "open");
  writeFileSync(open, "*:*:*:*:rest\n", { mode: 0o644 });
  expect(storePassword(address, { PGPASSFILE: open })).toBe(null);
});
