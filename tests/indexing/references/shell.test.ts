import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Bash", () => {
  check(
    "functions of the script itself, of what it sources, and of what that sources",
    `
//- bin/run.sh
source "$ROOT/lib/log.sh"
"$ROOT/lib/other.sh"
main() {
  log_line "$(read_config list)" && near-by
  not_sourced
  trap clean_up EXIT
  echo log_line
}
near-by() {
  main
}
clean_up() {
  rm -f x
}
//- lib/log.sh
. "$(dirname "$0")/text.sh"
log_line() {
  main
}
//- lib/text.sh
function read_config {
  list
}
//- lib/other.sh
not_sourced() {
  near-by
}
//- test/run.bats
load ../lib/log.sh
@test "logs" {
  run log_line one
  run --separate-stderr read_config
  near-by
}
`,
    `
bin/run:main -> bin/run:clean_up call 1
bin/run:main -> bin/run:near-by call 1
bin/run:main -> lib/log:log_line call 0.8
bin/run:main -> lib/text:read_config call 0.8
bin/run:near-by -> bin/run:main call 1
test/run:logs -> lib/log:log_line call 0.8
test/run:logs -> lib/text:read_config call 0.8
`,
  );
});
