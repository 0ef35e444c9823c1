/**
 * Parses CEL expressions (cel-spec, langdef.md) by precedence climbing. Types that plain data lacks are not supported:
 * bytes, unsigned numbers, messages.
 */
import { macros } from "./Node.ts"
import type { BinaryOperator, Node } from "./Node.ts"
import { SyntaxProblem, tokenize } from "./tokenize.ts"
import type { TextFix } from "./TextFix.ts"
import type { Token } from "./tokenize.ts"

/** Nesting limit; prevents stack overflows in later walks over the tree. */
const MAX_DEPTH = 64
const MAX_SOURCE_CHARS = 10_000
/** Limit of nested macros: three levels over 300 items are 27 million steps. */
const MAX_NESTING = 2

const levels: ReadonlyArray<ReadonlyArray<string>> = [
  ["||"],
  ["&&"],
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
]

const constants: { readonly [word: string]: null | boolean } = {
  true: true,
  false: false,
  null: null,
}

/** Reserved words of CEL. */
const reserved = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
)

const foreignWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    and: 'write "&&"',
    or: 'write "||"',
    not: 'write "!"',
    is: 'write "=="',
    if: 'write: condition ? "yes" : "no"',
  }),
)

/** Words for operators that bind as those here. */
const operatorFix = ({ end, kind, start, text }: Token): TextFix | undefined =>
  kind === "name" && (text === "and" || text === "or")
    ? { start, end, text: text === "and" ? "&&" : "||" }
    : undefined

/** Throws `SyntaxProblem`. */
export const parseExpression = (source: string): Node => {
  if (source.length > MAX_SOURCE_CHARS) {
    throw new SyntaxProblem(
      `an expression has at most ${MAX_SOURCE_CHARS.toLocaleString("en")} characters`,
      0,
      1,
      "do the work in a stage",
    )
  }
  const parser = new Parser(source)
  const node = parser.choice()
  parser.expectEnd()
  return node
}

class Parser {
  private at = 0
  private depth = 0
  private nesting = 0
  private readonly source: string
  private readonly tokens: ReadonlyArray<Token>
  constructor(source: string) {
    this.source = source
    this.tokens = tokenize(source)
  }

  choice(): Node {
    const token = this.peek()
    if (++this.depth > MAX_DEPTH) {
      throw new SyntaxProblem("this is nested too deeply", token.start, token.end)
    }
    const test = this.binary(0)
    this.depth--
    if (!this.accept("?")) return test
    this.rejectNullish(test)
    this.depth++
    const yes = this.choice()
    this.expect(":", 'a choice is: condition ? "yes" : "no"')
    const no = this.choice()
    this.depth--
    return { op: "choice", test, yes, no, start: test.start, end: no.end }
  }

  /** `a ?? b` and `a?.b` of other languages, with what to write. */
  private rejectNullish({ end, start }: Node): void {
    const question = this.tokens[this.at - 1]!
    const next = this.peek()
    if (next.start !== question.end || (next.text !== "?" && next.text !== ".")) return
    const value = this.source.slice(start, end)
    const rest = this.source.slice(next.end).trim()
    const [operator, meant] =
      next.text === "?" ? ["??", value] : ["?.", `${value}.${/^\w*/.exec(rest)![0]}`]
    const otherwise = next.text === "?" && /^[\w.'"]+$/.test(rest) ? rest : "…"
    throw new SyntaxProblem(
      `"${operator}" is not part of an expression`,
      question.start,
      next.end,
      `write has(${meant}) ? ${meant} : ${otherwise}; for a value that may be null: ${value} != null ? ${meant} : ${otherwise}`,
      // What a stage gave is missing, where the stage did not run.
      next.text === "?" && otherwise !== "…" && /^stages\.\w+\.output(?:\.\w+)*$/.test(value)
        ? {
            fix: {
              start,
              end: this.source.length,
              text: `has(${/^stages\.\w+\.output/.exec(value)![0]}) ? ${value} : ${otherwise} `,
            },
          }
        : {},
    )
  }

  expectEnd(): void {
    const token = this.peek()
    if (token.kind === "end") return
    throw new SyntaxProblem(
      `${show(token)} is not expected here`,
      token.start,
      token.end,
      foreignWords.get(token.text),
      { fix: operatorFix(token) },
    )
  }

  private binary(level: number): Node {
    const operators = levels[level]
    if (!operators) return this.unary()
    let left = this.binary(level + 1)
    for (;;) {
      const token = this.peek()
      const known = token.kind === "operator" || token.text === "in"
      if (token.kind === "string" || !known || !operators.includes(token.text)) return left
      this.at++
      const right = this.binary(level + 1)
      left = {
        op: "binary",
        operator: token.text as BinaryOperator,
        left,
        right,
        start: left.start,
        end: right.end,
      }
    }
  }

  private unary(): Node {
    const token = this.peek()
    if (token.kind !== "operator" || (token.text !== "!" && token.text !== "-")) {
      return this.member()
    }
    if (++this.depth > MAX_DEPTH) {
      throw new SyntaxProblem("this is nested too deeply", token.start, token.end)
    }
    this.at++
    const of = this.unary()
    this.depth--
    const { start } = token
    if (token.text === "-" && of.op === "literal" && typeof of.value === "number") {
      return { op: "literal", value: 0 - of.value, start, end: of.end }
    }
    return { op: "unary", operator: token.text, of, start, end: of.end }
  }

  private member(): Node {
    let node = this.primary()
    let links = 0
    for (;;) {
      const token = this.peek()
      if (++links > MAX_DEPTH * 4) {
        throw new SyntaxProblem("this path is too long", token.start, token.end)
      }
      if (this.accept(".")) node = this.selected(node)
      else if (this.accept("[")) {
        const index = this.choice()
        const close = this.expect("]")
        node = { op: "index", of: node, index, start: node.start, end: close.end }
      } else return node
    }
  }

  private selected(of: Node): Node {
    const token = this.peek()
    if (token.kind !== "name") {
      throw new SyntaxProblem(
        `a name is missing after the dot, found ${show(token)}`,
        token.start,
        token.end,
        token.text === "?" ? "write: has(a.b) ? a.b : …" : 'other keys: of["the key"]',
      )
    }
    this.at++
    if (!this.accept("(")) {
      const { start: nameStart, text: name, end } = token
      return { op: "field", of, name, nameStart, start: of.start, end }
    }
    return this.call(token, of)
  }

  private call(name: Token, receiver: Node | undefined): Node {
    const macro = receiver !== undefined && macros.has(name.text)
    if (macro && ++this.nesting > MAX_NESTING) {
      throw new SyntaxProblem(
        `more than ${MAX_NESTING} of map, filter, all and exists inside each other`,
        name.start,
        name.end,
        "do part of the work in a stage",
        { code: "PL1302" },
      )
    }
    const args = this.list(")")
    const close = this.expect(")")
    if (macro) this.nesting--
    return {
      op: "call",
      name: name.text,
      nameStart: name.start,
      receiver,
      args,
      start: receiver?.start ?? name.start,
      end: close.end,
    }
  }

  private list(close: string): ReadonlyArray<Node> {
    const items: Array<Node> = []
    while (this.peek().text !== close || this.peek().kind !== "operator") {
      items.push(this.choice())
      if (!this.accept(",")) break
    }
    return items
  }

  private primary(): Node {
    const token = this.peek()
    const { start, end } = token
    this.at++
    if (token.kind === "number") return { op: "literal", value: token.number!, start, end }
    if (token.kind === "string") return { op: "literal", value: token.text, start, end }
    if (token.kind === "name") return this.word(token)
    if (token.kind === "operator") {
      if (token.text === "(") {
        const inner = this.choice()
        this.expect(")")
        return inner
      }
      if (token.text === "[") {
        const items = this.list("]")
        return { op: "list", items, start, end: this.expect("]").end }
      }
      if (token.text === "{") return this.mapping(start)
    }
    throw new SyntaxProblem(
      token.kind === "end"
        ? "a value is missing at the end"
        : `a value is missing before ${show(token)}`,
      start,
      end,
    )
  }

  private word(token: Token): Node {
    const { start, end, text } = token
    if (Object.hasOwn(constants, text)) {
      return { op: "literal", value: constants[text]!, start, end }
    }
    if (text === "in" || reserved.has(text)) {
      throw new SyntaxProblem(
        `"${text}" is a word of the expression language`,
        start,
        end,
        foreignWords.get(text),
      )
    }
    if (this.accept("(")) return this.call(token, undefined)
    return { op: "name", name: text, start, end }
  }

  private mapping(start: number): Node {
    const entries: Array<readonly [Node, Node]> = []
    while (this.peek().text !== "}" || this.peek().kind !== "operator") {
      const key = this.choice()
      this.expect(":", 'a mapping is {"key": value}')
      entries.push([key, this.choice()])
      if (!this.accept(",")) break
    }
    return { op: "map", entries, start, end: this.expect("}").end }
  }

  private peek(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)]!
  }

  private accept(text: string): boolean {
    const token = this.peek()
    if (token.kind !== "operator" || token.text !== text) return false
    this.at++
    return true
  }

  private expect(text: string, help?: string): Token {
    const token = this.peek()
    if (this.accept(text)) return token
    const found = token.kind === "end" ? "the expression ends" : `there is ${show(token)}`
    throw new SyntaxProblem(
      `expected "${text}", but ${found}`,
      token.start,
      token.end,
      help ?? foreignWords.get(token.text),
      { fix: operatorFix(token) },
    )
  }
}

const show = (token: Token): string =>
  token.kind === "end" ? "the end" : token.kind === "string" ? "text" : `"${token.text}"`
