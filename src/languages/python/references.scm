; Uses of names in Python: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns
; match one place, the first wins.

(decorator [
  (identifier) @reference.decorate
  (attribute object: (_) @qualifier attribute: (identifier) @reference.decorate)
  (call function: (identifier) @reference.decorate)
  (call function: (attribute object: (_) @qualifier attribute: (identifier) @reference.decorate))
])

; class A(B, m.C, D[int])
(class_definition
  superclasses: (argument_list [
    (identifier) @reference.inherit
    (attribute object: (_) @qualifier attribute: (identifier) @reference.inherit)
    (subscript value: (identifier) @reference.inherit)
    (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @reference.inherit))
    (keyword_argument value: (identifier) @reference.inherit)
    (keyword_argument value: (attribute object: (_) @qualifier attribute: (identifier) @reference.inherit))
  ]))

; class A(Generic[T], Sequence["B"])
(class_definition
  superclasses: (argument_list
    (subscript subscript: [
      (identifier) @reference.type
      (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
      (string (string_content) @reference.type)
    ])))

(call function: (identifier) @reference.call)

(call function: (attribute object: (_) @qualifier attribute: (identifier) @reference.call))

(type [
  (identifier) @reference.type
  (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
  (generic_type (identifier) @reference.type)
  (subscript value: (identifier) @reference.type)
  (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @reference.type))
  (string (string_content) @reference.type)
])

; A | B | "C", nested to the left
(type (binary_operator [
  (identifier) @reference.type
  (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
  (subscript value: (identifier) @reference.type)
  (string (string_content) @reference.type)
  (binary_operator [
    (identifier) @reference.type
    (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
    (subscript value: (identifier) @reference.type)
    (string (string_content) @reference.type)
  ])
]))

; t.Dict[str, Foo | Bar[Baz]]
(type (subscript subscript: [
  (identifier) @reference.type
  (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
  (string (string_content) @reference.type)
  (subscript value: (identifier) @reference.type)
  (subscript subscript: (identifier) @reference.type)
  (binary_operator (identifier) @reference.type)
]))

(generic_type (type_parameter (type (subscript subscript: (_ (identifier) @reference.type)))))
