/** Shows a long text in the user's pager, as git does: on a terminal, when it has more lines than that. */
import type { Context } from "../syntax/command.ts";

/** Options that make `less` leave a short text on the screen, unless the user has set others. */
const LESS = "FRX";

/** Prints the text where there is no terminal, where it fits, and where there is no pager. */
export async function page({ device, output, environment }: Context, text: string): Promise<void> {
  const { variables } = environment;
  const screen = device?.screen;
  const pager = variables.PAGER ?? "less";
  const isLong = screen?.isTTY === true && text.split("\n").length > screen.rows;
  if (device === undefined || !isLong || pager === "" || pager === "cat" || variables.TERM === "dumb")
    return await output.data(text);
  let isShown = false;
  await device.lent(async () => {
    isShown = await ranPager(pager, output.safe(text), variables);
  });
  if (!isShown) await output.data(text);
}

/** False when there is no such pager. */
async function ranPager(
  pager: string,
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const run = Bun.spawn(["sh", "-c", pager], {
    env: { LESS, ...variables },
    stdin: new Blob([text]),
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await run.exited) !== NO_SUCH_COMMAND;
}

/** What a shell exits with for a command that it does not find. */
const NO_SUCH_COMMAND = 127;
