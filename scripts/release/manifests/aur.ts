/** The package of the Arch User Repository: `PKGBUILD`, and `.SRCINFO` as `makepkg --printsrcinfo` prints it. */
import { type Identity, LICENCE, maintainerOf, SUMMARY } from "../identity.ts";
import type { Manifest, Published } from "./published.ts";

const ARCHITECTURES = [
  { name: "x86_64", target: "linux-x64" },
  { name: "aarch64", target: "linux-arm64" },
] as const;
/** Arch says `-bin` of packages that are not built from source. */
const NAME = "cra-bin";

/** `archives` are those of the `.tar.gz` format. Empty without any for Arch. */
export function aur(identity: Identity, archives: ReadonlyMap<string, Published>): readonly Manifest[] {
  const sources = ARCHITECTURES.flatMap(({ name, target }) => {
    const archive = archives.get(target);
    return archive === undefined ? [] : [{ architecture: name, url: archive.url, sha256: archive.sha256 }];
  });
  if (sources.length === 0) return [];
  // A version of Arch has no hyphen.
  const version = identity.version.replaceAll("-", "_");
  const description = SUMMARY.replace(/\.$/, "");
  const facts: readonly (readonly [string, string])[] = [
    ["pkgdesc", description],
    ["pkgver", version],
    ["pkgrel", "1"],
    ["url", identity.url],
    ...sources.map(({ architecture }) => ["arch", architecture] as const),
    ["license", LICENCE],
    ["depends", "glibc"],
    ["provides", "cra"],
    ["conflicts", "cra"],
    ["options", "!strip"],
    ...sources.flatMap(({ architecture, url, sha256 }) => [
      [`source_${architecture}`, url] as const,
      [`sha256sums_${architecture}`, sha256] as const,
    ]),
  ];
  const info = [
    `pkgbase = ${NAME}`,
    ...facts.map(([key, value]) => `\t${key} = ${value}`),
    "",
    `pkgname = ${NAME}`,
    "",
  ];
  return [
    { path: "aur/PKGBUILD", text: build(identity, version, description, sources) },
    { path: "aur/.SRCINFO", text: info.join("\n") },
  ];
}

type Source = { readonly architecture: string; readonly url: string; readonly sha256: string };

function build(identity: Identity, version: string, description: string, sources: readonly Source[]): string {
  return [
    `# Maintainer: ${maintainerOf(identity)}`,
    `pkgname=${NAME}`,
    `pkgver=${version}`,
    "pkgrel=1",
    `pkgdesc="${description}"`,
    `arch=(${sources.map(({ architecture }) => `'${architecture}'`).join(" ")})`,
    `url="${identity.url}"`,
    `license=('${LICENCE}')`,
    "depends=('glibc')",
    "provides=('cra')",
    "conflicts=('cra')",
    "# The program carries its code behind its sections; strip would cut it off.",
    "options=('!strip')",
    ...sources.flatMap(({ architecture, url, sha256 }) => [
      `source_${architecture}=("${url}")`,
      `sha256sums_${architecture}=('${sha256}')`,
    ]),
    "",
    "package() {",
    `  cd cra-${identity.version}-linux-*/`,
    '  install -Dm755 cra "$pkgdir/usr/bin/cra"',
    '  install -Dm644 cra.1 "$pkgdir/usr/share/man/man1/cra.1"',
    '  install -Dm644 completions/cra.bash "$pkgdir/usr/share/bash-completion/completions/cra"',
    '  install -Dm644 completions/_cra "$pkgdir/usr/share/zsh/site-functions/_cra"',
    '  install -Dm644 completions/cra.fish "$pkgdir/usr/share/fish/vendor_completions.d/cra.fish"',
    '  install -Dm644 LICENSE THIRD-PARTY-LICENSES.txt -t "$pkgdir/usr/share/licenses/$pkgname"',
    "}",
    "",
  ].join("\n");
}
