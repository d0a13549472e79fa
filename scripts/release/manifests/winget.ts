/** The three winget manifests of a version: which program, where to get it, and what it is. */
import { AUTHOR, type Identity, LICENCE, namespaceOf, SUMMARY } from "../identity.ts";
import type { Manifest, Published } from "./published.ts";

const SCHEMA_VERSION = "1.12.0";

/** `archive` is the `.zip` for Windows. */
export function winget(identity: Identity, archive: Published): readonly Manifest[] {
  const id = `${publisherOf(identity)}.cra`;
  const version = identity.version;
  const common = { PackageIdentifier: id, PackageVersion: version };
  const folder = archive.name.replace(/\.zip$/, "");
  return [
    manifest(`winget/${id}.yaml`, "version", { ...common, DefaultLocale: "en-US" }),
    manifest(`winget/${id}.locale.en-US.yaml`, "defaultLocale", {
      ...common,
      PackageLocale: "en-US",
      Publisher: AUTHOR,
      PackageName: "cra",
      PackageUrl: identity.url,
      License: LICENCE,
      ShortDescription: SUMMARY,
      Moniker: "cra",
    }),
    manifest(`winget/${id}.installer.yaml`, "installer", {
      ...common,
      Platform: ["Windows.Desktop"],
      InstallerType: "zip",
      NestedInstallerType: "portable",
      NestedInstallerFiles: [{ RelativeFilePath: `${folder}\\cra.exe`, PortableCommandAlias: "cra" }],
      Installers: [{ Architecture: "x64", InstallerUrl: archive.url, InstallerSha256: archive.sha256.toUpperCase() }],
    }),
  ];
}

/** winget names publishers in one word. */
const publisherOf = (identity: Identity): string => namespaceOf(identity).replace(/[^A-Za-z0-9]+/g, "-");

function manifest(path: string, type: string, value: Readonly<Record<string, unknown>>): Manifest {
  const whole = { ...value, ManifestType: type, ManifestVersion: SCHEMA_VERSION };
  const header = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${SCHEMA_VERSION}.schema.json`;
  return { path, text: `${header}\n${Bun.YAML.stringify(whole, null, 2)}\n` };
}
