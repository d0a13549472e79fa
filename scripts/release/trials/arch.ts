/** The Arch package: `makepkg` builds it from the archives of the release, and prints the same `.SRCINFO`. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isRoot, run, runsAt, type Trial } from "./trial.ts";

export const ARCH: Trial = {
  name: "AUR",
  needs: ["makepkg", "pacman", "fakeroot", "bsdtar", "runuser"],
  ending: "aur/PKGBUILD",
  async run({ scratch, release, file }) {
    const [build, sources] = [join(scratch, "build"), join(scratch, "sources")];
    for (const folder of [build, sources]) mkdirSync(folder);
    copyFileSync(file("aur/PKGBUILD"), join(build, "PKGBUILD"));
    // makepkg takes what is already there, so nothing is downloaded.
    const archive = file(".tar.gz");
    copyFileSync(archive, join(sources, basename(archive)));
    if (isRoot()) await run(["chown", "-R", "nobody", scratch]);
    const makepkg = [...(isRoot() ? ["runuser", "-u", "nobody", "--"] : []), "makepkg"];
    const env = {
      HOME: scratch,
      SRCDEST: sources,
      CARCH: process.arch === "arm64" ? "aarch64" : "x86_64",
      PKGEXT: ".pkg.tar",
    };
    const printed = await run([...makepkg, "--printsrcinfo"], { cwd: build, env });
    if (printed.trim() !== readFileSync(join(release, "aur/.SRCINFO"), "utf8").trim())
      throw new Error(`.SRCINFO is not what makepkg prints:\n${printed}`);
    await run([...makepkg, "--nodeps", "--noconfirm"], { cwd: build, env });
    const built = readdirSync(build).find((name) => name.endsWith(".pkg.tar"));
    if (built === undefined) throw new Error("makepkg built no package");
    await run(["bsdtar", "-xf", built], { cwd: build });
    await runsAt([join(build, "usr/bin/cra")]);
    return "built by makepkg, unpacked and run";
  },
};
