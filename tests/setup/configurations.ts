/** Configurations as the agents' documentation shows them and as users leave them: real contents in all forms of a text. */

/** Line ends, byte order mark, final line end. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.trimEnd(),
  (text) => `\uFEFF${text}`,
  (text) => `${text}\n\n`,
];

const inAllForms = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => FORMS.map((form) => form(text)));

/** JSON with and without comments. */
export const JSON_TEXTS = inAllForms([
  `{}\n`,
  `{\n}\n`,
  `{ "mcpServers": {} }\n`,
  `{\n  "mcpServers": {\n    "github": {\n      "command": "npx",\n      "args": ["-y", "@modelcontextprotocol/server-github"],\n      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "\${TOKEN}" }\n    }\n  }\n}\n`,
  `// Settings of the editor.\n{\n\t"theme": "One Dark", // dark\n\t/* servers */\n\t"mcpServers": { // two of them\n\t\t"a": { "command": "a" }, // the first\n\t\t"b": { "url": "http://127.0.0.1:8080/mcp" },\n\t},\n}\n`,
  `{"mcpServers":{"linear":{"type":"http","url":"https://mcp.linear.app/mcp"}},"permissions":{"allow":["Bash(ls)"]}}\n`,
  `{\n    "$schema": "https://opencode.ai/config.json",\n    "model": "anthropic/claude-sonnet-4-5",\n    "mcp": {\n        "weather": { "type": "local", "command": ["bun", "x", "weather"], "enabled": true }\n    },\n    "hooks": {\n        "UserPromptSubmit": [\n            { "hooks": [{ "type": "command", "command": "echo hi" }] }\n        ]\n    }\n}\n`,
  `{\n  "context": { "fileName": ["AGENTS.md", "GEMINI.md"] },\n  "mcpServers": {\n    // "off": { "command": "x" },\n  },\n  "hooks": { "UserPromptSubmit": [] }\n}\n`,
  `{\n  /*\n   * Amp\n   */\n  "amp.mcpServers": {},\n  "amp.showCosts": false\n}\n`,
  `{ "a": "// no comment", "b": "{", "mcpServers"  :  {  "x" : { } } , "c": [ ] }\n`,
]);

export const TOML_TEXTS = inAllForms([
  `\n`,
  `model = "gpt-5.2-codex"\napproval_policy = "on-request"\n`,
  `# Codex\nmodel = "gpt-5.2-codex" # the model\n\n[profiles.max]\nmodel = "gpt-5.1-codex-max"\n`,
  `[mcp_servers.github]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "server-github",\n]\nenv = { TOKEN = "x" }\n`,
  `[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.a.env]\nKEY = "1"\n\n[projects."/home/me/app"]\ntrust_level = "trusted"\n`,
  `notify = ["sh", "-c", """\necho [mcp_servers.cra]\n"""]\n[features]\nhooks = true\n`,
  `[[hooks.PreToolUse]]\nmatcher = "Bash"\n\n[[hooks.PreToolUse]]\nmatcher = 'Edit'\n`,
  `mcp_servers.dotted.command = "x"\n`,
  `\tmodel = "x"\n\t[tui]\n\ttheme = "dark"   \n   \n`,
  `"quoted key" = 1\n[mcp_servers]\n[mcp_servers."with space"]\nurl = "https://example.com/mcp"\n`,
]);

export const YAML_TEXTS = inAllForms([
  `# nothing yet\n`,
  `GOOSE_PROVIDER: anthropic\nGOOSE_MODEL: claude-sonnet-4-5\n`,
  `extensions:\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    timeout: 300\n    type: builtin\n`,
  `extensions: # all of them\n  # the first\n  fetch:\n    cmd: uvx\n    args:\n    - mcp-server-fetch\n    envs: {}\n\nGOOSE_MODE: smart_approve\n`,
  `extensions: {}\nGOOSE_MODE: auto\n`,
  `extensions:\nGOOSE_MODE: auto\n`,
  `extensions: { developer: { enabled: true, type: builtin } }\n`,
  `base: &base\n    enabled: true\nextensions:\n    a:\n        <<: *base\n        type: stdio\n    b: *base\n`,
  `slash_commands:\n- command: plan\n  recipe_path: ~/plan.yaml\nextensions:\n  memory: {type: builtin}\nnote: |\n  extensions:\n    not: this\n`,
  `"extensions":\n      'quoted':\n            cmd: "x: y"\n            description: >-\n                folded\n                text\n`,
]);

export const MARKDOWN_TEXTS = inAllForms([
  `\n`,
  `# Rules\n\n- Run the tests.\n`,
  `# AGENTS.md\n\n## Build\n\n\`\`\`sh\nnpm test\n\`\`\`\n`,
  `@AGENTS.md\n\n## Claude Code\n\nUse plan mode.\n`,
  `---\ntitle: rules\n---\nText without a heading\n`,
  `<!-- begin: other tool -->\nblock\n<!-- end: other tool -->\n`,
  `# Übersicht\n\n| a | b |\n| - | - |\n| 日本 | 🙂 |\n`,
  `    indented\n\n\n\n`,
  `* a\n* b  \n* c\\\n`,
  `Title\n=====\n\nSee [this](x.md "y").\n\n[x]: http://example.com\n`,
]);
