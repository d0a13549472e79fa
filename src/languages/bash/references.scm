; Uses of names in Bash: @reference.call is the name of a command, which may be a function.

(command name: (command_name (word) @reference.call))

; run add 1 2 (of Bats), trap clean_up EXIT
(command
  name: (command_name) @_runner
  . argument: (word) @reference.call
  (#any-of? @_runner "run" "trap"))

; run --separate-stderr add 1 2
(command
  name: (command_name) @_runner
  . argument: (word) @_option
  . argument: (word) @reference.call
  (#any-of? @_runner "run" "trap")
  (#match? @_option "^-"))
