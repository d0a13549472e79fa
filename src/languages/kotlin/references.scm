; Uses of names in Kotlin: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns
; match one place, the first wins.

(annotation [
  (user_type (identifier) @reference.decorate .)
  (constructor_invocation (user_type (identifier) @reference.decorate .))
])

; The types that an interface extends. A class calls the constructor of the class that it extends.
(class_declaration
  "interface"
  (delegation_specifiers (delegation_specifier
    (user_type . (identifier) @reference.inherit . (type_arguments)? .))))

(delegation_specifier
  (constructor_invocation [
    (user_type . (identifier) @reference.inherit . (type_arguments)? .)
    (user_type (identifier) @qualifier . (identifier) @reference.inherit . (type_arguments)? .)
  ]))

(delegation_specifier [
  (user_type . (identifier) @reference.implement . (type_arguments)? .)
  (user_type (identifier) @qualifier . (identifier) @reference.implement . (type_arguments)? .)
])

(explicit_delegation
  (user_type . (identifier) @reference.implement . (type_arguments)? .))

(call_expression . (identifier) @reference.call)

(call_expression
  . (navigation_expression
    . (_) @qualifier
    (identifier) @reference.call .))

; a to b
((infix_expression
  (_) . (identifier) @reference.call . (_))
  (#not-any-of? @reference.call "class" "interface" "object"))

; A::b, ::b
(navigation_expression
  . (_) @qualifier
  "::"
  (identifier) @reference.call .
  (#not-eq? @reference.call "class"))

(callable_reference
  "::"
  (identifier) @reference.call .)

; Types. By convention, the packages of a qualified type are in lower case.
(user_type
  (identifier) @qualifier
  . (identifier) @reference.type)

((user_type . (identifier) @reference.type)
  (#not-match? @reference.type "^[a-z_]+$"))

; Outer.FIELD, Outer::class: by convention, types start with a capital.
((navigation_expression . (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))
