/**
 * C++ smart pointers, whose own methods and those of their target look alike in facts (`p.reset()` and `p->reset()`).
 */

/** Methods of smart pointers, optionals and the like. */
const OWN_METHODS: ReadonlySet<string> = new Set(
  `compare_exchange_strong compare_exchange_weak emplace exchange expired get get_deleter has_value load lock
   owner_before release reset store swap unique use_count value value_or`.split(/\s+/),
);

/** Types whose arrow operator leads to another type. */
const POINTERS: ReadonlySet<string> = new Set(
  `atomic intrusive_ptr not_null optional ref reference_wrapper scoped_ptr shared_ptr unique_ptr weak_ptr`.split(/\s+/),
);

export const isPointerMethod = (name: string): boolean => OWN_METHODS.has(name);

/** True if a signature declares the name as a smart pointer (`std::unique_ptr<Cart> cart`). */
export function isPointer(signature: string, name: string): boolean {
  for (let at = signature.indexOf(name); name !== "" && at >= 0; at = signature.indexOf(name, at + name.length)) {
    const type = trimmed(trimmed(signature.slice(0, at)).replace(/\bconst$/, ""));
    if (type.endsWith(">") && POINTERS.has(templateName(type))) return true;
  }
  return false;
}

const trimmed = (type: string): string => type.replace(/(?<![\s&])[\s&]+$/, "");

/** The name before the final angle brackets. */
function templateName(type: string): string {
  let depth = 0;
  let at = type.length - 1;
  for (; at >= 0; at--) {
    const char = type.charAt(at);
    if (char === ">") depth += 1;
    else if (char === "<" && --depth === 0) break;
  }
  return /(?<!\w)(\w+)\s*$/.exec(type.slice(0, Math.max(0, at)))?.[1] ?? "";
}
