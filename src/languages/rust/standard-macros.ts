/** Macros of Rust itself; modules rarely redefine them. */
export const STANDARD_MACROS: ReadonlySet<string> = new Set(
  `assert assert_eq assert_ne column compile_error concat debug_assert debug_assert_eq debug_assert_ne eprint eprintln
   format format_args include include_bytes include_str line matches module_path panic print println stringify
   thread_local todo unimplemented unreachable write writeln`.split(/\s+/),
);
