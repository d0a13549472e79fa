/** Makes every file of a release from the programs: packages for each target, then what all targets share. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Archive, archivesOf } from "./archives.ts";
import { provenance } from "./evidence/provenance.ts";
import { sbom } from "./evidence/sbom.ts";
import type { Identity } from "./identity.ts";
import { aur } from "./manifests/aur.ts";
import { homebrew } from "./manifests/homebrew.ts";
import { mcpRegistry } from "./manifests/mcp-registry.ts";
import type { Manifest, Published } from "./manifests/published.ts";
import { scoop } from "./manifests/scoop.ts";
import { winget } from "./manifests/winget.ts";
import { Output } from "./output.ts";
import { deb } from "./packages/deb.ts";
import { hasBundle, mcpb } from "./packages/mcpb.ts";
import { npmLauncher, npmProgram } from "./packages/npm.ts";
import { type Image, image, oci } from "./packages/oci.ts";
import { rpm } from "./packages/rpm.ts";
import type { Packed } from "./tar.ts";
import { isMusl, type Target } from "./targets.ts";

/** Where the source is and where the release goes; `signingKey` is the path of an SSH key, null for no signature. */
export type Place = { readonly root: string; readonly out: string; readonly signingKey: string | null };

export class Release {
  readonly #place: Place;
  readonly #identity: Identity;
  readonly #papers: readonly Packed[];
  readonly #output: Output;
  readonly #targets: Target[] = [];
  readonly #images: Image[] = [];

  /** `papers` go into the packages beside the program. */
  constructor(place: Place, identity: Identity, papers: readonly Packed[]) {
    this.#place = place;
    this.#identity = identity;
    this.#papers = papers;
    this.#output = new Output(place.out, identity);
  }

  /** Packs the program of a target in every format of its system. Returns the files, and why a format is left out. */
  async add(target: Target, program: Uint8Array): Promise<{ files: readonly Archive[]; left: readonly string[] }> {
    const [identity, others] = [this.#identity, this.#papers];
    const isSystemLibc = target.system === "linux" && !isMusl(target);
    const files = [
      ...(await archivesOf(target, identity.version, program, others)),
      npmProgram(target, identity, program, others),
      ...(hasBundle(target) ? [mcpb(target, identity, program, others)] : []),
      ...(isSystemLibc ? [deb(target, identity, program, others), await rpm(target, identity, program, others)] : []),
    ];
    for (const file of files) this.#output.add(file);
    this.#targets.push(target);
    const made = isSystemLibc ? image(target, program, others) : null;
    if (made !== null && typeof made !== "string") this.#images.push(made);
    return { files, left: typeof made === "string" ? [`no OCI image: ${made}`] : [] };
  }

  /** Writes what all targets share, the checksums last. */
  finish(): readonly Published[] {
    const { root, signingKey } = this.#place;
    const identity = this.#identity;
    this.#output.add(npmLauncher(this.#targets, identity, this.#papers));
    if (this.#images.length > 0) this.#output.add(oci(this.#images, identity));
    for (const manifest of this.#manifests()) this.#write(manifest);
    this.#write(sbom(root, identity));
    const libraries = this.#images.flatMap((one) => one.libraries);
    this.#write(provenance(root, identity, { targets: this.#targets, files: this.#output.files, libraries }));
    this.#output.finish(readFileSync(join(root, "scripts", "install.sh"), "utf8"), signingKey);
    return this.#output.files;
  }

  #manifests(): readonly Manifest[] {
    const identity = this.#identity;
    const byName = new Map(this.#output.files.map((file) => [file.name, file]));
    const archives = new Map(
      this.#targets.flatMap(({ name }) => {
        const archive = byName.get(`cra-${identity.version}-${name}.tar.gz`);
        return archive === undefined ? [] : [[name, archive] as const];
      }),
    );
    const windows = byName.get(`cra-${identity.version}-windows-x64.zip`);
    return [
      ...homebrew(identity, archives),
      ...(windows === undefined ? [] : [scoop(identity, windows), ...winget(identity, windows)]),
      ...aur(identity, archives),
      mcpRegistry(identity, byName),
    ];
  }

  #write({ path, text }: Manifest): void {
    this.#output.add({ name: path, bytes: Buffer.from(text) });
  }
}
