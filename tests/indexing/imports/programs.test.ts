/** Tests that run a program of the repository. */
import { checkEdges } from "./imports-check.ts";

checkEdges(
  "Rust: a name of Cargo leads to the root of a program of the package",
  `
//- Cargo.toml
[package]
name = "shop"
[[bin]]
name = "sh"
path = "core/main.rs"
[[bin]]
name = "gone"
path = "core/gone.rs"
//- core/main.rs
//- src/main.rs
//- src/bin/tool.rs
//- src/bin/other/main.rs
//- tests/a.rs
fn run() {
  let listed = env!("CARGO_BIN_EXE_sh");
  let own = env!("CARGO_BIN_EXE_shop");
}
//- tests/b.rs
fn run() {
  Command::cargo_bin("tool").unwrap();
  Command::new(get_cargo_bin("other"));
}
//- tests/c.rs
fn run() {
  Command::new(assert_cmd::cargo::cargo_bin!("tool"));
}
//- tests/d.rs
fn run() {
  let missing = (env!("CARGO_BIN_EXE_gone"), env!("tool"), cargo_bin("bin"), cargo_bin("../main"), find_bin("tool"));
}
//- member/Cargo.toml
[package]
name = "member"
//- member/tests/e.rs
fn run() {
  Command::cargo_bin("tool").unwrap();
}
`,
  `
tests/a.rs -> core/main.rs
tests/a.rs -> src/main.rs
tests/b.rs -> src/bin/other/main.rs
tests/b.rs -> src/bin/tool.rs
tests/c.rs -> src/bin/tool.rs
`,
);

checkEdges(
  "Python: a module that the interpreter is to run",
  `
//- shop/__init__.py
//- shop/__main__.py
//- shop/tool.py
//- message/__init__.py
//- tests/test_list.py
import sys
subprocess.run([sys.executable, "-m", "shop", "add"])
//- tests/test_arguments.py
run(sys.executable, "-m", "shop.tool", "-m", "message")
//- tests/test_name.py
check_output(["python3", "-m", "shop.tool"])
//- tests/test_none.py
run(["git", "commit", "-m", "message"])
run([sys.executable, "-m", f"{name}shop"])
`,
  `
tests/test_arguments.py -> shop/tool.py
tests/test_list.py -> shop/__main__.py
tests/test_name.py -> shop/tool.py
`,
);

checkEdges(
  "Bash: a script that is run by its path, or whose path is kept",
  `
//- install.sh
//- bin/tool.sh
//- bin/other.sh
//- test/run.sh
"$ROOT/bin/tool.sh" --fast
bash -e "$ROOT/bin/other.sh" | grep a/b
tool.sh
OUT="$ROOT/install.sh"
/install.sh
//- test/run.bats
SCRIPT="$BATS_TEST_DIRNAME/../install.sh"
@test "installs" {
  run "$SCRIPT" --dry-run
  run -1 "$BATS_TEST_DIRNAME/../bin/tool.sh"
}
`,
  `
test/run.bats -> bin/tool.sh
test/run.bats -> install.sh
test/run.sh -> bin/other.sh
test/run.sh -> bin/tool.sh
`,
);
