; Comments that JavaScript, TypeScript and TSX share.
(comment) @comment

(hash_bang_line) @comment
