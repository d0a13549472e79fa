/** File systems that fold the case of names or decompose their characters, as those of macOS and Windows: the same index as anywhere. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { dumpCuratedFile } from "../support/dump.ts";
import { tempFolder } from "../support/folder.ts";
import { CAN_MOUNT, type Folding, foldingMount } from "../support/folding-mount.ts";
import { HANG_MS } from "../support/hang.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";

setDefaultTimeout(HANG_MS);

const CAFE = "caf\u00e9";
const FILES = {
  [`shop/${CAFE}.py`]: "def price_of(cup):\n    return cup.price\n",
  "shop/bill.py": `from shop.${CAFE} import price_of\n\n\ndef bill_total(cups):\n    return sum(price_of(cup) for cup in cups)\n`,
  "docs/Guide.md": "# Bills\n\nHow bill_total adds.\n",
  ".gitignore": "OUT/\n",
  "out/made.py": "def made(): pass\n",
};

describe.skipIf(!CAN_MOUNT).each(["case", "decomposed"] satisfies Folding[])(
  "on a file system that folds names: %s (needs FUSE and the right to mount)",
  (kind) => {
    const repo = tempRepo(FILES, { git: true });
    const state = tempFolder();
    let mounted: Awaited<ReturnType<typeof foldingMount>> | null = null;
    const setting = kind === "case" ? "core.ignorecase" : "core.precomposeunicode";

    beforeAll(async () => {
      for (const at of [1, 2]) {
        repo.write({
          [`shop/${CAFE}.py`]: `${FILES[`shop/${CAFE}.py`]}# ${at}\n`,
          "shop/bill.py": `${FILES["shop/bill.py"]}# ${at}\n`,
        });
        repo.commit(`Change bills ${at}`);
      }
      repo.git("config", setting, "true");
      mounted = await foldingMount(repo.path, kind);
    });
    afterAll(async () => {
      await mounted?.[Symbol.asyncDispose]();
      state[Symbol.dispose]();
      repo[Symbol.dispose]();
    });

    const indexed = async (cwd: string, name: string): Promise<string> => {
      const data = join(state.path, name);
      const run = await runCra(["index", "-q", "--data-dir", data], { cwd });
      expect([run.exitCode, run.stderr]).toEqual([0, ""]);
      return dumpCuratedFile(join(data, "curated.sqlite"));
    };

    test("the index is that of any other: names, imports, references, history", async () => {
      const folded = await indexed(mounted?.path ?? "", "folded");
      expect(folded).toBe(await indexed(repo.path, "plain"));
      expect(folded).toContain(`shop/${CAFE}.py`);
    });

    test("a name in any of its forms is found, and no .git is entered under another case", async () => {
      const asked = kind === "case" ? `SHOP/${CAFE.toUpperCase()}.py` : `shop/${CAFE.normalize("NFD")}.py`;
      const args = ["retrieve", `fix price_of in ${asked}`, "-q", "--data-dir", join(state.path, "folded")];
      const run = await runCra(args, { cwd: mounted?.path ?? "" });
      expect(run.exitCode).toBe(0);
      expect(run.stdout).toContain(`### shop/${CAFE}.py`);
      expect(run.stdout).not.toMatch(/\.git\//i);
    });
  },
);
