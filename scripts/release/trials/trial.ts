/** What a trial of a release is: it installs one format in a folder of its own and runs the program from there. */

export type TrialPlace = {
  /** The folder of the release. */
  readonly release: string;
  /** An empty folder that is removed afterwards. */
  readonly scratch: string;
  /** The name of the file of this machine's processor that ends so. Throws without one. */
  file(ending: string): string;
};

export type Trial = {
  readonly name: string;
  /** Programs that must be on the PATH. */
  readonly needs: readonly string[];
  /** The format's file ends so; a release without one is not tried. */
  readonly ending: string;
  /** Says in a few words what was done. Throws if anything fails. */
  run(place: TrialPlace): Promise<string>;
};

type RunOptions = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string };

/** Runs a command without a terminal and returns its standard output. Throws its errors if it fails. */
export async function run(command: readonly string[], { cwd, env, input }: RunOptions = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}\n${errors}${output}`.trim());
  return output;
}

/** Runs a program that says its version. Throws if it says anything else. */
export async function runsAt(program: readonly string[], options: RunOptions = {}): Promise<void> {
  const output = await run([...program, "--version"], options);
  if (!/^cra \d+\.\d+\.\d+/.test(output)) throw new Error(`${program.join(" ")} --version printed: ${output}`);
}

export const isRoot = (): boolean => process.getuid?.() === 0;
