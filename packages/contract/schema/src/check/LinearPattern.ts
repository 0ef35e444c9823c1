/** Regular expressions with matching time linear in the text's length (RE2). */
import { library } from "../library.ts"

export interface LinearPattern {
  /** Whether the pattern occurs anywhere in the text. */
  readonly test: (text: string) => boolean
}

/** Maximum number of cached patterns. */
const MAX_KEPT = 500

const kept = new Map<string, LinearPattern>()

/**
 * Compiles the JavaScript syntax that RE2 supports: no lookaround, no backreferences, at most 1,000 repetitions. Throws a
 * `TypeError` for anything else, because JavaScript's `RegExp` can take exponential time.
 */
export const linearPattern = (source: string): LinearPattern => {
  let pattern = kept.get(source)
  if (pattern === undefined) {
    pattern = compile(source)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(source, pattern)
  }
  return pattern
}

const compile = (source: string): LinearPattern => {
  const { RE2JS } = library("re2js")
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source))
  } catch (error) {
    throw new TypeError(
      `the pattern ${JSON.stringify(source)} is not supported: ${reasonOf(error as Error)}`,
      { cause: error },
    )
  }
}

const reasonOf = ({ message }: Error): string => {
  const part = /`(.*)`$/s.exec(message)?.[1] ?? ""
  if (/^\(\?<?[=!]/.test(part)) return "look-around has no match in linear time"
  if (/^\\([1-9]|k<)/.test(part)) return "a back-reference has no match in linear time"
  return message.replace(/^error parsing regexp: /, "")
}
