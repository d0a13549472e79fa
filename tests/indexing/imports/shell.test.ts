import { checkEdges } from "./imports-check.ts";

checkEdges(
  "a sourced path counts from the script's folder, or from one around it, whatever variable names that",
  `
//- bin/run.sh
source ./near.sh
. "$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)/../lib/log.sh"
source "$ROOT/lib/net.sh"
source lib/text.sh || exit 1
source "\${HOME}/.secrets"
source /etc/profile
. ~/lib/log.sh
source "$LIB"
source "$ROOT/lib/$1.sh"
source "../../outside.sh"
//- bin/near.sh
//- near.sh
//- lib/log.sh
//- lib/net.sh
. "$(dirname "$0")/text.sh"
//- lib/text.sh
//- etc/profile
//- outside.sh
`,
  `
bin/run.sh -> bin/near.sh
bin/run.sh -> lib/log.sh
bin/run.sh -> lib/net.sh
bin/run.sh -> lib/text.sh
lib/net.sh -> lib/text.sh
`,
);

checkEdges(
  "a test of Bats loads its helper with or without the extension, and sources a file without one",
  `
//- test/unit/add.bats
load helper
load '../common/assert.bash'
setup() {
  source "$BATS_TEST_DIRNAME/../../plugins/math/functions"
}
@test "adds" {
  run add 1 2
}
//- test/unit/helper.bash
//- test/common/assert.bash
//- plugins/math/functions
`,
  `
test/unit/add.bats -> plugins/math/functions
test/unit/add.bats -> test/common/assert.bash
test/unit/add.bats -> test/unit/helper.bash
`,
);
