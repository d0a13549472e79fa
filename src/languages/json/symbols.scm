; Outline of JSON: keys down to the second level. @body is the part that the signature omits.

(document . (comment)* . (object (pair key: (string) @name value: (object) @body) @symbol.namespace))

(document . (comment)* . (object (pair key: (string) @name) @symbol.property))

(document . (comment)* . (object (pair value: (object
  (pair key: (string) @name value: (object) @body) @symbol.namespace))))

(document . (comment)* . (object (pair value: (object (pair key: (string) @name) @symbol.property))))
