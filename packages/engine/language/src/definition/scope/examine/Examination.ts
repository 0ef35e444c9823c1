/** Checks every expression of a definition once, at its place, and collects the problems. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import {
  infer,
  truthHelp,
  combineProofs,
  noProof,
  provenBy,
  referencesOf,
  parseTemplate,
  SyntaxProblem,
  any,
  bool,
  describeType,
  fits,
  listOf,
  objectOf,
  string,
  typeOfSchema,
  union,
  typeOfValue,
} from "@planloom/expression/check"
import type { Issue, Environment, Proof, TextFix, Type } from "@planloom/expression/check"
import type { DocumentPath } from "../../Definition.ts"
import { fixedText, type Fix } from "../../Fix.ts"
import type { Problem } from "../../Problem.ts"
import type { Analysis } from "../Analysis.ts"
import { ownMember } from "../../ownMember.ts"
import { bareExpression, type BareExpression } from "../bareExpression.ts"
import { foreignTemplates } from "../foreignTemplates.ts"
import { guardFix } from "../guardFix.ts"
import { withHyphenatedNames } from "../hyphenatedName.ts"
import { receiverIssues, type Received } from "../receiverIssues.ts"
import { valueIssues } from "../valueIssues.ts"
import type { Expected } from "../valueIssues.ts"

/** The names that an expression may read, and the facts that hold there. */
export interface Reading {
  readonly environment: Environment
  readonly proof: Proof
}

export class Examination {
  readonly problems: Array<Problem> = []
  /** Every path that some expression reads. */
  readonly references: Array<ReadonlyArray<string>> = []
  private readonly analysis: Analysis
  /** What each text of the value read last gives. */
  private readonly types = new Map<string, Type>()
  /** Problems of its expressions: a value with a mistake in it has no type to compare. */
  private broken: ReadonlyArray<Problem> = []

  constructor(analysis: Analysis) {
    this.analysis = analysis
  }

  /** `if`, `until`, `that`: raw CEL of type bool. Returns the facts that it proves. */
  condition(text: string, path: DocumentPath, reading: Reading, reportConstant = true): Proof {
    if (text === "") return noProof
    const inside = this.bare(text, path)
    if (inside === undefined) return noProof
    const { source, from } = inside
    const tree = this.tree(source, path, from)
    if (!tree) return noProof
    const type = this.infer(tree, source, path, from, reading)
    const shown = source.trim()
    if (!fits(type, bool)) {
      this.problems.push({
        code: "PL1204",
        message: `expected true or false, this is ${describeType(type)}`,
        path,
        within: { from: from + tree.start, to: from + tree.end },
        help: truthHelp(type, shown),
        // An empty text is false in other languages.
        fix: type.kind === "string" ? { text: `size(${shown}) > 0` } : undefined,
      })
    } else if (reportConstant && referencesOf(tree).length === 0) {
      this.problems.push({
        code: "PL1401",
        severity: "warning",
        message: `this depends on nothing: its value is always the same`,
        path,
        help: "remove it, or compare a value of the workflow",
      })
    }
    return provenBy(tree, true)
  }

  /** `for_each.in`: raw CEL of type list. */
  list(text: string, path: DocumentPath, reading: Reading): void {
    this.typed(text, path, reading, listOf(any), "a list")
  }

  /** Raw CEL whose value fits a schema. */
  expression(text: string, path: DocumentPath, reading: Reading, schema: JsonSchema): void {
    const wanted = typeOfSchema(schema)
    this.typed(text, path, reading, wanted, describeType(wanted))
  }

  /** Raw CEL of a type that messages call `expected`. Returns its type; any value after a problem. */
  typed(text: string, path: DocumentPath, reading: Reading, wanted: Type, expected: string): Type {
    const inside = text === "" ? undefined : this.bare(text, path)
    if (inside === undefined) return any
    const { source, from } = inside
    const tree = this.tree(source, path, from)
    if (!tree) return any
    const type = this.infer(tree, source, path, from, reading)
    if (fits(type, wanted)) return type
    this.problems.push({
      code: "PL1204",
      message: `expected ${expected}, this is ${describeType(type)}`,
      path,
      within: { from: from + tree.start, to: from + tree.end },
      ...(expected === "a list" && fits(type, string)
        ? {
            help: `make it one: split(${source.trim()}, ","); a list of one item is [${source.trim()}]`,
          }
        : {}),
    })
    return any
  }

  /** A value with `${{ }}` in it, against its schema. Returns its type. */
  value(value: Json, path: DocumentPath, reading: Reading, expected?: Expected): Type {
    const before = this.problems.length
    this.types.clear()
    const type = this.read(value, path, reading)
    this.broken = this.problems.slice(before).filter((one) => !isPlainReference(one))
    if (expected) {
      for (const issue of valueIssues(value, expected, this.typeOf)) this.comparing(issue, path)
      this.dropPlainReferences(before)
    }
    return type
  }

  /** A value of an output, which is empty where the one stage that it reads has none. */
  guarded(value: Json, path: DocumentPath, reading: Reading, expected: Expected): void {
    const before = this.problems.length
    this.value(value, path, reading, expected)
    const found = this.problems.splice(before)
    // Any other problem changes the expression first.
    const isGuarded = typeof value === "string" && found.every(({ code }) => code === "PL2006")
    this.problems.push(
      ...found.map((one) =>
        isGuarded ? { ...one, fix: guardFix(value, one, expected.schema) } : one,
      ),
    )
  }

  /** A part of the value read last against the schema of what receives it. `most` bounds how severe its problems are. */
  part(part: Received, path: DocumentPath, most: "error" | "warning"): void {
    for (const { severity = "error", ...issue } of receiverIssues(part, this)) {
      this.comparing({ ...issue, severity: severity === "error" ? most : severity }, path)
    }
  }

  private comparing(issue: Problem, path: DocumentPath): void {
    const at = [...path, ...issue.path]
    if (this.broken.some((one) => startsWith(one.path, at) || startsWith(at, one.path))) return
    this.problems.push({ ...issue, path: at })
  }

  /** The schema of the input that a text is, and nothing else. */
  readonly inputOf = (text: string): JsonSchema | undefined => {
    const [, name] = /^\s*\$\{\{\s*inputs\.(\w+)\s*\}\}\s*$/.exec(text) ?? []
    return name === undefined ? undefined : ownMember(this.analysis.definition.inputs, name)
  }

  /** The type of a part of the value that was read last. */
  readonly typeOf = (value: Json): Type => {
    if (typeof value === "string") return this.types.get(value) ?? typeOfValue(value)
    if (Array.isArray(value)) return listOf(union(value.map((item: Json) => this.typeOf(item))))
    if (value === null || typeof value !== "object") return typeOfValue(value)
    return objectOf(
      Object.fromEntries(
        Object.entries(value).map(([name, entry]) => [name, this.typeOf(entry as Json)]),
      ),
    )
  }

  /** Text of another file, such as a prompt: returns its problems by offset in that text. */
  text(text: string, reading: Reading): ReadonlyArray<Issue> {
    const aside = new Examination(this.analysis)
    aside.read(text, [], reading)
    this.references.push(...aside.references)
    return aside.problems.map(({ code, fix, help, message, severity, within }) => ({
      code,
      help,
      message,
      fix: fix !== undefined && "text" in fix ? textFix(fix, within) : undefined,
      ...(severity === undefined ? {} : { severity }),
      start: within?.from ?? 0,
      end: within?.to ?? text.length,
    }))
  }

  private read(value: Json, path: DocumentPath, reading: Reading): Type {
    if (typeof value === "string") return this.template(value, path, reading)
    if (Array.isArray(value)) {
      return listOf(
        union(value.map((item: Json, index) => this.read(item, [...path, index], reading))),
      )
    }
    if (value === null || typeof value !== "object") return typeOfValue(value)
    const types: { [name: string]: Type } = {}
    for (const [name, entry] of Object.entries(value)) {
      types[name] = this.read(entry as Json, [...path, name], reading)
    }
    return objectOf(types)
  }

  private template(text: string, path: DocumentPath, reading: Reading): Type {
    this.foreign(text, path, reading)
    this.curly(text, path)
    if (!text.includes("${{")) return typeOfValue(text)
    const { parts, unclosed } = parseTemplate(text)
    if (unclosed !== undefined) this.unclosed(path, unclosed)
    let only: Type | undefined
    for (const part of parts) {
      if (part.type === "text") continue
      const tree = this.tree(part.source, path, part.from)
      only = tree ? this.infer(tree, part.source, path, part.from, reading) : any
    }
    const type = parts.length === 1 && only ? only : string
    this.types.set(text, type)
    return type
  }

  private foreign(text: string, path: DocumentPath, reading: Reading): void {
    const { roots } = reading.environment
    const inputs = Object.hasOwn(roots, "inputs")
      ? Object.keys(this.analysis.definition.inputs)
      : []
    for (const { expression, problem } of foreignTemplates(text, roots, inputs)) {
      this.problems.push({ ...problem, path })
      const tree = this.analysis.parse(expression)
      if (!(tree instanceof SyntaxProblem)) this.references.push(...referencesOf(tree))
    }
  }

  /** A path without `${{ }}` whose place has an error has its help, too. */
  private dropPlainReferences(from: number): void {
    const recent = this.problems.splice(from)
    const wrong = new Set(
      recent.flatMap((one) => (isPlainReference(one) ? [] : [JSON.stringify(one.path)])),
    )
    this.problems.push(
      ...recent.filter((one) => !isPlainReference(one) || !wrong.has(JSON.stringify(one.path))),
    )
  }

  private curly(text: string, path: DocumentPath): void {
    const inside = /^[“”„«‘’‚]([^“”„«»‘’‚]*)[“”»‘’]$/.exec(text)?.[1]
    if (inside === undefined) return
    this.problems.push({
      code: "PL1005",
      severity: "warning",
      message: `the curly quotes around this value are part of its text`,
      path,
      help: `write ${JSON.stringify(inside)}`,
      fix: { yaml: JSON.stringify(inside) },
    })
  }

  private unclosed(path: DocumentPath, at: number): void {
    this.problems.push({
      code: "PL1002",
      message: "this expression has no closing }}",
      path,
      within: { from: at, to: at + 3 },
      help: "write ${{ … }}; the characters themselves are $${{",
    })
  }

  /** The CEL of a condition; undefined where it is no expression, which is reported. */
  private bare(text: string, path: DocumentPath): BareExpression | undefined {
    const found = bareExpression(text)
    if ("source" in found) return found
    if ("unclosed" in found) this.unclosed(path, found.unclosed)
    else this.problems.push({ ...found.problem, path })
    return undefined
  }

  private tree(source: string, path: DocumentPath, from: number) {
    const tree = this.analysis.parse(source)
    if (!(tree instanceof SyntaxProblem)) return tree
    const end = Math.max(tree.end, tree.start + 1)
    this.problems.push({
      code: tree.code,
      message: source.trim() === "" ? "there is no expression here" : tree.message,
      path,
      within: { from: from + tree.start, to: from + Math.min(end, source.length + 1) },
      help: tree.help,
      fix: fixedText(tree.fix, from),
    })
    return undefined
  }

  private infer(
    tree: Parameters<typeof infer>[0],
    source: string,
    path: DocumentPath,
    from: number,
    reading: Reading,
  ): Type {
    const { issues, type } = infer(tree, source, reading.environment, reading.proof)
    this.references.push(...referencesOf(tree))
    for (const { end, fix, start, ...issue } of withHyphenatedNames(
      issues,
      source,
      this.analysis,
    )) {
      const within = { from: from + start, to: from + end }
      this.problems.push({ ...issue, path, within, fix: fixedText(fix, from) })
    }
    return issues.some(({ severity }) => severity !== "warning") ? any : type
  }
}

/** The edit of a text that is a file by itself, such as a prompt. */
const textFix = (
  { from, text, to }: Extract<Fix, { readonly text: string }>,
  within: Problem["within"],
): TextFix => ({ start: from ?? within!.from, end: to ?? within!.to, text })

export const startsWith = (path: DocumentPath, prefix: DocumentPath): boolean =>
  prefix.length <= path.length && prefix.every((segment, index) => path[index] === segment)

/** The same reading with more known. */
export const knowing = (reading: Reading, proof: Proof): Reading => ({
  ...reading,
  proof: combineProofs(reading.proof, proof),
})

/** The problem of a whole text, and not of a template in it. */
const isPlainReference = ({ code, within }: Problem): boolean =>
  code === "PL1004" && within === undefined
