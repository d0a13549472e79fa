; Uses of names in Dart: @reference.<kind> is the name, @qualifier the part before its last dot, @local a variable of a function. If two
; patterns match one place, the first wins. The grammar has the parts of a chain side by side, so that what is before a name is read
; from the text. By convention, types start with a capital, and prefixes of imports do not.

(annotation name: (identifier) @reference.decorate)

; p.A
((type_identifier) @reference.none
  . (type_identifier)
  (#match? @reference.none "^[a-z]"))

; class A extends B with M, mixin M on B
([
  (superclass (type_identifier) @reference.inherit)
  (mixins (type_identifier) @reference.inherit)
  (mixin_application . (type_identifier) @reference.inherit)
  (mixin_declaration (type_identifier) @reference.inherit)
]
  (#set! qualifier "before"))

([
  (superclass (type_identifier) @reference.inherit)
  (mixins (type_identifier) @reference.inherit)
  (mixin_application . (type_identifier) @reference.inherit)
  (mixin_declaration (type_identifier) @reference.inherit)
])

; implements A
((interfaces (type_identifier) @reference.implement)
  (#set! qualifier "before"))

(interfaces (type_identifier) @reference.implement)

; new A.b(), const A.b()
(new_expression (type_identifier) @qualifier . (identifier) @reference.call)
(const_object_expression (type_identifier) @qualifier . (identifier) @reference.call)

; new p.A(), const A()
([
  (new_expression (type_identifier) @reference.call)
  (const_object_expression (type_identifier) @reference.call)
]
  (#set! qualifier "before"))

(new_expression (type_identifier) @reference.call)
(const_object_expression (type_identifier) @reference.call)

; test("title", () { })    Also names of the language, where nothing hides them.
((identifier) @reference.call
  . (selector (argument_part))
  (#set! of "others"))

; a.b(), a?.b()
((selector [
    (unconditional_assignable_selector (identifier) @reference.call)
    (conditional_assignable_selector (identifier) @reference.call)
  ])
  . (selector (argument_part))
  (#set! qualifier "before"))

; super.b()
((super)
  . (unconditional_assignable_selector (identifier) @reference.call)
  . (selector (argument_part))
  (#set! qualifier "before"))

; a..b()
((identifier) @qualifier
  . (cascade_section (cascade_selector (identifier) @reference.call) . (argument_part)))

; run(f), run(then: f)
((argument . (identifier) @reference.call .)
  (#set! of "functions"))

((named_argument (label) . (identifier) @reference.call .)
  (#set! of "functions"))

; A.b: the type of a constant, of a constructor or of a static member
((identifier) @reference.type
  . (selector (unconditional_assignable_selector))
  (#match? @reference.type "^_?[A-Z]"))

; All other types
((type_identifier) @reference.type
  (#match? @reference.type "^_?[A-Z]")
  (#set! qualifier "before"))

((type_identifier) @reference.type
  (#match? @reference.type "^_?[A-Z]"))

; Variables of functions. By convention, a call of a name with a capital makes one of that type. What is before the name of a type is read
; from the text, and a call ends where its last arguments begin.
; part declared
(type_identifier) @local.type . (type_arguments)? . (nullable_type)?
; end

; part chain
(_) @local.call (selector (argument_part)) @local.arguments
; end

(initialized_variable_definition name: (identifier) @local)
(initialized_identifier (identifier) @local)
(formal_parameter name: (identifier) @local)
(for_loop_parts name: (identifier) @local)
(catch_parameters (identifier) @local)
(variable_pattern (identifier) @local)
(pattern_variable_declaration (record_pattern (constant_pattern (identifier) @local)))

((initialized_variable_definition {declared} . name: (identifier) @local)
  (#set! qualifier "before"))

((initialized_variable_definition
  [(inferred_type) (final_builtin)]
  . name: (identifier) @local
  . (identifier) @local.type
  . (selector (argument_part)) .)
  (#match? @local.type "^_?[A-Z]"))

((initialized_variable_definition
  [(inferred_type) (final_builtin)]
  . name: (identifier) @local
  . [
    (new_expression . (type_identifier) @local.type . (type_arguments)? . (arguments))
    (const_object_expression (const_builtin) . (type_identifier) @local.type . (type_arguments)? . (arguments))
  ] .)
  (#set! qualifier "before"))

(initialized_variable_definition
  [(inferred_type) (final_builtin)]
  . name: (identifier) @local
  . {chain} .)

(initialized_variable_definition
  [(inferred_type) (final_builtin)]
  . name: (identifier) @local
  . (unary_expression (await_expression . {chain} .)) .)

((initialized_variable_definition
  [(inferred_type) (final_builtin)]
  . name: (identifier) @local
  . (type_cast_expression (type_cast (as_operator) {declared} .)) .)
  (#set! qualifier "before"))

((for_statement (for_loop_parts {declared} . name: (identifier) @local)) @local.in
  (#set! qualifier "before"))

((try_statement
  (type_identifier) @local.type
  . (catch_clause (catch_parameters . (identifier) @local))
  . (block) @local.in)
  (#set! qualifier "before"))

(function_expression (formal_parameter_list (formal_parameter . (identifier) @local .))) @local.in
(function_expression (formal_parameter_list (formal_parameter name: (identifier) @local))) @local.in
((function_expression (formal_parameter_list (formal_parameter {declared} . name: (identifier) @local))) @local.in
  (#set! qualifier "before"))
