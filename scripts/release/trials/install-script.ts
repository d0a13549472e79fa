/** `install.sh` from the folder of the release, after `sha256sum` has checked every file. */
import { join } from "node:path";
import { run, runsAt, type Trial } from "./trial.ts";

export const INSTALL_SCRIPT: Trial = {
  name: "install.sh",
  needs: ["sh", "sha256sum"],
  ending: ".tar.gz",
  async run({ release, scratch }) {
    await run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], { cwd: release });
    await run(["sh", join(release, "install.sh")], { env: { HOME: scratch } });
    await runsAt([join(scratch, ".local/bin/cra")]);
    return "checksums hold, installed and run";
  },
};
