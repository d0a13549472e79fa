/**
 * The Homebrew formula, run by Ruby with a stand-in for Homebrew that knows what the formula uses: it checks the archive's
 * checksum, unpacks it, and installs into a prefix. Homebrew itself comes from no package registry.
 */
import { join } from "node:path";
import { run, runsAt, type Trial } from "./trial.ts";

const STAND_IN = join(import.meta.dir, "homebrew.rb");

export const HOMEBREW: Trial = {
  name: "Homebrew formula",
  needs: ["ruby", "tar"],
  ending: "homebrew/cra.rb",
  async run({ scratch, release, file }) {
    await run(["ruby", "-W", STAND_IN, file("homebrew/cra.rb"), release, scratch]);
    await runsAt([join(scratch, "prefix/bin/cra")]);
    return "run by Ruby without Homebrew, installed and run";
  },
};
