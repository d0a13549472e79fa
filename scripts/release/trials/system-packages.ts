/** The Debian and rpm packages, installed by their own tools into an empty root; without rights they are only unpacked. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRoot, run, runsAt, type Trial } from "./trial.ts";

export const DEB: Trial = {
  name: "deb",
  needs: ["dpkg", "dpkg-deb"],
  ending: ".deb",
  async run({ scratch, file }) {
    const archive = file(".deb");
    if (isRoot()) {
      for (const folder of ["info", "updates"]) mkdirSync(join(scratch, "var/lib/dpkg", folder), { recursive: true });
      writeFileSync(join(scratch, "var/lib/dpkg/status"), "");
      const options = [`--root=${scratch}`, "--force-depends", "--force-bad-path", `--log=${join(scratch, "log")}`];
      await run(["dpkg", ...options, "--install", archive]);
      await run(["dpkg", ...options, "--verify", "cra"]);
    } else await run(["dpkg-deb", "--extract", archive, scratch]);
    await runsAt([join(scratch, "usr/bin/cra")]);
    return isRoot() ? "installed by dpkg and run" : "unpacked and run";
  },
};

export const RPM: Trial = {
  name: "rpm",
  needs: ["rpm", "rpm2cpio", "cpio"],
  ending: ".rpm",
  async run({ scratch, file }) {
    const archive = file(".rpm");
    const own = ["--dbpath", join(scratch, "database")];
    await run(["rpm", ...own, "--checksig", archive]);
    if (isRoot()) {
      const options = ["--root", scratch, "--dbpath", "/database", "--nodeps"];
      await run(["rpm", ...options, "--install", archive]);
      await run(["rpm", ...options, "--verify", "cra"]);
    } else await run(["sh", "-c", 'rpm2cpio "$1" | cpio -id --quiet', "sh", archive], { cwd: scratch });
    await runsAt([join(scratch, "usr/bin/cra")]);
    return isRoot() ? "installed by rpm and run" : "unpacked and run";
  },
};
