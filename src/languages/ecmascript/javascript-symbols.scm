; Definitions of JavaScript whose nodes have other names in the TypeScript grammars.

(field_definition
  property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @symbol.method

(field_definition property: (_) @name) @symbol.property
