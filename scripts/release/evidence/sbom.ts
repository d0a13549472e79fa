/** The software bill of materials in the CycloneDX format: everything whose code is in the program. */
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { type Identity, LICENCE, SUMMARY } from "../identity.ts";
import { copiedPackages, type Licensed, licensedPackages } from "../licences.ts";
import { lockedPackages } from "../lock.ts";
import type { Manifest } from "../manifests/published.ts";
import { json } from "../packages/npm.ts";

/** Names a package for every tool: `pkg:npm/%40scope/name@1.0.0`. */
const npmUrl = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

export function sbom(root: string, identity: Identity): Manifest {
  const { version, commit, madeAt } = identity;
  const integrity = new Map(lockedPackages(root).map((one) => [`${one.name}@${one.version}`, one.integrity]));
  const components = [
    ...runtime(),
    ...licensedPackages(root).map((one) => component(one, integrity.get(`${one.name}@${one.version}`) ?? null)),
    ...copiedPackages().map((one) => component(one, null)),
  ];
  const own = `pkg:generic/cra@${encodeURIComponent(version)}`;
  return {
    path: `cra-${version}.cdx.json`,
    text: json({
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      serialNumber: `urn:uuid:${uuidOf(`cra ${version} ${commit}`)}`,
      version: 1,
      metadata: {
        timestamp: madeAt.toISOString(),
        component: {
          type: "application",
          "bom-ref": own,
          name: "cra",
          version,
          description: SUMMARY,
          licenses: [licenceOf(LICENCE)],
          purl: own,
        },
      },
      components,
      dependencies: [{ ref: own, dependsOn: components.map((one) => one["bom-ref"]) }],
    }),
  };
}

function component(
  { name, version, licence }: Pick<Licensed, "name" | "version" | "licence">,
  integrity: string | null,
) {
  const [algorithm = "", digest = ""] = (integrity ?? "").split("-", 2);
  return {
    type: "library",
    "bom-ref": npmUrl(name, version),
    name,
    version,
    licenses: [licenceOf(licence)],
    purl: npmUrl(name, version),
    ...(algorithm === "sha512"
      ? { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }
      : {}),
  };
}

/** Bun, and the SQLite in it, in the versions that run this script: the same that the program is built with. */
function runtime() {
  const database = new Database(":memory:");
  const row: unknown = database.query("SELECT sqlite_version() AS version").get();
  database.close();
  const sqlite = typeof row === "object" && row !== null && "version" in row ? String(row.version) : "";
  const part = (name: string, version: string, licences: readonly unknown[]) => ({
    type: "library",
    "bom-ref": `pkg:generic/${name}@${version}`,
    name,
    version,
    licenses: licences,
    purl: `pkg:generic/${name}@${version}`,
  });
  return [
    part("bun", Bun.version, [licenceOf("MIT")]),
    part("sqlite", sqlite, [{ license: { name: "Public Domain" } }]),
  ];
}

function licenceOf(licence: string): unknown {
  if (/^[A-Za-z0-9.+-]+$/.test(licence)) return { license: { id: licence } };
  return licence.includes(" OR ") || licence.includes(" AND ")
    ? { expression: licence }
    : { license: { name: licence } };
}

/** An identifier that follows from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
