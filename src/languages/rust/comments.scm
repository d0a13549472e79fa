; Comments of Rust.
[(line_comment) (block_comment)] @comment
