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

(initialized_variable_definition name: (identifier) @local)
(initialized_identifier (identifier) @local)
(formal_parameter name: (identifier) @local)
(for_loop_parts name: (identifier) @local)
(catch_parameters (identifier) @local)
