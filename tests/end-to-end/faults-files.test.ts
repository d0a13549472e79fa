/** Files and disks that fail: readable files are indexed, others are named, and the next run recovers. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { indexHere } from "../indexing/update/index-repo-world.ts";
import { dumpCuratedFile } from "../support/dump.ts";
import { type FaultSubject, faultSubject, indexInto, ON_ONE_THREAD } from "../support/fault-subject.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { AS_USER, canBeUser, giveToUser } from "../support/other-user.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runShell, startCra } from "../support/run-cra.ts";

const isRoot = process.getuid?.() === 0;

describe.skipIf(!canBeUser)("unreadable files", () => {
  test(
    "is named, the rest is indexed, and with --strict the code is 3",
    async () => {
      using repo = tempRepo({
        "a.py": "def a(): pass\n",
        "closed/b.py": "b = 1\n",
        "secret/c.py": "c = 1\n",
        "z.py": "z = 1\n",
      });
      Bun.spawnSync(["mkfifo", join(repo.path, "pipe.py")]);
      const socket = createServer().listen(join(repo.path, "socket.py"));
      await new Promise((resolve) => socket.once("listening", resolve));
      symlinkSync("/dev/zero", join(repo.path, "device.py"));
      symlinkSync("..", join(repo.path, "closed/up"));
      if (isRoot) Bun.spawnSync(["mknod", join(repo.path, "node.py"), "c", "1", "5"]);
      giveToUser(repo.path);
      chmodSync(join(repo.path, "closed/b.py"), 0o000);
      chmodSync(join(repo.path, "secret"), 0o000);
      using home = tempFolder();
      giveToUser(home.path);
      const options = { cwd: repo.path, home: home.path };
      const run = await runShell(`${AS_USER}"$CRA" index -v`, options);
      const strict = await runShell(`${AS_USER}"$CRA" index --strict -q`, options);
      socket.close();
      for (const line of [
        "problem closed/b.py: permission denied",
        "problem secret: permission denied",
        "skipped pipe.py: special",
        "skipped socket.py: special",
        "skipped device.py: link",
        "skipped closed/up: link",
      ])
        expect(run.stderr).toContain(`${line}\n`);
      expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nfiles +2 /) });
      expect(strict).toMatchObject({
        exitCode: 3,
        stderr: "cra: 2 inputs were skipped, which --strict does not allow; see which with -v\n",
      });
      chmodSync(join(repo.path, "closed/b.py"), 0o644);
      chmodSync(join(repo.path, "secret"), 0o755);
      const later = await runShell(`${AS_USER}"$CRA" index --strict`, options);
      expect(later).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nfiles +4 /) });
    },
    HANG_MS,
  );

  test(
    "a repository that may not be written keeps its index in the user's state folder",
    async () => {
      using repo = tempRepo({ "a.py": "def a(): pass\n" });
      using state = tempFolder();
      giveToUser(repo.path);
      giveToUser(state.path);
      chmodSync(repo.path, 0o555);
      const options = { cwd: repo.path, home: state.path, env: { XDG_STATE_HOME: state.path } };
      expect(await runShell(`${AS_USER}"$CRA" index -q`, options)).toMatchObject({ exitCode: 0, stderr: "" });
      const found = await runShell(`${AS_USER}"$CRA" search a`, options);
      chmodSync(repo.path, 0o755);
      expect(found).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("a.py:1") });
      expect(readdirSync(repo.path)).toEqual(["a.py"]);
      expect(readdirSync(join(state.path, "cra"))).toHaveLength(1);
    },
    HANG_MS,
  );

  test(
    "a data folder that may not be written is read",
    async () => {
      using repo = tempRepo({ "a.py": "def cart(): pass\n" });
      using home = tempFolder();
      using place = tempFolder();
      const data = join(place.path, "data");
      for (const path of [repo.path, home.path, place.path]) giveToUser(path);
      const options = { cwd: repo.path, home: home.path };
      const cra = (words: string) => runShell(`${AS_USER}"$CRA" ${words} --data-dir ${data}`, options);
      expect(await cra("index -q")).toMatchObject({ exitCode: 0 });
      const { stderr } = await cra("retrieve cart");
      const [, id = ""] = /cra explain ([0-9a-f]+)/.exec(stderr) ?? [];
      await runShell(`chmod -R a-w ${data}`, options);
      for (const words of ["status", "sessions", `explain ${id}`, `log ${id}`, "search cart", "recall cart"])
        expect([words, await cra(words)]).toEqual([words, expect.objectContaining({ exitCode: 0 })]);
      await runShell(`chmod -R u+w ${data}`, options);
    },
    HANG_MS,
  );

  test(
    "a repository that may not be entered is refused with a reason",
    async () => {
      using repo = tempRepo({ "a.py": "def cart(): pass\n" });
      using home = tempFolder();
      for (const path of [repo.path, home.path]) giveToUser(path);
      chmodSync(repo.path, 0o600);
      const why = `cra: ${repo.path}: it cannot be entered: permission denied; `;
      const { path: closed } = repo;
      for (const words of [`index --repo ${closed}`, `retrieve cart --repos ${closed}`, `setup --repo ${closed}`]) {
        const refused = await runShell(`${AS_USER}"$CRA" ${words}`, { cwd: home.path, home: home.path });
        expect([words, refused]).toEqual([
          words,
          expect.objectContaining({ exitCode: 2, stderr: expect.stringContaining(why) }),
        ]);
      }
      chmodSync(repo.path, 0o700);
    },
    HANG_MS,
  );

  test(
    "of a data folder, the index or the sessions are named",
    async () => {
      using repo = tempRepo({ "a.py": "def cart(): pass\n" });
      using home = tempFolder();
      for (const path of [repo.path, home.path]) giveToUser(path);
      const cra = (words: string) => runShell(`${AS_USER}"$CRA" ${words}`, { cwd: repo.path, home: home.path });
      expect(await cra("index -q")).toMatchObject({ exitCode: 0 });
      const closed = [
        ["curated.sqlite", 0o644, "unable to open database file", ["index", "status"]],
        [
          "sessions",
          0o700,
          "the folder cannot be listed: permission denied",
          ["status", "sessions", "clean", "doctor"],
        ],
      ] as const;
      for (const [name, mode, why, commands] of closed) {
        const path = join(repo.path, ".cra", name);
        chmodSync(path, 0o000);
        for (const words of commands)
          expect([words, await cra(words)]).toEqual([
            words,
            expect.objectContaining({ exitCode: 74, stderr: expect.stringContaining(`cra: ${path}: ${why}; `) }),
          ]);
        chmodSync(path, mode);
      }
    },
    HANG_MS,
  );

  test(
    "a damaged cache or lock in it does not keep its index from answering",
    async () => {
      using repo = tempRepo({ "a.py": "def cart(): pass\n" });
      using home = tempFolder();
      using place = tempFolder();
      const data = join(place.path, "data");
      for (const path of [repo.path, home.path, place.path]) giveToUser(path);
      const options = { cwd: repo.path, home: home.path };
      const cra = (words: string) => runShell(`${AS_USER}"$CRA" ${words} --data-dir ${data}`, options);
      expect(await cra("index -q")).toMatchObject({ exitCode: 0 });
      // So that the next answer wants to write.
      repo.write({ "b.py": "def late(): pass\n" });
      for (const name of ["parse-cache.sqlite", "lock.sqlite"]) {
        const file = join(data, name);
        await runShell(`cp ${file} ${file}.kept && printf %9000s damaged > ${file} && chmod -R a-w ${data}`, options);
        const found = await cra("search cart");
        expect([name, found]).toEqual([
          name,
          expect.objectContaining({ exitCode: 0, stdout: expect.stringContaining("a.py:1") }),
        ]);
        await runShell(`chmod -R u+w ${data} && mv ${file}.kept ${file}`, options);
      }
    },
    HANG_MS,
  );

  test(
    "a log in it that is empty counts as none, and one that is damaged is named",
    async () => {
      using repo = tempRepo({ "a.py": "def cart(): pass\n" });
      using home = tempFolder();
      using place = tempFolder();
      const data = join(place.path, "data");
      for (const path of [repo.path, home.path, place.path]) giveToUser(path);
      const options = { cwd: repo.path, home: home.path };
      const cra = (words: string) => runShell(`${AS_USER}"$CRA" ${words} --data-dir ${data}`, options);
      expect(await cra("index -q")).toMatchObject({ exitCode: 0 });
      await runShell(`rm -f ${data}/raw.sqlite* && : > ${data}/raw.sqlite && chmod -R a-w ${data}`, options);
      for (const words of ["status", "sessions"])
        expect([words, await cra(words)]).toEqual([words, expect.objectContaining({ exitCode: 0, stderr: "" })]);
      await runShell(`chmod u+w ${data}/raw.sqlite && printf %9000s damaged > ${data}/raw.sqlite`, options);
      expect(await cra("status")).toMatchObject({
        exitCode: 74,
        stderr: expect.stringMatching(
          /^cra: \S+raw\.sqlite: it is damaged and cannot be moved aside: [^\n]+ --data-dir\n$/,
        ),
      });
      await runShell(`chmod -R u+w ${data}`, options);
    },
    HANG_MS,
  );
});

describe("a disk error gives code 74, the error and the next step, and the next run repairs everything", () => {
  let subject: FaultSubject;
  beforeAll(async () => {
    subject = await faultSubject(16, indexHere);
  }, HANG_MS);
  afterAll(() => subject[Symbol.dispose]());

  const refused = async (prefix: string, words: RegExp): Promise<void> => {
    const dataDir = subject.begin("first state");
    const [command, ...args] = indexInto(dataDir);
    const run = await runShell(`${prefix} "$CRA" ${command} ${args.join(" ")}`, {
      cwd: subject.repo.path,
      env: ON_ONE_THREAD,
    });
    expect(run).toMatchObject({ exitCode: 74, stdout: "", stderr: expect.stringMatching(words) });
    expect(await subject.after(dataDir)).toEqual({ seen: "first", breaches: [] });
  };

  test.skipIf(Bun.which("prlimit") === null)(
    "no file may grow",
    () => refused("prlimit --fsize=20000", /^cra: \S+: [^\n]+; [^\n]+ --data-dir\n$/),
    HANG_MS,
  );
  test.skipIf(Bun.which("prlimit") === null)(
    "commands that only read still answer while no file may grow",
    async () => {
      using repo = tempRepo({ "a.py": "def cart(): pass\n" });
      using home = tempFolder();
      const options = { cwd: repo.path, home: home.path };
      await runShell(`"$CRA" index -q`, options);
      const { stderr } = await runShell(`"$CRA" retrieve cart`, options);
      const [, id = ""] = /cra explain ([0-9a-f]+)/.exec(stderr) ?? [];
      for (const words of [
        "status",
        "sessions",
        `explain ${id}`,
        `log ${id}`,
        "doctor",
        "clean",
        "search cart",
        "recall cart",
      ])
        for (const bytes of [0, 20_000])
          expect([words, bytes, await runShell(`prlimit --fsize=${bytes} "$CRA" ${words}`, options)]).toEqual([
            words,
            bytes,
            expect.objectContaining({ exitCode: 0 }),
          ]);
    },
    HANG_MS,
  );
  test(
    "no more files may be open",
    async () => {
      const dataDir = subject.begin("first state");
      const codes: (number | null)[] = [];
      for (const most of [8, 12, 16, 24]) {
        const lines = `ulimit -n ${most}; "$CRA" ${indexInto(dataDir).join(" ")}`;
        const run = await runShell(lines, { cwd: subject.repo.path, env: ON_ONE_THREAD });
        codes.push(run.exitCode);
        // Where it cannot start a thread, Bun ends the process itself.
        if (run.exitCode === 1) expect(run.stderr).toContain("bun ran out of file descriptors");
        else if (run.exitCode !== 0) {
          expect(run).toMatchObject({ exitCode: 74, stderr: expect.stringMatching(/^cra: [^\n]+; [^\n]+\n$/) });
        }
      }
      expect(codes).toContain(74);
      expect((await subject.after(dataDir)).breaches).toEqual([]);
    },
    HANG_MS,
  );
});

describe("files that change during reading", () => {
  const dumpOf = (dataDir: string): string => dumpCuratedFile(dataPaths(dataDir).curated);
  const index = async (repo: TempRepo, dataDir: string): Promise<string> => {
    expect(await indexHere(repo, dataDir)).toBe("");
    return dumpOf(dataDir);
  };
  const partOf = (n: number, round: number): string =>
    `from m${n % 3} import f${n % 3}\n\ndef f${n}():\n    return ${round}\n`;

  test(
    "or vanish, or come on another branch, are right after the next run",
    async () => {
      const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}.py`, partOf(n, 0)]));
      using repo = tempRepo(files, { git: true });
      using data = tempFolder();
      repo.git("switch", "--quiet", "--create", "other");
      for (let n = 0; n < 40; n += 2) repo.remove(`m${n}.py`);
      repo.write(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`new/n${n}.py`, partOf(n, 9)])));
      repo.commit("Other");
      const dataDir = join(data.path, "grown");
      await using cra = await startCra(indexInto(dataDir), { cwd: repo.path, env: ON_ONE_THREAD });
      let isOver = false;
      void cra.ended.then(() => {
        isOver = true;
      });
      for (let round = 1; !isOver; round += 1) {
        repo.git("switch", "--quiet", "--force", round % 2 === 0 ? "other" : "main");
        repo.write({ "m1.py": partOf(1, round), [`late${round % 7}.py`]: partOf(2, round) });
        rmSync(join(repo.path, `late${(round + 3) % 7}.py`), { force: true });
        await Bun.sleep(5);
      }
      expect(await cra.ended).toEqual({ exitCode: 0, signal: null });
      expect(await index(repo, dataDir)).toBe(await index(repo, join(data.path, "fresh")));
    },
    HANG_MS,
  );

  test(
    "count by what they hold, whatever time their system gives them",
    async () => {
      using repo = tempRepo({ "a.py": partOf(1, 1), "b.py": partOf(2, 2) }, { git: true });
      using data = tempFolder();
      const dataDir = join(data.path, "grown");
      const times = [new Date(0), new Date("2099-01-01")];
      const [early = new Date(0)] = times;
      utimesSync(join(repo.path, "a.py"), early, early);
      let before = await index(repo, dataDir);
      for (const time of times) {
        for (const name of ["a.py", "b.py"]) utimesSync(join(repo.path, name), time, time);
        expect(await index(repo, dataDir)).toBe(before);
        // The same size and the same time, but other content.
        writeFileSync(join(repo.path, "a.py"), partOf(1, 2 + times.indexOf(time)));
        utimesSync(join(repo.path, "a.py"), time, time);
        const after = await index(repo, dataDir);
        expect(after).not.toBe(before);
        before = after;
      }
      expect(before).toBe(await index(repo, join(data.path, "fresh")));
    },
    HANG_MS,
  );
});
