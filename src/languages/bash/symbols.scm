; Definitions of Bash.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins.

; f() { }, function f { }, f() ( )
(function_definition name: (_) @name body: (_) @body) @symbol.function

; A=1, at the top
(program
  (variable_assignment name: (variable_name) @name) @symbol.variable)

; A=1 B=2
(program
  (variable_assignments
    (variable_assignment name: (variable_name) @name) @symbol.variable))

; export A=1, readonly A=1, declare -A A=()
(program
  (declaration_command
    (variable_assignment name: (variable_name) @name)) @symbol.variable)

; declare -r A
(program
  (declaration_command
    . ["declare" "typeset" "readonly"]
    (variable_name) @name) @symbol.variable)
