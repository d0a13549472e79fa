; Components in JSX, which count as calls: <Page />, <ui.Button>. Lower-case names are HTML elements.

(jsx_opening_element name: (identifier) @reference.call
  (#match? @reference.call "^[A-Z_$]"))

(jsx_self_closing_element name: (identifier) @reference.call
  (#match? @reference.call "^[A-Z_$]"))

(jsx_opening_element name: (member_expression object: (_) @qualifier property: (_) @reference.call))

(jsx_self_closing_element name: (member_expression object: (_) @qualifier property: (_) @reference.call))
