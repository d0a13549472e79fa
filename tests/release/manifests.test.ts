/** Manifests fit the schemas that their registries publish, and name the files of the release with their checksums. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, addFormats } from "@modelcontextprotocol/server/validators/ajv";
import { z } from "zod";
import { untar } from "../../scripts/bench/untar.ts";
import { readChecksums, sha256Of } from "../../scripts/release/evidence/checksums.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { FIRST_TARGET, IDENTITY, makeRelease } from "./tiny-release.ts";

const SCHEMAS = join(import.meta.dir, "../fixtures/schemas");

let release: TempFolder;
beforeAll(async () => {
  release = tempFolder();
  await makeRelease(release.path);
});
afterAll(() => release[Symbol.dispose]());

const read = (name: string): string => readFileSync(join(release.path, name), "utf8");
const bytesOf = (name: string): Uint8Array => readFileSync(join(release.path, name));

function faultsOf(schema: string, value: unknown): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: true, validateSchema: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(join(SCHEMAS, schema), "utf8")));
  return validate(value) === true ? [] : validate.errors;
}

test("Scoop's and winget's manifests fit their schemas", () => {
  expect(faultsOf("scoop.json", JSON.parse(read("scoop/cra.json")))).toEqual([]);
  for (const name of readdirSync(join(release.path, "winget"))) {
    const value: unknown = Bun.YAML.parse(read(`winget/${name}`));
    const { ManifestType } = z.looseObject({ ManifestType: z.string() }).parse(value);
    expect([name, faultsOf(`winget-${ManifestType}-1.12.0.json`, value)]).toEqual([name, []]);
  }
  expect(readdirSync(join(release.path, "winget"))).toHaveLength(3);
});

test("server.json fits the schema of the MCP registry, and has the name that the npm package confirms", () => {
  const server: unknown = JSON.parse(read("mcp/server.json"));
  expect(faultsOf("mcp-server-2025-12-11.json", server)).toEqual([]);
  const [manifest] = [...untar(Bun.gunzipSync(Buffer.from(bytesOf(`cra-${IDENTITY.version}.tgz`))))];
  expect(JSON.parse(Buffer.from(manifest?.content ?? []).toString())).toMatchObject({ mcpName: "com.example/cra" });
  expect(server).toMatchObject({ name: "com.example/cra", version: IDENTITY.version });
});

test("an invalid manifest is found", () => {
  expect(faultsOf("scoop.json", { version: "1" })).not.toEqual([]);
  expect(faultsOf("mcp-server-2025-12-11.json", { name: "cra", description: "", version: "1" })).not.toEqual([]);
});

test("every address in a manifest is that of a published file, with its checksum beside it", () => {
  const published = readChecksums(read("SHA256SUMS"));
  for (const [name, sha256] of published) expect([name, sha256Of(bytesOf(name))]).toEqual([name, sha256]);
  const manifests = [...published.keys()].filter((name) => /^(?:homebrew|scoop|winget|aur|mcp)\//.test(name));
  expect(manifests).toHaveLength(8);
  const named = new Set<string>();
  for (const manifest of manifests) {
    const text = read(manifest).toLowerCase();
    for (const [, name = ""] of read(manifest).matchAll(/https:\/\/example\.com\/cra\/([\w.-]+)/g)) {
      expect(text).toContain(published.get(name) ?? `no file ${name}`);
      named.add(name);
    }
  }
  expect([...named].sort()).toEqual(
    [...published.keys()].filter((name) => /\.mcpb$|(?:linux|darwin)-(?:x64|arm64)\.tar\.gz$|\.zip$/.test(name)).sort(),
  );
});

test("the bill of materials lists every package whose code ships, and the provenance every file", () => {
  const { components } = z
    .looseObject({ components: z.array(z.looseObject({ name: z.string(), "bom-ref": z.string() })) })
    .parse(JSON.parse(read(`cra-${IDENTITY.version}.cdx.json`)));
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["bun", "sqlite", "zod", "ink", "ajv"]));
  expect(new Set(components.map((one) => one["bom-ref"])).size).toBe(components.length);
  const statement = z
    .looseObject({ subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })) })
    .parse(JSON.parse(read(`cra-${IDENTITY.version}.intoto.json`)));
  const subjects = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  const later = new Set([`cra-${IDENTITY.version}.intoto.json`, "install.sh"]);
  for (const [name, sha256] of readChecksums(read("SHA256SUMS")))
    if (!later.has(name)) expect([name, subjects.get(name)]).toEqual([name, sha256]);
});

test("packages of a scope have it in their names, and in what depends on them", async () => {
  using folder = tempFolder();
  await makeRelease(folder.path, { targets: FIRST_TARGET, identity: { ...IDENTITY, scope: "@you" } });
  const archive = readFileSync(join(folder.path, `you-cra-${IDENTITY.version}.tgz`));
  const [manifest] = [...untar(Bun.gunzipSync(archive))];
  expect(JSON.parse(Buffer.from(manifest?.content ?? []).toString())).toMatchObject({
    name: "@you/cra",
    bin: { cra: "cra.cjs" },
    optionalDependencies: { "@you/cra-linux-x64": IDENTITY.version },
  });
});
