/** The style of a report: light and dark by the reader's setting, readable on paper, without a font or picture of its own. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --line: #d0d7de; --box: #f6f8fa; --link: #0550ae;
  --t0: #1f6feb; --t1: #2da44e; --t2: #bf8700; --t3: #8250df; --t4: #6e7781; --t5: #d0d7de; --hot: #cf222e; --yes: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --line: #3d444d; --box: #161b22;
  --link: #79c0ff; --t0: #58a6ff; --t1: #3fb950; --t2: #d29922; --t3: #bc8cff; --t4: #8b949e; --t5: #30363d; --hot: #ff7b72; --yes: #3fb950; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 78rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
a { color: var(--link); } p { overflow-wrap: anywhere; }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0; }
.soft, caption { color: var(--soft); } caption { text-align: left; padding: .25rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; min-width: 6.5rem; } th { font-weight: 600; }
td.p { min-width: 14rem; } td.n, th.n { text-align: right; min-width: 0; overflow-wrap: normal; } td.n { white-space: nowrap; }
#rounds td { min-width: 10rem; }
code, pre, td.p { font: 13px/1.45 ui-monospace, monospace; }
pre { margin: .25rem 0 .75rem; padding: .5rem .75rem; background: var(--box); border: 1px solid var(--line); border-radius: 6px;
  overflow-x: auto; white-space: pre; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .25rem .75rem; content-visibility: auto;
  contain-intrinsic-size: auto 2rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } :target > summary { outline: 2px solid var(--hot); }
.bar { display: flex; height: 1.5rem; border-radius: 4px; overflow: hidden; border: 1px solid var(--line); background: var(--t5); }
svg { display: block; max-width: 100%; } svg text { fill: var(--ink); font: 12px ui-monospace, monospace; }
.f0 { fill: var(--t0); } .f1 { fill: var(--t1); } .f2 { fill: var(--t2); } .f3 { fill: var(--t3); } .f4 { fill: var(--t4); } .f5 { fill: var(--t5); }
.edge { fill: none; stroke: var(--t4); stroke-opacity: .55; stroke-width: 1.2; } .edge.on { stroke: var(--hot); stroke-opacity: 1; stroke-width: 2; }
.node rect { fill: var(--box); stroke: var(--line); } .node:focus rect, .node.on rect { stroke: var(--hot); stroke-width: 2; } .node:focus { outline: none; }
.key { display: inline; } .dim { opacity: .25; }
form { display: none; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0; } .js form { display: flex; }
input, select { font: inherit; padding: .2rem .4rem; } input[type=search] { min-width: 16rem; }
.in { color: var(--yes); } .out { color: var(--soft); } [hidden] { display: none !important; }
@media print { nav, form, .skip { display: none !important; } body { max-width: none; font-size: 11px; } details { break-inside: avoid; }
  pre { white-space: pre-wrap; } th, td, td.p, #rounds td { min-width: 3.3rem; } a { color: inherit; text-decoration: none; } }
`;
