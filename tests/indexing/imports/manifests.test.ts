/** Whether a manifest of one repository names a package of another. */
import { expect, test } from "bun:test";
import { familiesBetween, isManifest } from "../../../src/indexing/imports/manifests.ts";

const POM = (artifact: string, dependency: string) =>
  `<project><parent><artifactId>parent</artifactId></parent><artifactId>${artifact}</artifactId>
   <dependencies><dependency><artifactId>${dependency}</artifactId></dependency></dependencies></project>`;

test.each([
  ["npm", "package.json", '{"dependencies":{"@x/api":"^1"}}', '{"name":"@x/api"}', "ecmascript"],
  ["Go", "go.mod", "module x.org/web\nrequire x.org/api v1.2.3\n", "module x.org/api\n", "go"],
  ["Python", "pyproject.toml", 'dependencies = ["My_Lib>=1"]\n', '[project]\nname = "my-lib"\n', "python"],
  ["Cargo", "Cargo.toml", '[dependencies]\napi_core = "1"\n', '[package]\nversion = "1"\nname = "api-core"\n', "rust"],
  ["Maven", "pom.xml", POM("web", "api"), POM("api", "junit"), "jvm"],
] as const)("%s", (_, path, importer, imported, family) => {
  expect([...familiesBetween([{ path, text: importer }], [{ path, text: imported }])]).toEqual([family]);
  expect([...familiesBetween([{ path, text: imported }], [{ path, text: importer }])]).toEqual([]);
});

test("a part of a name, a manifest of another kind and broken text name nothing", () => {
  const api = [{ path: "package.json", text: '{"name":"api"}' }];
  for (const text of ['{"dependencies":{"api-client":"1","@x/api":"1"}}', "{", '["rapid"]'])
    expect(familiesBetween([{ path: "package.json", text }], api).size).toBe(0);
  expect(familiesBetween([{ path: "Cargo.toml", text: 'api = "1"' }], api).size).toBe(0);
  expect(familiesBetween(api, [{ path: "package.json", text: '{"name":7}' }]).size).toBe(0);
});

test("a forged pom is read in time that grows with its length", () => {
  const text = `<artifactId>api</artifactId>\n${"<parent>\n".repeat(50_000)}`;
  const begunMs = performance.now();
  expect(familiesBetween([{ path: "pom.xml", text: POM("web", "api") }], [{ path: "pom.xml", text }]).size).toBe(1);
  expect(performance.now() - begunMs).toBeLessThan(3_000);
});

test("manifests deep inside are of examples", () => {
  expect(["package.json", "packages/a/package.json", "a/b/c/package.json", "package.jsonc"].map(isManifest)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
