/** The OCI image: copied by `skopeo`, unpacked by `umoci`, and run in a root of its own. */
import { join } from "node:path";
import { isRoot, run, runsAt, type Trial } from "./trial.ts";

export const IMAGE: Trial = {
  name: "OCI image",
  needs: ["skopeo", "umoci", "unshare", "chroot"],
  ending: "-oci.tar",
  async run({ scratch, file }) {
    const layout = join(scratch, "layout");
    const policy = join(scratch, "policy.json");
    await Bun.write(policy, JSON.stringify({ default: [{ type: "insecureAcceptAnything" }] }));
    await run(["skopeo", "--policy", policy, "copy", `oci-archive:${file("-oci.tar")}`, `oci:${layout}:tried`]);
    const rootless = isRoot() ? [] : ["--rootless"];
    await run(["umoci", "unpack", ...rootless, "--image", `${layout}:tried`, join(scratch, "bundle")]);
    const root = join(scratch, "bundle/rootfs");
    const asRoot = isRoot() ? [] : ["--map-root-user"];
    await run(["mkdir", "-p", join(root, "proc")]);
    const prefix = ["unshare", ...asRoot, "--mount", "--pid", "--fork", `--mount-proc=${join(root, "proc")}`];
    await runsAt([...prefix, "chroot", root, "/usr/bin/cra"]);
    return "copied by skopeo, unpacked by umoci and run in its own root";
  },
};
