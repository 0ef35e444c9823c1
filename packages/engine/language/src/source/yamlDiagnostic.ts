/** Turns errors of the YAML parser into diagnostics in terms of the file. */
import * as Yaml from "yaml"
import type { YAMLError } from "yaml"
import type { Diagnostic, Edit } from "./Diagnostic.ts"
import { innerQuotes } from "./innerQuotes.ts"
import { positionAt } from "./SourceFile.ts"
import { closedQuote, inQuotes, quotedLine, withoutTabs } from "./yamlEdits.ts"
import type { SourceFile } from "./SourceFile.ts"

/** Diagnostics up to the first place where the parser lost the structure; later errors are about its own guess. */
export const yamlDiagnostics = (
  file: SourceFile,
  parsed: Yaml.Document.Parsed,
): ReadonlyArray<Diagnostic> => {
  const errors = [...parsed.errors, ...parsed.warnings]
  const tabs = errors.filter(({ code }) => code === "TAB_AS_INDENT")
  if (tabs.length > 0) {
    return tabs.map((error, index) => ({
      ...yamlDiagnostic(file, error, parsed),
      ...(index === 0 ? withFix(withoutTabs(file)) : {}),
    }))
  }
  const lost = errors.findIndex(losesStructure)
  const known = lost < 0 ? errors : errors.slice(0, lost + 1)
  const inner = known.map(({ pos }) => innerQuotes(file, pos[0])).find((one) => one !== undefined)
  if (inner !== undefined) return [inner]
  const bare = known.map(({ pos }) => bareExpressionAt(file.text, pos[0])).find((at) => at >= 0)
  if (bare !== undefined) return [bareExpression(file, bare)]
  const tooFar = known.map((error) => indentedTooFar(file, error)).find((one) => one !== undefined)
  if (tooFar !== undefined) return [tooFar]
  return known.map((error) => yamlDiagnostic(file, error, parsed))
}

const losesStructure = (error: YAMLError): boolean =>
  error.code === "UNEXPECTED_TOKEN" || outsideTheItem(error)

/** A line of a list's mapping that is indented less than the mapping's first key. */
const outsideTheItem = ({ code, message }: YAMLError): boolean =>
  code === "MISSING_CHAR" && message.startsWith("Sequence item without -")

/** A key that is indented like the continuation of the value above it, which YAML reads as one text. */
const indentedTooFar = (file: SourceFile, { code, pos }: YAMLError): Diagnostic | undefined => {
  if (code !== "MULTILINE_IMPLICIT_KEY") return undefined
  const lineEnd = file.text.indexOf("\n", pos[0])
  if (lineEnd < 0 || lineEnd >= pos[1]) return undefined
  const from = lineEnd + 1 + indentAt(file.text, lineEnd + 1)
  return {
    code: "PL0003",
    severity: "error",
    message: "this line is indented further than the key above, whose value it would continue",
    file: file.path,
    start: positionAt(file, from),
    end: positionAt(file, from + wordAt(file.text, from).length),
    help: "align it with the keys beside it, or quote the value above",
  }
}

/** Where an unquoted `${{` begins, which YAML reads as a mapping; -1 without one. */
const bareExpressionAt = (text: string, offset: number): number => {
  const near = text.slice(Math.max(0, offset - 2), offset + 2).indexOf("${")
  const at = Math.max(0, offset - 2) + near
  return near >= 0 && text.startsWith("${{", at) ? at : -1
}

const bareExpression = (file: SourceFile, from: number): Diagnostic => {
  const close = file.text.indexOf("}}", from)
  const lineEnd = file.text.indexOf("\n", from)
  const end = lineEnd < 0 ? file.text.length : lineEnd
  return {
    code: "PL0003",
    severity: "error",
    message: "inside of { } or [ ] a value with an expression needs quotes",
    file: file.path,
    start: positionAt(file, from),
    end: positionAt(file, close >= 0 && close < end ? close + 2 : end),
    help: 'quote the whole value: "… ${{ … }} …"',
    ...(close >= 0 && close < end ? withFix(inQuotes(file, from, close + 2)) : {}),
  }
}

const yamlDiagnostic = (
  file: SourceFile,
  error: YAMLError,
  parsed: Yaml.Document.Parsed,
): Diagnostic => {
  const isDuplicate = error.code === "DUPLICATE_KEY"
  // The parser marks the end of the indent as the start of a line outside its item, and only the start of a second key.
  const from = error.pos[0] + (outsideTheItem(error) ? indentAt(file.text, error.pos[0]) : 0)
  const to =
    isDuplicate || outsideTheItem(error) ? from + wordAt(file.text, from).length : error.pos[1]
  const description = isDuplicate
    ? duplicateKey(file, from, parsed)
    : describe(error, file.text.slice(from, to), lineAt(file.text, from))
  return {
    code: description.code,
    severity: "error",
    message: description.message,
    file: file.path,
    start: positionAt(file, from),
    end: positionAt(file, to),
    ...(description.help === undefined ? {} : { help: description.help }),
    ...withFix(certainEdit(file, error, from)),
  }
}

const certainEdit = (file: SourceFile, error: YAMLError, from: number): Edit | undefined => {
  switch (error.code) {
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return quotedLine(file, from)
    case "MISSING_CHAR":
      return closedQuote(file, error)
    default:
      return undefined
  }
}

const withFix = (fix: Edit | undefined): Pick<Diagnostic, "fix"> =>
  fix === undefined ? {} : { fix }

const wordAt = (text: string, from: number): string =>
  /^[^\s:,}]+/.exec(text.slice(from, from + 200))?.[0] ?? ""

const indentAt = (text: string, from: number): number => /^ */.exec(text.slice(from))![0].length

interface Description {
  readonly code: string
  readonly message: string
  readonly help?: string
}

const duplicateKey = (file: SourceFile, at: number, parsed: Yaml.Document.Parsed): Description => {
  const text = wordAt(file.text, at)
  const first = firstOfKey(parsed, at)
  const line = first === undefined ? "" : `, first on line ${positionAt(file, first).line}`
  return {
    code: "PL0004",
    message: `the key ${text === "" ? "" : `"${text}" `}is here twice${line}`,
    help: "keep one of the two: YAML would silently use only the last",
  }
}

/** The offset of the first key equal to the key at an offset. */
const firstOfKey = (parsed: Yaml.Document.Parsed, at: number): number | undefined => {
  let found: number | undefined
  Yaml.visit(parsed, {
    Map: (_, { items }) => {
      const keys = items.map(({ key }) => key as Yaml.Scalar)
      const second = keys.find(({ range }) => range?.[0] === at)
      if (second === undefined) return undefined
      found = keys.find(({ value }) => value === second.value)?.range?.[0]
      return Yaml.visit.BREAK
    },
  })
  return found
}

const lineAt = (text: string, from: number): string => {
  const start = text.lastIndexOf("\n", from - 1) + 1
  const end = text.indexOf("\n", from)
  return text.slice(start, end < 0 ? text.length : end)
}

/** The plain value of a line in quotes; undefined for a line without one. */
const quotedValue = (line: string): string | undefined => {
  const [, value] = /^\s*(?:- )?[\w-]+:\s+([^"'[{|>&*!#\s].*?)\s*$/.exec(line) ?? []
  return value === undefined ? undefined : JSON.stringify(value)
}

const describe = (error: YAMLError, text: string, line: string): Description => {
  switch (error.code) {
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
        message:
          quotedValue(line) === undefined
            ? sentence(error.message)
            : 'a value with ": " in it needs quotes around it',
        help: quotedValue(line)
          ? `write ${quotedValue(line)}`
          : 'a value with ": " in it, such as `a ? b : c`, needs quotes around it',
      }
    case "BAD_INDENT":
      return error.message.startsWith("All")
        ? {
            code: "PL0003",
            message: sentence(error.message),
            help: "align this line with the keys beside it",
          }
        : {
            code: "PL0003",
            message: "the indent is too small for the { or [ that is open above it",
            help: "close it, or indent this line further",
          }
    case "MISSING_CHAR":
      return /^Missing closing ["']quote/.test(error.message)
        ? {
            code: "PL0003",
            message: `a text that begins with ${error.message.charAt(16)} is never closed`,
            help: `put ${error.message.charAt(16)} at its end`,
          }
        : outsideTheItem(error)
          ? {
              code: "PL0003",
              message: "this line is indented less than the keys of the list item above",
              help: "align it with them, or begin a new item with `- `",
            }
          : { code: "PL0003", message: sentence(error.message) }
    case "RESOURCE_EXHAUSTION":
      return { code: "PL0003", message: "this is nested too deeply to be read" }
    case "NON_STRING_KEY":
      return { code: "PL0003", message: "a key must be text", help: "quote it" }
    default:
      return { code: "PL0003", message: sentence(error.message) }
  }
}

/** The first line of the parser's message, in lower case like every message. */
const sentence = (message: string): string => {
  const first = message.split("\n")[0]!.trim()
  return /^[A-Z][a-z]/.test(first) ? first[0]!.toLowerCase() + first.slice(1) : first
}
