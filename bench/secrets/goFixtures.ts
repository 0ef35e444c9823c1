/** The examples of gitleaks' rules, read from its Go source: texts that hold a secret, and texts that hold none. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"

export interface Fixture {
  readonly rule: string
  readonly text: string
  readonly isSecret: boolean
  /** Places of its secrets, where they are known. */
  readonly ranges?: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

type Value = string | ReadonlyArray<string> | undefined
type Call = (args: ReadonlyArray<Value>) => Value

const RULES = "cmd/generate/config/rules"

export const goFixtures = (clone: string): ReadonlyArray<Fixture> => {
  const functions = { ...patterns, ...sampleCalls(clone) }
  return globSync("*.go", { cwd: join(clone, RULES) })
    .toSorted()
    .filter((file) => !file.endsWith("_test.go"))
    .flatMap((file) => fixturesOf(readFileSync(join(clone, RULES, file), "utf8"), functions))
}

const fixturesOf = (
  source: string,
  functions: { readonly [name: string]: Call },
): ReadonlyArray<Fixture> =>
  source
    .split(/^func /m)
    .slice(1)
    .flatMap((body) => {
      const rule = /RuleID:\s*"([^"]+)"/.exec(body)?.[1]
      if (rule === undefined) return []
      const values = new Evaluation(tokensOf(body), functions).run()
      const texts = (name: string) => [values.get(name) ?? []].flat() as ReadonlyArray<string>
      return [
        ...texts("tps").map((text) => ({ rule, text, isSecret: true })),
        ...texts("fps").map((text) => ({ rule, text, isSecret: false })),
      ]
    })

/** Texts that a pattern matches; the same for the same pattern. */
const sampled = (pattern: string): string => {
  const flags = pattern.startsWith("(?i)") ? "i" : ""
  const source = pattern
    .replace(/^\(\?i\)/, "")
    .replaceAll("\\x60", "`")
    .replaceAll("\\b", "")
    .replaceAll("[[:alnum:]]", "[A-Za-z0-9]")
  const seed = [...pattern].reduce((sum, one) => (sum * 31 + one.codePointAt(0)!) % 2 ** 31, 7)
  return fc.sample(fc.stringMatching(new RegExp(`^(?:${source})$`, flags)), {
    numRuns: 1,
    seed,
  })[0]!
}

const sized =
  (set: string): Call =>
  ([size]) =>
    `${set}{${String(size)}}`

const patterns: { readonly [name: string]: Call } = {
  "utils.Numeric": sized("[0-9]"),
  "utils.Hex": sized("[a-f0-9]"),
  "utils.AlphaNumeric": sized("[a-z0-9]"),
  "utils.AlphaNumericExtendedShort": sized("[a-z0-9_-]"),
  "utils.AlphaNumericExtended": sized("[a-z0-9=_\\-]"),
  "utils.AlphaNumericExtendedLong": sized("[a-z0-9\\/=_\\+\\-]"),
  "utils.Hex8_4_4_4_12": () => "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  "secrets.NewSecret": ([pattern]) => (typeof pattern === "string" ? sampled(pattern) : undefined),
  "strings.ToUpper": ([text]) => (typeof text === "string" ? text.toUpperCase() : undefined),
  "strings.Repeat": ([text, count]) =>
    typeof text === "string" ? text.repeat(Number(count)) : undefined,
  "fmt.Sprintf": ([format, ...args]) => {
    if (typeof format !== "string") return undefined
    let next = 0
    return format.replaceAll(/%[sdv]/g, () => String(args[next++]))
  },
  "[]string": (args) => args.flat().filter((one) => one !== undefined) as ReadonlyArray<string>,
  append: (args) => args.flat().filter((one) => one !== undefined) as ReadonlyArray<string>,
}

/** The forms in which gitleaks writes a secret beside a name: read from its source, too. */
const sampleCalls = (clone: string): { readonly [name: string]: Call } => {
  const source = readFileSync(join(clone, "cmd/generate/config/utils/generate.go"), "utf8")
  const block = source.slice(source.indexOf("samples := map"), source.indexOf("replacer :="))
  const forms = block
    .split("\n")
    .filter((line) => !/^\s*\/\//.test(line))
    .flatMap((line) => {
      const form = /^\s*"[^"]*":\s*("(?:[^"\\]|\\.)*"|`[^`]*`)/.exec(line)?.[1]
      return form === undefined ? [] : [literal(form)]
    })
  return {
    "utils.GenerateSampleSecret": ([name, secret]) =>
      `${String(name)}_api_token = "${String(secret)}"`,
    "utils.GenerateSampleSecrets": ([name, secret]) =>
      secret === undefined
        ? undefined
        : forms.map((form) =>
            form
              .replaceAll("{i}", String(name))
              .replaceAll("{I}", String(name).toUpperCase())
              .replaceAll("{s}", String(secret)),
          ),
  }
}

const literal = (token: string): string =>
  token.startsWith("`")
    ? token.slice(1, -1)
    : token
        .slice(1, -1)
        .replaceAll(/\\(x[\da-f]{2}|u[\da-f]{4}|.)/gi, (_, escape: string) =>
          /^[xu]/.test(escape)
            ? String.fromCodePoint(Number.parseInt(escape.slice(1), 16))
            : ({ n: "\n", t: "\t", r: "\r" }[escape] ?? escape),
        )

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|`[^`]*`|\[\]string|\.\.\.|:=|[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*|\d+|\n|\S/g

const tokensOf = (source: string): ReadonlyArray<string> =>
  source.match(TOKEN)!.filter((token) => !token.startsWith("//") && !token.startsWith("/*"))

/** Assignments of texts and lists of texts, in order; what it cannot read has no value. */
class Evaluation {
  readonly #values = new Map<string, Value>()
  #at = 0
  readonly #tokens: ReadonlyArray<string>
  readonly #functions: { readonly [name: string]: Call }

  constructor(tokens: ReadonlyArray<string>, functions: { readonly [name: string]: Call }) {
    this.#tokens = tokens
    this.#functions = functions
  }

  run(): ReadonlyMap<string, Value> {
    while (this.#at < this.#tokens.length) {
      const [name, operator] = this.#tokens.slice(this.#at, this.#at + 2)
      if (/^[a-z]\w*$/i.test(name!) && (operator === ":=" || operator === "=")) {
        this.#at += 2
        const start = this.#at
        const value = this.#sum()
        if (value === undefined) this.#at = start
        else this.#values.set(name!, value)
      } else this.#at++
    }
    return this.#values
  }

  #skipLines(): void {
    while (this.#tokens[this.#at] === "\n") this.#at++
  }

  #sum(): Value {
    let sum = this.#term()
    while (this.#tokens[this.#at] === "+") {
      this.#at++
      this.#skipLines()
      const next = this.#term()
      sum = typeof sum === "string" && typeof next === "string" ? sum + next : undefined
    }
    return sum
  }

  #term(): Value {
    const token = this.#tokens[this.#at++]
    if (token === undefined) return undefined
    if (/^["`]/.test(token)) return literal(token)
    if (/^\d+$/.test(token)) return token
    if (token === "[]string") return this.#functions["[]string"]!(this.#list("{", "}"))
    if (this.#tokens[this.#at] !== "(") return this.#values.get(token)
    const args = this.#list("(", ")")
    return this.#functions[token]?.(args)
  }

  #list(open: string, close: string): ReadonlyArray<Value> {
    const values: Array<Value> = []
    if (this.#tokens[this.#at] !== open) return values
    this.#at++
    for (;;) {
      while (["\n", ",", "..."].includes(this.#tokens[this.#at] ?? "")) this.#at++
      const token = this.#tokens[this.#at]
      if (token === undefined) return values
      if (token === close) {
        this.#at++
        return values
      }
      const before = this.#at
      values.push(this.#sum())
      // What is no expression here is passed over to the next comma.
      if (this.#at === before) this.#at++
      while (![",", close, "\n", "...", undefined].includes(this.#tokens[this.#at])) this.#at++
    }
  }
}
