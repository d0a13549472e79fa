; Comments of Kotlin.
[(line_comment) (block_comment)] @comment
