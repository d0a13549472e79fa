; Definitions of Ruby.
;
; @symbol.<kind> is the definition, @name its name, @owner the whole name including its owner (`A::B`), @body the part
; that its signature omits. If two patterns match one place, the first wins.

(class
  name: [
    (constant) @name
    (scope_resolution name: (constant) @name) @owner
  ]
  [(body_statement) "end"] @body) @symbol.class

(module
  name: [
    (constant) @name
    (scope_resolution name: (constant) @name) @owner
  ]
  [(body_statement) "end"] @body) @symbol.namespace

; A method outside of classes; "=" precedes the body of a one-line method.
(program
  (method
    name: (_) @name
    ["=" (body_statement) "end"] @body) @symbol.function)

(method
  name: (_) @name
  ["=" (body_statement) "end"] @body) @symbol.method

; def Foo.bar outside of Foo
(program
  (singleton_method
    object: (constant) @owner
    name: (_) @name
    ["=" (body_statement) "end"] @body) @symbol.method)

(singleton_method
  name: (_) @name
  ["=" (body_statement) "end"] @body) @symbol.method

(alias
  name: [
    (identifier) @name
    (constant) @name
    (setter) @name
    (operator) @name
    (simple_symbol) @name
  ]
  (#set! strip ":")) @symbol.method

; scope :a, -> { }
((call
  !receiver
  method: (identifier)
  arguments: (argument_list . [
    (simple_symbol) @name
    (string . (string_content) @name .)
  ])) @symbol.method
  (#match? @symbol.method "^(?:alias_method|define_method|define_singleton_method|scope\\b.{1,80}(?:->|\\blambda\\b))")
  (#set! strip ":"))

; delegate :a, :b, to: :c
((call
  !receiver
  method: (identifier)
  arguments: (argument_list [
    (simple_symbol) @name
    (string . (string_content) @name .)
  ])) @symbol.property
  (#match? @symbol.property
    "^(?:(?:attr|[cm]?attr_(?:reader|writer|accessor)|class_attribute|thread_mattr_accessor)\\b|delegate\\b(?=[^]{1,400}\\bto:)(?![^]{1,400}\\bprefix:))")
  (#set! strip ":"))

; def_delegators :@a, :b, :c
(call
  !receiver
  method: (identifier) @_method
  arguments: (argument_list . (_) (simple_symbol) @name)
  (#any-of? @_method "def_delegators" "def_instance_delegators" "def_delegator" "def_instance_delegator")
  (#set! strip ":")) @symbol.property

; Foo = Struct.new(:a) do ... end
(assignment
  left: [
    (constant) @name
    (scope_resolution name: (constant) @name) @owner
  ]
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_make
    block: (_)? @body)
  (#any-of? @_maker "Struct" "Class" "Data" "Module")
  (#any-of? @_make "new" "define")) @symbol.class

(assignment
  left: [
    (constant) @name
    (scope_resolution name: (constant) @name) @owner
    (left_assignment_list (constant) @name)
  ]) @symbol.variable

(operator_assignment
  left: [
    (constant) @name
    (scope_resolution name: (constant) @name) @owner
  ]
  operator: "||=") @symbol.variable

; Type annotations of Sorbet.
(call
  method: (identifier) @_sig
  block: (_)
  (#eq? @_sig "sig")) @decorator

; Visibility: a keyword alone on its line applies to the methods of objects below it, up to the next one; else to the
; names after it. Methods of the class have a keyword of their own.
(body_statement
  (identifier) @section
  (#any-of? @section "private" "protected" "public")) @section.body

(singleton_class
  body: (body_statement) @section.body)

(body_statement
  (call
    !receiver
    method: (identifier) @section.list
    arguments: (argument_list (simple_symbol) @section.hidden))
  (#any-of? @section.list "private" "private_class_method" "private_constant")
  (#set! strip ":")) @section.body

(singleton_method name: (_) @section.apart)
