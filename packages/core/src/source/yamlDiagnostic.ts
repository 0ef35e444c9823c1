/** What the YAML parser says, in the words of somebody who writes workflows. */
import type { YAMLError } from "yaml"
import type { Diagnostic } from "./Diagnostic.ts"
import { positionAt } from "./SourceFile.ts"
import type { SourceFile } from "./SourceFile.ts"

export const yamlDiagnostic = (file: SourceFile, error: YAMLError): Diagnostic => {
  const [from, end] = error.pos
  // The parser marks only where a second key begins.
  const to = error.code === "DUPLICATE_KEY" ? from + wordAt(file.text, from).length : end
  const said = describe(error, file.text.slice(from, to))
  return {
    code: said.code,
    severity: "error",
    message: said.message,
    file: file.path,
    start: positionAt(file, from),
    end: positionAt(file, to),
    ...(said.help === undefined ? {} : { help: said.help }),
  }
}

const wordAt = (text: string, from: number): string =>
  /^[^\s:,}]+/.exec(text.slice(from, from + 200))?.[0] ?? ""

interface Said {
  readonly code: string
  readonly message: string
  readonly help?: string
}

const describe = (error: YAMLError, text: string): Said => {
  switch (error.code) {
    case "DUPLICATE_KEY":
      return {
        code: "PL0004",
        message: `the key ${text === "" ? "" : `"${text}" `}is here twice`,
        help: "keep one of the two: YAML would silently use only the last",
      }
    case "MULTIPLE_DOCS":
      return {
        code: "PL0008",
        message: "a file holds one document; another one begins here",
        help: "move what follows `---` to a file of its own",
      }
    case "TAG_RESOLVE_FAILED":
      return {
        code: "PL0005",
        message: `YAML reads "${text}" as a tag, not as part of the value`,
        help: `quote the whole value: "${text} …"`,
      }
    case "TAB_AS_INDENT":
      return {
        code: "PL0003",
        message: "a tab cannot indent YAML",
        help: "use spaces",
      }
    case "BAD_ALIAS":
      return {
        code: "PL0003",
        message: sentence(error.message),
        help: "an alias `*x` needs an anchor `&x` before it",
      }
    case "BAD_SCALAR_START":
      return {
        code: "PL0003",
        message: sentence(error.message),
        help: "quote the value",
      }
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return {
        code: "PL0003",
        message: sentence(error.message),
        help: 'a value with ": " in it, such as `a ? b : c`, needs quotes around it',
      }
    case "RESOURCE_EXHAUSTION":
      return { code: "PL0003", message: "this is nested too deeply to be read" }
    case "NON_STRING_KEY":
      return { code: "PL0003", message: "a key must be text", help: "quote it" }
    default:
      return { code: "PL0003", message: sentence(error.message) }
  }
}

/** The parser's sentence, begun in lower case as all of ours. */
const sentence = (message: string): string => {
  const first = message.split("\n")[0]!.trim()
  return /^[A-Z][a-z]/.test(first) ? first[0]!.toLowerCase() + first.slice(1) : first
}
