/** Edits of diagnostics: each removes its problem, and none breaks what was right. */
import * as fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { hasErrors, type Diagnostic } from "../src/source/Diagnostic.ts"
import { rules } from "../src/definition/rules/index.ts"
import { report } from "../src/source/report.ts"
import { replaced } from "../src/source/Replacement.ts"
import { checkText } from "./checkText.ts"

const NAME = "flow.yaml"
const folder = join(import.meta.dirname, "golden")
const textsIn = (kind: "err" | "ok"): ReadonlyArray<readonly [name: string, text: string]> =>
  readdirSync(join(folder, kind))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [name, readFileSync(join(folder, kind, name), "utf8")])

const diagnosticsOf = (text: string) => checkText(NAME, text).diagnostics
const isUnread = (found: ReadonlyArray<Diagnostic>) =>
  found.some(({ code }) => code === "PL0003" || code === "PL0004")

const apply = (text: string, found: ReadonlyArray<Diagnostic>) =>
  replaced(
    text,
    found.flatMap(({ fix }) =>
      fix === undefined || fix.file !== NAME
        ? []
        : [{ from: fix.start.offset, to: fix.end.offset, text: fix.text }],
    ),
  ).text

/** The text once no edit is left. */
const fixAll = (text: string): string => {
  let now = text
  for (let round = 0; round < 10; round++) {
    const next = apply(now, diagnosticsOf(now))
    if (next === now) break
    now = next
  }
  return now
}

const head = `apiVersion: planloom/v1\nkind: Workflow\nname: flow\n`
const stages = (
  lines: string,
): string => `${head}inputs: { question: { type: string }, n: { type: integer } }
stages:
  - id: extract
    uses: extract
    with: { text: "\${{ inputs.question }}" }
${lines}`
const output = (expression: string): string =>
  stages(`outputs:\n  a: { type: string, value: "\${{ ${expression} }}" }\n`)
const score = "stages.extract.output.confidence"

describe("an edit", () => {
  it.each([
    ["a misspelt key", stages("").replace("uses:", "usess:"), "    uses: extract"],
    ["a key of another tool", stages("").replace("stages:", "steps:"), "\nstages:\n"],
    ["a kebab key", stages("    on-error: continue\n"), "    on_error: continue"],
    [
      "a key under another",
      stages("    max_retries: 2 # twice\n"),
      "    retry: { max_retries: 2 } # twice",
    ],
    ["a unit in a key", stages("    timeout-minutes: 5\n"), "    timeout: 5m"],
    [
      "a text for a list",
      stages("  - id: b\n    needs: extract\n    uses: respond\n    with: { results: 1 }\n"),
      "needs: [extract]",
    ],
    [
      "a list for a mapping",
      stages("").replace(/inputs: .*/, "inputs:\n  - name: question # asked\n    type: string"),
      "inputs:\n  question: # asked\n    type: string",
    ],
    [
      "a type of another language",
      stages("").replace("type: integer", "type: int"),
      "n: { type: integer }",
    ],
    [
      "the name of a type",
      stages("").replace("{ type: integer }", "integer"),
      "n: { type: integer }",
    ],
    [
      "required: true",
      stages("").replace("type: integer }", "type: integer, required: true }"),
      "n: { type: integer }",
    ],
    ["a number in quotes", stages(`policies: { budget: { tokens: "60_000" } }\n`), "tokens: 60000"],
    ["a duration in words", stages("    timeout: 10 minutes\n"), "timeout: 10m"],
    ["a name with hyphens", stages("").replace("name: flow", "name: my-flow"), "name: my_flow"],
    ["=", output(`${score} = 1 ? 'a' : 'b'`), `${score} == 1 ?`],
    ["===", output(`${score} === 1 ? 'a' : 'b'`), `${score} == 1 ?`],
    ["!==", output(`${score} !== 1 ? 'a' : 'b'`), `${score} != 1 ?`],
    ["and", output(`${score} > 1 and ${score} < 2 ? 'a' : 'b'`), `> 1 && `],
    ["curly quotes in an expression", output(`inputs.question == “a” ? 'a' : 'b'`), "== 'a' ?"],
    [
      "a method of another language",
      output("inputs.question.toUpperCase()"),
      "inputs.question.upper()",
    ],
    [
      "a number joined to text",
      output("inputs.question + inputs.n"),
      "inputs.question + string(inputs.n)",
    ],
    ["a misspelt input", output("inputs.qestion"), "inputs.question }}"],
    ["an input without its root", output("question"), "{{ inputs.question }}"],
    ["a length", output("string(inputs.question.length)"), "string(size(inputs.question))"],
    [
      "a missing .output",
      output("string(stages.extract.confidence)"),
      "string(stages.extract.output.confidence)",
    ],
    [
      "inner quotes",
      output(`inputs.question == "a" ? 'a' : 'b'`).replace("'a' : 'b'", `"a" : "b"`),
      `== 'a' ? 'a' : 'b' }}"`,
    ],
    [
      "an expression without quotes",
      stages("").replace(`"\${{ inputs.question }}"`, "${{ inputs.question }}"),
      `"\${{ inputs.question }}"`,
    ],
    [
      "a value with a colon",
      stages("").replace("name: flow", "name: flow\ndescription: In short: a test"),
      `description: "In short: a test"`,
    ],
    [
      "a quote that is not closed",
      stages("").replace("name: flow", `name: flow\ndescription: "A test`),
      `description: "A test"\n`,
    ],
    ["tabs", stages("").replaceAll("    ", "\t\t"), "\n    uses: extract"],
    [
      "curly quotes around a value",
      stages("").replace(`"\${{ inputs.question }}"`, "“How much?”"),
      `text: "How much?"`,
    ],
    [
      "item under another name",
      stages(`    for_each: { in: "['a']", as: row }\n`).replace("inputs.question }}", "item }}"),
      `text: "\${{ row }}"`,
    ],
    [
      "an output of a stage that may not run",
      stages(
        `    if: inputs.n > 1\noutputs:\n  a: { type: string, value: "\${{ string(${score}) }}" }\n`,
      ),
      `"\${{ has(stages.extract.output) ? string(${score}) : '' }}"`,
    ],
    [
      "a line break in double quotes",
      output("'a\\n' + inputs.question"),
      "'a\\\\n' + inputs.question",
    ],
    [
      "values of a choice that may be missing",
      stages(`    if: inputs.n > 1\noutputs:\n  a: "\${{ inputs.n > 1 ? ${score} : 0.0 }}"\n`),
      `? (has(stages.extract.output) ? ${score} : null) : 0.0 }}"`,
    ],
    [
      "braces around a condition",
      stages(`    if: "{{ inputs.n > 1 }}"\n`),
      `    if: "inputs.n > 1"`,
    ],
    [
      "fields for a schema",
      stages("    output: { confidence: number, requirements: list }\n"),
      "output: { type: object, required: [confidence, requirements], properties: { confidence: { type: number }, requirements: { type: array } } }",
    ],
    [
      "a missing header",
      stages("").replace("apiVersion: planloom/v1\nkind: Workflow\n", ""),
      "apiVersion: planloom/v1\nkind: Workflow\nname: flow",
    ],
    ["a missing name", stages("").replace("name: flow\n", ""), "kind: Workflow\nname: flow\n"],
  ])("removes the problem: %s", (_, text, wanted) => {
    expect(hasErrors(diagnosticsOf(text)) || diagnosticsOf(text).length > 0).toBe(true)
    const fixed = fixAll(text)
    expect(fixed).toContain(wanted)
    expect(diagnosticsOf(fixed).filter(({ severity }) => severity === "error")).toEqual([])
  })

  it.each([
    ["two keys that mean the same", stages("    timeout_: 1s\n    timeuot: 2s\n")],
    ["a key whose value fits nowhere", stages("    tiemout: [1]\n")],
    ["a number without a unit", stages("    timeout: 30\n")],
    [
      "a name that differs in a number",
      stages(
        "  - id: step_1\n    uses: respond\n  - id: b\n    needs: [step_2]\n    uses: respond\n",
      ),
    ],
    [
      "a line whose comment would go with it",
      stages("")
        .replace(
          "inputs: {",
          "inputs:\n  m:\n    type: string\n    required: true # always\nx-old: {",
        )
        .replace("${{ inputs.question }}", "${{ inputs.m }}"),
    ],
    ["a version that is not this one", stages("").replace("planloom/v1", "planloom/v2")],
    ["months", stages("    timeout: 5 months\n")],
    [
      "tabs beside a block, in which they may be text",
      stages("").replace("name: flow", "name: flow\ndescription: |\n  a\nx-own:\n\ta: 1"),
    ],
  ])("is not given for %s", (_, text) => {
    const found = diagnosticsOf(text)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ fix }) => fix !== undefined)).toEqual([])
  })

  it.each(textsIn("err"))("of the golden %s leaves no such problem at its place", (_, text) => {
    const found = diagnosticsOf(text)
    expect(found).not.toEqual([])
    for (const one of found) {
      if (one.fix === undefined || one.fix.file !== NAME) continue
      const after = diagnosticsOf(apply(text, [one]))
      const same = after.filter(
        ({ code, message, start }) =>
          code === one.code && message === one.message && start.offset === one.start.offset,
      )
      expect(same).toEqual([])
    }
  })
})

describe("a report for machines", () => {
  it.each(textsIn("err"))("has a next step in each message of the golden %s", (_, text) => {
    const printed = report(diagnosticsOf(text), { format: "json", rules })
    for (const { help } of JSON.parse(printed) as ReadonlyArray<{ readonly help?: string }>) {
      expect(help ?? "").toMatch(/\w/)
    }
  })
})

/** Changes of one place, as authors make them by mistake. */
const mistakes: ReadonlyArray<(text: string, at: number) => string> = [
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2),
  (text, at) => `${text.slice(0, at)}x${text.slice(at)}`,
  (text, at) => text.slice(0, at) + text.slice(at).replace('"', "“"),
  (text, at) => text.slice(0, at) + text.slice(at).replace("==", "="),
  (text, at) => text.slice(0, at) + text.slice(at).replace("    ", "\t"),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/"(\$\{\{.*?\}\})"/, "$1"),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/\[(\w+)\]/, "$1"),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/_/, "-"),
  (text, at) => text.slice(0, at) + text.slice(at).replace(".output", ""),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/'([^']*)'/, '"$1"'),
]

describe("edits of a workflow with mistakes", () => {
  const good = textsIn("ok").map(([, text]) => text)
  const broken = fc
    .tuple(
      fc.constantFrom(...good),
      fc.array(fc.tuple(fc.constantFrom(...mistakes), fc.double({ min: 0, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([text, changes]) =>
      changes.reduce((now, [change, share]) => change(now, Math.floor(share * now.length)), text),
    )

  it("leave a file readable that was readable, valid that was valid, and each comment", () => {
    fc.assert(
      fc.property(broken, (text) => {
        const before = diagnosticsOf(text)
        const applied = apply(text, before)
        const after = diagnosticsOf(applied)
        for (const comment of text.match(/(?<=^|\s)# .*$/gm) ?? [])
          expect(applied).toContain(comment)
        expect(isUnread(after) && !isUnread(before)).toBe(false)
        expect(hasErrors(after) && !hasErrors(before)).toBe(false)
      }),
      { numRuns: cases(300) },
    )
  })

  it("come to an end, after which none is left", () => {
    fc.assert(
      fc.property(broken, (text) => {
        const fixed = fixAll(text)
        expect(apply(fixed, diagnosticsOf(fixed))).toBe(fixed)
      }),
      { numRuns: cases(100) },
    )
  })
})
