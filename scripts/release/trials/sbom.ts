/** The bill of materials against the schema of CycloneDX, by CycloneDX's own library from the npm registry. */
import { join } from "node:path";
import { run, type Trial } from "./trial.ts";

const PACKAGES = ["@cyclonedx/cyclonedx-library@10.3.0", "ajv@8", "ajv-formats@3", "ajv-formats-draft2019@1"];
const SCRIPT = `
  const { Validation, Spec } = require("@cyclonedx/cyclonedx-library");
  const text = require("node:fs").readFileSync(process.argv[1], "utf8");
  new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text).then((error) => {
    if (error !== null) throw new Error(JSON.stringify(error));
  });
`;

export const SBOM: Trial = {
  name: "CycloneDX",
  needs: ["npm", "node"],
  ending: ".cdx.json",
  async run({ scratch, file }) {
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", "--prefix", scratch];
    // This one needs the registry, and what the user set up for it.
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
    await run(["npm", "install", ...options, ...PACKAGES], { cwd: scratch, env });
    await run(["node", "-e", SCRIPT, join(file(".cdx.json"))], { cwd: scratch });
    return "valid by its schema 1.6";
  },
};
