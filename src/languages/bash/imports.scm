; Files that a script of Bash or a test of Bats reads into itself. The path is read from the text (`sourced-path.ts`), because
; expansions in it are nodes of their own.

; source "$here/lib.sh", . ./lib.sh, load test_helper
(command
  name: (command_name) @_name
  argument: (_)
  (#any-of? @_name "source" "." "\\." "load")) @import
