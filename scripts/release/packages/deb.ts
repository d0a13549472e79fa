/**
 * Makes a Debian package without Debian's tools: an `ar` archive of a version, the control files and the files.
 *
 * Everything is compressed with gzip, which every dpkg unpacks.
 */
import { createHash } from "node:crypto";
import type { Archive } from "../archives.ts";
import { type Identity, maintainerOf, SUMMARY, systemVersion } from "../identity.ts";
import { DEBIAN, systemFiles } from "../system-files.ts";
import { MADE_AT, type Packed, tar } from "../tar.ts";
import type { Target } from "../targets.ts";

const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;
/** The newest symbols that the program takes from the C library. */
const GLIBC_MIN = "2.17";

export function deb(target: Target, identity: Identity, program: Uint8Array, papers: readonly Packed[]): Archive {
  const files = systemFiles(program, papers, DEBIAN);
  const version = systemVersion(identity);
  const architecture = ARCHITECTURES[target.processor];
  const size = files.reduce((total, { content }) => total + content.length, 0);
  const control = [
    "Package: cra",
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainerOf(identity)}`,
    `Installed-Size: ${Math.ceil(size / 1024)}`,
    `Depends: libc6 (>= ${GLIBC_MIN})`,
    "Section: devel",
    "Priority: optional",
    `Homepage: ${identity.url}`,
    `Description: ${SUMMARY.replace(/\.$/, "")}`,
    "",
  ].join("\n");
  const md5 = (content: Uint8Array): string => createHash("md5").update(content).digest("hex");
  const sums = files.map(({ path, content }) => `${md5(content)}  ${path}\n`).join("");
  const text = (path: string, content: string): Packed => ({ path, content: Buffer.from(content), runs: false });
  return {
    name: `cra_${version}_${architecture}.deb`,
    bytes: ar([
      text("debian-binary", "2.0\n"),
      packed("control.tar.gz", [text("control", control), text("md5sums", sums)]),
      packed("data.tar.gz", files),
    ]),
  };
}

/** A compressed archive whose paths begin with `./`, as dpkg writes them. */
function packed(path: string, files: readonly Packed[]): Packed {
  const named = files.map((file) => ({ ...file, path: `./${file.path}` }));
  const bytes = tar(named, { folders: true });
  return { path, content: Bun.gzipSync(Buffer.from(bytes), { library: "libdeflate", level: 9 }), runs: false };
}

function ar(files: readonly Packed[]): Uint8Array {
  const parts = files.flatMap(({ path, content }) => {
    const time = String(MADE_AT.getTime() / 1000);
    const fields = [path.padEnd(16), time.padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
    const header = `${fields.join("")}${String(content.length).padEnd(10)}\`\n`;
    return [Buffer.from(header), content, Buffer.from(content.length % 2 === 0 ? "" : "\n")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
