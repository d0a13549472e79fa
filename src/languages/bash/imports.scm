; Files that a script of Bash or a test of Bats reads into itself, or runs. The path is read from the text (`named-path.ts`),
; because expansions in it are nodes of their own.

; source "$here/lib.sh", . ./lib.sh, load test_helper
(command
  name: (command_name) @_name
  argument: (_)
  (#any-of? @_name "source" "." "\\." "load")) @import

; "$here/tool.sh" --fast
(command
  name: (command_name) @_name
  (#match? @_name "/")
  (#set! kind "dynamic")) @import

; bash "$here/tool.sh", run "$here/tool.sh" (of Bats)
(command
  name: (command_name) @_name
  argument: (_)
  (#any-of? @_name "bash" "sh" "run")
  (#set! kind "dynamic")) @import

; SCRIPT="$BATS_TEST_DIRNAME/../tool.sh", in the folder of the script
(variable_assignment
  value: (_) @_value
  (#match? @_value "BATS_TEST_DIRNAME|BASH_SOURCE|\\$0")
  (#set! kind "dynamic")) @import
