/** What is found in Bash: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { factsOf, importLines, symbolLines } from "../syntax/render.ts";

test("definitions of every kind", async () => {
  const source = `#!/bin/bash
# Says hello.
hello() { local x=1; echo hi; }
function foo { echo; }
function bar() {
  y=1
}
ns::fn() ( echo )
my-fn () { :; }
VAR=1
export EXP=2
readonly RO=3
declare -A MAP=([a]=1)
declare -r X Y=2
typeset Z=1
arr=(a b)
if true; then COND=1; inner() { :; }; fi
VAR+=x
A=1 cmd
alias ll='ls -l'
# shellcheck disable=SC2034
# Trims $1.
trim() {
  if eval "(( $1 > 0 ))"; then echo "$1"; fi
}
`;
  const expected = `
+function hello 2/3-3 hello() «plain: Says hello.»
+function foo 4-4 function foo
+function bar 5-7 function bar()
+function ns::fn 8-8 ns::fn()
+function my-fn 9-9 my-fn ()
+variable VAR 10-10 VAR=1
+variable EXP 11-11 export EXP=2
+variable RO 12-12 readonly RO=3
+variable MAP 13-13 declare -A MAP=([a]=1)
+variable X 14-14 declare -r X Y=2
+variable Y 14-14 declare -r X Y=2
+variable Z 15-15 typeset Z=1
+variable arr 16-16 arr=(a b)
+function inner 17-17 inner()
+variable VAR 18-18 VAR+=x
+function trim 22/23-25 trim() «plain: Trims $1.»
`;
  expect(await symbolLines("bash", source)).toEqual(expected.trim().split("\n"));
});

test("the first comment of a file after the shebang is its documentation", async () => {
  const { doc } = await factsOf("bash", "#!/bin/sh\n#\n# Builds all.\n\nset -e\n");
  expect(doc).toEqual({ content: "Builds all.", format: "plain" });
});

test("definitions around expansions that the grammar does not support", async () => {
  const source = `
first() {
  part="\${text:0:$at + 1}"
}
second() {
  out="\${out:+$out;}$*"
}
third() { echo "\${1:-none}"; }
`;
  const expected = `
+function first 2-4 first()
+function second 5-7 second()
+function third 8-8 third()
`;
  expect(await symbolLines("bash", source)).toEqual(expected.trim().split("\n"));
});

test("definitions around syntax of Zsh", async () => {
  const source = `
flags() { lines=(\${(f)"$(run)"}); print \${(j:,:)lines}; }
present() { if (( $+commands[git] )) && (( \${+aliases[g]} )); then g; fi; }
nested() { print \${\${(s: :)1}[1]} \${\${1#a}%b}; }
files() { for file in *(.N) **/*(N); do print $file; done; }
start() { if [[ $OSTYPE == darwin* ]]; then return; fi; }
listed() { print $list[(Ie)$1]; }
apart() { run &|
}
short() { print short }
() {
  local none
}
last() { print; }
`;
  const expected = `
+function flags 2-2 flags()
+function present 3-3 present()
+function nested 4-4 nested()
+function files 5-5 files()
+function start 6-6 start()
+function listed 7-7 listed()
+function apart 8-9 apart()
+function short 10-10 short()
+function last 14-14 last()
`;
  expect(await symbolLines("bash", source)).toEqual(expected.trim().split("\n"));
});

test("tests of Bats are definitions with their titles as names", async () => {
  const source = `
load 'test_helper/common'
setup() {
  run start
}
# Adds.
@test "adds two numbers (really) to $sum" {
  [ "$status" -eq 0 ]
  helper() { :; }
}
  @test 'one "line"' { run x; }
@test "one \\"part\\""\t{ # why
  run x <<EOF
@test "no test" {
EOF
}
@test "" { run x; }
function marked { # @test
  run x
}
`;
  const expected = `
+function setup 3-5 setup()
+function adds two numbers (really) to $sum 6/7-10 @test "adds two numbers (really) to $sum" «plain: Adds.»
-function adds two numbers (really) to $sum.helper 9-9 helper()
+function one "line" 11-11 @test 'one "line"'
+function one \\"part\\" 12-16 @test "one \\"part\\""
+function marked 18-20 function marked
`;
  expect(await symbolLines("bash", source)).toEqual(expected.trim().split("\n"));
});

test("files that a script reads into itself, with an expansion as $", async () => {
  const source = `
source lib.sh
. "./a b.sh" one two
[ -s x ] && \\. "$NVM_DIR/nvm.sh" --no-use
if [ -f x ]; then source "\${0%/*}"/'y.sh' 2>/dev/null; fi
. "$(cd "$(dirname "\${BASH_SOURCE[0]:-$0}")" && pwd)/z.sh"; echo source no
load test_helper/common
source <(kubectl completion bash)
source "$1"
. \`dirname $0\`/old.sh
echo "source w.sh"
`;
  const expected = `
2 import lib.sh
3 import ./a b.sh
4 import $/nvm.sh
5 import $/y.sh
6 import $/z.sh
7 import test_helper/common
10 import $/old.sh
`;
  expect(await importLines("bash", source)).toEqual(expected.trim().split("\n"));
});
