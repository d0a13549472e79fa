; Definitions that JavaScript, TypeScript and TSX share. The grammars of all three must have every node named here.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits, @owner the object to
; which a member is assigned. If two patterns match one place, the first wins.

; part pattern
[
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
    (pair_pattern value: (assignment_pattern left: (identifier) @name))
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (rest_pattern (identifier) @name)
  ])
  (array_pattern [
    (identifier) @name
    (assignment_pattern left: (identifier) @name)
    (rest_pattern (identifier) @name)
  ])
]
; end

(decorator) @decorator

; --- classes ---------------------------------------------------------------------------------------

(class_declaration name: (_) @name body: (class_body) @body) @symbol.class

(variable_declarator
  name: (identifier) @name
  value: (class body: (class_body) @body)) @symbol.class

(export_statement
  value: (class !name body: (class_body) @body) @symbol.class
  (#set! name "default"))

(method_definition name: (_) @name body: (statement_block) @body) @symbol.method

; --- functions -------------------------------------------------------------------------------------

(function_declaration name: (identifier) @name body: (statement_block) @body) @symbol.function

(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @symbol.function

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @symbol.function

(pair
  key: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @symbol.method

(export_statement
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ] @symbol.function
  (#set! name "default"))

; app.use(function logger() {})
((function_expression name: (identifier) @name body: (statement_block) @body) @symbol.function
  (#in? @symbol.function "arguments"))

; return function middleware() {}
([
  (function_expression name: (identifier) @name body: (statement_block) @body) @symbol.function
  (generator_function name: (identifier) @name body: (statement_block) @body) @symbol.function
  (class name: (_) @name body: (class_body) @body) @symbol.class
]
  (#in? @symbol.function "return_statement")
  (#in? @symbol.class "return_statement"))

; --- assignments -----------------------------------------------------------------------------------

; module.exports = function () {}
(assignment_expression
  left: (member_expression) @_left
  right: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ]
  (#eq? @_left "module.exports")
  (#set! name "exports")) @symbol.function

(assignment_expression
  left: (member_expression) @_left
  right: [
    (function_expression name: (_) @name body: (_) @body)
    (generator_function name: (_) @name body: (_) @body)
  ]
  (#eq? @_left "module.exports")) @symbol.function

(assignment_expression
  left: (member_expression) @_left
  right: (class !name body: (_) @body)
  (#eq? @_left "module.exports")
  (#set! name "exports")) @symbol.class

(assignment_expression
  left: (member_expression) @_left
  right: (class name: (_) @name body: (_) @body)
  (#eq? @_left "module.exports")) @symbol.class

; exports.x = function () {}
(assignment_expression
  left: (member_expression
    object: (_) @_object
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#any-of? @_object "exports" "module.exports")) @symbol.function

(assignment_expression
  left: (member_expression
    object: (_) @_object
    property: (property_identifier) @name)
  right: (class body: (_) @body)
  (#any-of? @_object "exports" "module.exports")) @symbol.class

; X.prototype.y = function () {}, object.method = () => {}
(assignment_expression
  left: (member_expression
    object: (_) @owner
    property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#not-eq? @owner "module")) @symbol.method

; f = function () {}, C = class {}   declared before
(assignment_expression
  left: (identifier) @name
  right: [
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @symbol.function

(assignment_expression
  left: (identifier) @name
  right: (class body: (_) @body)) @symbol.class

; exports.x = <a value>
(program
  (expression_statement
    (assignment_expression
      left: (member_expression
        object: (_) @_object
        property: (property_identifier) @name)
      right: [
        (object) (array) (call_expression) (new_expression) (string) (template_string) (number) (regex)
        (true) (false) (binary_expression) (member_expression)
      ]
      (#any-of? @_object "exports" "module.exports")) @symbol.variable))

; --- variables of the file -------------------------------------------------------------------------

(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
  (export_statement
    declaration: (_ (variable_declarator name: (identifier) @name) @symbol.variable))
])

; $: a = b, which Svelte runs whenever b changes
(program
  (labeled_statement
    label: (_) @_label
    body: (expression_statement (assignment_expression left: (identifier) @name) @symbol.variable))
  (#eq? @_label "$"))

; export default { ... }, export default define(...)
(export_statement
  value: [(object) (call_expression) (new_expression) (array)] @symbol.variable
  (#set! name "default"))

; const { a, b: c, d = 1, ...e } = f(), [g] = h
(program (lexical_declaration (variable_declarator name: {pattern}) @symbol.variable))

(program (variable_declaration (variable_declarator name: {pattern}) @symbol.variable))

(program (export_statement declaration: (_ (variable_declarator name: {pattern}) @symbol.variable)))

; --- tests -----------------------------------------------------------------------------------------

; describe("title", () => {}), it.only("title", function () {}), test.each(rows)("title", () => {}), test("title", options, () => {})
; Without the anchors, every call whose first argument is a string would be looked at up to its end.
(call_expression
  function: (_) @_function
  arguments: (arguments
    .
    [(string) (template_string)] @name
    .
    [(object) (identifier) (member_expression) (comment)]?
    .
    [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ])
  (#match? @_function "^(describe|it|test|suite|context)(\\.[a-zA-Z]+)*(\\(|`|$)")) @symbol.function
