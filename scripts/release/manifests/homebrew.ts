/** The Homebrew formula, for a tap of one's own: it installs the program that the release built. */
import { type Identity, LICENCE, SUMMARY } from "../identity.ts";
import type { Manifest, Published } from "./published.ts";

const SYSTEMS = [
  { block: "on_macos", system: "darwin" },
  { block: "on_linux", system: "linux" },
] as const;
const PROCESSORS = [
  { block: "on_arm", processor: "arm64" },
  { block: "on_intel", processor: "x64" },
] as const;

/** `archives` are those of the `.tar.gz` format by target. Empty without any that Homebrew installs. */
export function homebrew(identity: Identity, archives: ReadonlyMap<string, Published>): readonly Manifest[] {
  const systems = SYSTEMS.flatMap(({ block, system }) => {
    const inside = PROCESSORS.flatMap(({ block: processorBlock, processor }) => {
      const archive = archives.get(`${system}-${processor}`);
      if (archive === undefined) return [];
      return [`    ${processorBlock} do`, `      url "${archive.url}"`, `      sha256 "${archive.sha256}"`, "    end"];
    });
    return inside.length === 0 ? [] : [`  ${block} do`, ...inside, "  end", ""];
  });
  if (systems.length === 0) return [];
  const text = [
    "class Cra < Formula",
    `  desc "${SUMMARY.replace(/\.$/, "")}"`,
    `  homepage "${identity.url}"`,
    `  version "${identity.version}"`,
    `  license "${LICENCE}"`,
    "",
    ...systems,
    "  def install",
    '    bin.install "cra"',
    '    man1.install "cra.1"',
    '    bash_completion.install "completions/cra.bash" => "cra"',
    '    zsh_completion.install "completions/_cra"',
    '    fish_completion.install "completions/cra.fish"',
    "  end",
    "",
    "  test do",
    '    assert_match version.to_s, shell_output("#{bin}/cra --version")',
    "  end",
    "end",
    "",
  ].join("\n");
  return [{ path: "homebrew/cra.rb", text }];
}
