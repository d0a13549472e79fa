/**
 * What agents read about cra: the block for their instructions, and the skill. The block is read with each task and the skill when it is
 * needed, so both are short.
 */

/** Under 150 words. */
export const INSTRUCTIONS = `## Finding code: cra

The MCP server \`cra\` has this repository indexed. It finds the code for a task in one call, which is faster than searching and reading files.

- Before you search or open files for a task: \`retrieve\`, with the task in the user's own words. After a failure, also pass its output as \`trace\`; for a review, pass \`diff\`.
- The package lacks something, is wrong, or your attempt failed: \`refine\` with its \`task_id\`. Do not start again with \`retrieve\`.
- You need more of a file or symbol than the package shows: \`read\`.
- You look for one name or phrase: \`search\`.
- You wonder why something is in a package or missing: \`explain\`.

Without these tools, run \`cra retrieve "TASK"\` or \`cra search NAME\` in the shell.
`;

const SKILL_HEAD = `---
name: cra
`;

export const SKILL = {
  begins: SKILL_HEAD,
  content: `${SKILL_HEAD}description: Find the code that a task needs in this repository, within a token budget. Use before searching or reading files for a bug fix, feature, review or question, after a failed test, and to look up where something is defined.
---

# Find code with cra

\`cra\` has the repository indexed and turns a task into a context package: the code that the task needs, with a reason for each piece.
Use its MCP tools; without them, use the commands in the shell.

| you want | tool | command |
| --- | --- | --- |
| the code for a task | \`retrieve\` with \`task\` | \`cra retrieve "fix the login redirect"\` |
| the same, to plan, fix, review or explain | \`retrieve\` with \`for\` | \`cra retrieve "…" --for plan\` |
| the code of a failure | \`retrieve\` with \`trace\` | \`pytest 2>&1 \\| cra retrieve "fix it" --trace -\` |
| what a change touches | \`retrieve\` with \`diff\` or \`since\` | \`cra retrieve "review" --since main\` |
| another round of a package | \`refine\` with \`task_id\` | \`cra refine ID --missing-file a.py --only-new\` |
| more of a file or symbol | \`read\` | \`cra search NAME\` |
| one name or phrase | \`search\` | \`cra search parse_header\` |
| why something is in or out | \`explain\` | \`cra explain ID a.py\` |

1. Call \`retrieve\` once, first, with the task in the user's words. Paste error messages and names unchanged.
2. Read the package. Its last line says what would come next and what that costs.
3. If something is missing or wrong, call \`refine\` with what you know: files and symbols that are needed, right or wrong, and new errors.
   It shows what is new, and names what is as you have it. Do not repeat \`retrieve\` with other words.
4. Edit files as usual. The package is current: cra reads changed files again before each answer.

Do not use cra for files whose path you know and can read at once, or for text outside of the repository.
`,
};
