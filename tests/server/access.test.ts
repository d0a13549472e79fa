/** Whatever is granted and asked, an answer needs a grant of that very repository. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { accessOf, bearerToken, type Grant } from "../../src/server/access.ts";
import { isGranted, tokenHash } from "../../src/store/grants.ts";

const REPOSITORIES = ["api", "api-2", "web", "team/api", "team/web", "other/api"] as const;
const repository = fc.constantFrom(...REPOSITORIES);
const pattern = fc.oneof(repository, fc.constantFrom("*", "team/*", "api*", "", "nothing", "TEAM/*"));
const token = fc.constantFrom("t-one", "t-two", "t-three", "t-four");
const grant = fc.record({
  name: fc.constantFrom("ada", "bob", "eve"),
  token,
  repositories: fc.array(pattern, { maxLength: 4 }),
});

/** What a pattern says, as a person reads it. */
const means = (written: string, name: string): boolean =>
  new RegExp(`^${written.replaceAll(/[.+/-]/g, "\\$&").replaceAll("*", ".*")}$`).test(name);

test("1,000 random grants and requests: only what is granted is found", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(grant, { maxLength: 8 }), fc.option(token), repository, async (rows, asked, name) => {
      const grants: Grant[] = rows.map(({ token: secret, ...row }) => ({ ...row, tokenHash: tokenHash(secret) }));
      const caller = await accessOf(grants).callerOf(asked === null ? null : `Bearer ${asked}`);
      const own = rows.filter((row) => row.token === asked);
      expect(caller === null).toBe(own.length === 0);
      const expected = own.some((row) => row.repositories.some((written) => means(written, name)));
      expect(caller !== null && isGranted(caller, name)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test("a token is a bearer token of sane length, and nothing else", () => {
  expect(bearerToken("Bearer abc")).toBe("abc");
  expect(bearerToken("bearer  abc= ")).toBe("abc=");
  const wrong = [
    null,
    "",
    "Bearer",
    "Bearer ",
    "Basic abc",
    "Bearer a b",
    "Bearer ä",
    `Bearer ${"a".repeat(513)}`,
    "abc",
  ];
  for (const header of wrong) expect(bearerToken(header)).toBeNull();
});

test("the hash of a token does not let one in", async () => {
  const access = accessOf([{ name: "ada", tokenHash: tokenHash("secret"), repositories: ["*"] }]);
  expect(await access.callerOf("Bearer secret")).not.toBeNull();
  expect(await access.callerOf(`Bearer ${tokenHash("secret")}`)).toBeNull();
});
