; Outline of YAML: keys down to the second level, and list items with a name. @body is the part that the signature
; omits.

(document (block_node (block_mapping
  (block_mapping_pair key: (_) @name value: (block_node (block_mapping) @body)) @symbol.namespace)))

(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @symbol.property)))

(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name value: (block_node (block_mapping) @body)) @symbol.namespace))))))

(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name) @symbol.property))))))

; - name: Install
(block_sequence_item (block_node (block_mapping
  . (block_mapping_pair key: (flow_node) @_key value: (flow_node) @name)
  . (block_mapping_pair)? @body
  (#eq? @_key "name")))) @symbol.namespace
