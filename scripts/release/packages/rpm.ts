/**
 * Makes an rpm without rpm's tools: a lead, a signature header with digests, the header, and a cpio archive.
 *
 * The payload is compressed with zstd, which rpm unpacks since 4.14 (2017). Tag numbers are those of rpm's `rpmtag.h`.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Archive } from "../archives.ts";
import { type Identity, LICENCE, SUMMARY, systemVersion } from "../identity.ts";
import { FEDORA, systemFiles } from "../system-files.ts";
import { MADE_AT, type Packed } from "../tar.ts";
import type { Target } from "../targets.ts";
import { cpio, modeOf } from "./cpio.ts";
import { type Field, rpmHeader } from "./rpm-header.ts";

const ARCHITECTURES = { x64: { name: "x86_64", lead: 1 }, arm64: { name: "aarch64", lead: 19 } } as const;
const SIGNATURES = 62;
const IMMUTABLE = 63;
const SHA256 = 8;
const RELEASE = "1";
/** A package is compressed once and unpacked often; higher levels take many times as long for two percent. */
const ZSTD_LEVEL = 9;

/** Flags of a requirement: a feature of rpm itself, from a version on. */
const EQUAL = 8;
const FROM_RPM = (1 << 24) | 2 | EQUAL;
const REQUIRED: readonly (readonly [name: string, flags: number, version: string])[] = [
  ["libc.so.6(GLIBC_2.17)(64bit)", 0, ""],
  ["rpmlib(CompressedFileNames)", FROM_RPM, "3.0.4-1"],
  ["rpmlib(FileDigests)", FROM_RPM, "4.6.0-1"],
  ["rpmlib(PayloadFilesHavePrefix)", FROM_RPM, "4.0-1"],
  ["rpmlib(PayloadIsZstd)", FROM_RPM, "5.4.18-1"],
];

export async function rpm(
  target: Target,
  identity: Identity,
  program: Uint8Array,
  papers: readonly Packed[],
): Promise<Archive> {
  const { name: architecture, lead: number } = ARCHITECTURES[target.processor];
  const version = systemVersion(identity);
  const name = `cra-${version}-${RELEASE}`;
  const files = systemFiles(program, papers, FEDORA);
  const unpacked = cpio(files);
  const payload = await Bun.zstdCompress(Buffer.from(unpacked), { level: ZSTD_LEVEL });
  const header = rpmHeader(IMMUTABLE, [
    ...aboutPackage(identity, version, architecture, payload),
    ...aboutFiles(files),
  ]);
  const rest = Buffer.concat([header, payload]);
  const signature = rpmHeader(SIGNATURES, [
    [269, "text", [hash("sha1", header)]],
    [273, "text", [hash("sha256", header)]],
    [1000, "int32", [rest.length]],
    [1004, "binary", createHash("md5").update(rest).digest()],
    [1007, "int32", [unpacked.length]],
  ]);
  const gap = Buffer.alloc(-signature.length & 7);
  return { name: `${name}.${architecture}.rpm`, bytes: Buffer.concat([leadOf(name, number), signature, gap, rest]) };
}

/** Obsolete, but `file` and old tools read it. */
function leadOf(name: string, architecture: number): Buffer {
  const bytes = Buffer.alloc(96);
  bytes.writeUInt32BE(0xedabeedb, 0);
  bytes.writeUInt8(3, 4);
  bytes.writeUInt16BE(architecture, 8);
  bytes.write(name, 10, 65);
  bytes.writeUInt16BE(1, 76);
  bytes.writeUInt16BE(5, 78);
  return bytes;
}

function aboutPackage(
  identity: Identity,
  version: string,
  architecture: string,
  payload: Uint8Array,
): readonly Field[] {
  const seconds = identity.madeAt.getTime() / 1000;
  return [
    [100, "strings", ["C"]],
    [1000, "text", ["cra"]],
    [1001, "text", [version]],
    [1002, "text", [RELEASE]],
    [1004, "i18n", [SUMMARY]],
    [1005, "i18n", [SUMMARY]],
    [1006, "int32", [Math.floor(seconds)]],
    [1007, "text", ["localhost"]],
    [1014, "text", [LICENCE]],
    [1016, "i18n", ["Development/Tools"]],
    [1020, "text", [identity.url]],
    [1021, "text", ["linux"]],
    [1022, "text", [architecture]],
    [1044, "text", [`cra-${version}-${RELEASE}.src.rpm`]],
    [1047, "strings", ["cra"]],
    [1048, "int32", REQUIRED.map(([, flags]) => flags)],
    [1049, "strings", REQUIRED.map(([name]) => name)],
    [1050, "strings", REQUIRED.map(([, , needed]) => needed)],
    [1112, "int32", [EQUAL]],
    [1113, "strings", [`${version}-${RELEASE}`]],
    [1124, "text", ["cpio"]],
    [1125, "text", ["zstd"]],
    [1126, "text", [String(ZSTD_LEVEL)]],
    [5062, "text", ["utf-8"]],
    [5092, "strings", [hash("sha256", payload)]],
    [5093, "int32", [SHA256]],
  ];
}

/** One value a file in each field, in the order of the payload. */
function aboutFiles(files: readonly Packed[]): readonly Field[] {
  const folders = [...new Set(files.map(({ path }) => `/${posix.dirname(path)}/`))];
  const each = <T>(value: (file: Packed, index: number) => T): readonly T[] => files.map(value);
  return [
    [1009, "int32", [files.reduce((total, { content }) => total + content.length, 0)]],
    [1028, "int32", each(({ content }) => content.length)],
    [1030, "int16", each(modeOf)],
    [1033, "int16", each(() => 0)],
    [1034, "int32", each(() => MADE_AT.getTime() / 1000)],
    [1035, "strings", each(({ content }) => hash("sha256", content))],
    [1036, "strings", each(() => "")],
    [1037, "int32", each(({ path }) => (path.startsWith("usr/share/doc/") ? 2 : 0))],
    [1039, "strings", each(() => "root")],
    [1040, "strings", each(() => "root")],
    [1045, "int32", each(() => 0xffffffff)],
    [1095, "int32", each(() => 1)],
    [1096, "int32", each((_, index) => index + 1)],
    [1097, "strings", each(() => "")],
    [1116, "int32", each(({ path }) => folders.indexOf(`/${posix.dirname(path)}/`))],
    [1117, "strings", each(({ path }) => posix.basename(path))],
    [1118, "strings", folders],
    [5011, "int32", [SHA256]],
  ];
}

const hash = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest("hex");
