/**
 * Makes an OCI image layout, packed as a tar archive, with one image for each processor.
 *
 * An image holds the program, its papers and the few libraries that it loads, which come from this machine: no base image has to be
 * fetched. `skopeo copy oci-archive:…` or `podman load` take the archive.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Archive } from "../archives.ts";
import { type Identity, LICENCE, SUMMARY } from "../identity.ts";
import { FEDORA, systemFiles } from "../system-files.ts";
import { type Packed, tar } from "../tar.ts";
import type { Target } from "../targets.ts";

const PROCESSORS = {
  x64: { architecture: "amd64", loader: "lib64/ld-linux-x86-64.so.2", triple: "x86_64-linux-gnu" },
  arm64: { architecture: "arm64", loader: "lib/ld-linux-aarch64.so.1", triple: "aarch64-linux-gnu" },
} as const;
/** What the program loads of glibc. */
const LIBRARIES = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];
const MEDIA = "application/vnd.oci.image";

export type Image = { readonly target: Target; readonly layer: Uint8Array; readonly libraries: readonly Packed[] };

/** The image of a target, or the reason why it cannot be made here. */
export function image(target: Target, program: Uint8Array, papers: readonly Packed[]): Image | string {
  const { loader, triple } = PROCESSORS[target.processor];
  const paths = [loader, ...LIBRARIES.map((name) => `lib/${triple}/${name}`)];
  const libraries: Packed[] = [];
  for (const path of paths) {
    const found = [`/${path}`, join("/usr", triple, "lib", path.slice(path.lastIndexOf("/")))].find(existsSync);
    if (found === undefined) return `it needs /${path} (of libc6, or libc6-${target.processor}-cross)`;
    libraries.push({ path, content: readFileSync(realpathSync(found)), runs: true });
  }
  const files = [...systemFiles(program, papers, FEDORA), ...libraries].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    target,
    layer: tar([...files, { path: "tmp/.keep", content: new Uint8Array(0), runs: false }], { folders: true }),
    libraries,
  };
}

export function oci(images: readonly Image[], identity: Identity): Archive {
  const blobs = new Map<string, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array) => {
    const digest = createHash("sha256").update(bytes).digest("hex");
    blobs.set(digest, bytes);
    return { mediaType: `${MEDIA}.${mediaType}`, digest: `sha256:${digest}`, size: bytes.length };
  };
  const encoded = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
  const annotations = annotationsOf(identity);
  const manifests = images.map(({ target, layer }) => {
    const { architecture } = PROCESSORS[target.processor];
    const packed = add("layer.v1.tar+gzip", Bun.gzipSync(Buffer.from(layer), { library: "libdeflate", level: 9 }));
    const config = add("config.v1+json", encoded(configOf(architecture, layer, identity)));
    const manifest = {
      schemaVersion: 2,
      mediaType: `${MEDIA}.manifest.v1+json`,
      config,
      layers: [packed],
      annotations,
    };
    return { ...add("manifest.v1+json", encoded(manifest)), platform: { architecture, os: "linux" } };
  });
  const list = { schemaVersion: 2, mediaType: `${MEDIA}.index.v1+json`, manifests, annotations };
  const top = {
    ...add("index.v1+json", encoded(list)),
    annotations: { "org.opencontainers.image.ref.name": identity.version },
  };
  const text = (path: string, content: Uint8Array): Packed => ({ path, content, runs: false });
  const files = [
    text("oci-layout", encoded({ imageLayoutVersion: "1.0.0" })),
    text("index.json", encoded({ schemaVersion: 2, mediaType: `${MEDIA}.index.v1+json`, manifests: [top] })),
    ...[...blobs].map(([digest, bytes]) => text(`blobs/sha256/${digest}`, bytes)),
  ];
  return { name: `cra-${identity.version}-oci.tar`, bytes: tar(files, { folders: true }) };
}

function configOf(architecture: string, layer: Uint8Array, identity: Identity): unknown {
  const created = identity.madeAt.toISOString();
  return {
    created,
    architecture,
    os: "linux",
    config: { Entrypoint: ["/usr/bin/cra"], WorkingDir: "/repository", Labels: annotationsOf(identity) },
    rootfs: { type: "layers", diff_ids: [`sha256:${createHash("sha256").update(layer).digest("hex")}`] },
    history: [{ created, created_by: "npm run release" }],
  };
}

function annotationsOf({ version, commit, url, madeAt }: Identity): Readonly<Record<string, string>> {
  const prefix = "org.opencontainers.image";
  return {
    [`${prefix}.created`]: madeAt.toISOString(),
    [`${prefix}.description`]: SUMMARY,
    [`${prefix}.licenses`]: LICENCE,
    ...(commit === null ? {} : { [`${prefix}.revision`]: commit }),
    [`${prefix}.title`]: "cra",
    [`${prefix}.url`]: url,
    [`${prefix}.version`]: version,
  };
}
