/** Common mistakes of a first workflow: each is one diagnostic at its place, with the text to write. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

interface Mistake {
  /** The file below its header. */
  readonly text: string
  /** Where, in the whole file. */
  readonly at: string
  readonly code: string
  /** In the message or its help. */
  readonly says: ReadonlyArray<string>
}

const header = "apiVersion: planloom/v1\nkind: Workflow\nname: w\n"
const stages = 'use: { plugins: ["@planloom/stages"] }\n'
const one = "stages: [{ id: s, uses: set, with: { value: 1 } }]\n"
const set = (value: string, inputs = "a: { type: string }") =>
  `${stages}inputs: { ${inputs} }\nstages:\n  - { id: s, uses: set, with: { value: ${value} } }\n`
const uses = (kind: string) => `${stages}stages:\n  - { id: s, uses: ${kind}, with: { url: x } }\n`
const stage = (keys: string) => `${stages}stages:\n  - { id: s, uses: set, ${keys} }\n`

const mistakes: { readonly [name: string]: Mistake } = {
  double_quotes_inside: {
    text: set(`"\${{ inputs.a == "x" ? "y" : "z" }}"`),
    at: "7:57",
    code: "PL0003",
    says: ["ends the value", `write "\${{ inputs.a == 'x' ? 'y' : 'z' }}"`],
  },
  single_quotes_inside: {
    text: set(`'\${{ inputs.a == 'x' }}'`),
    at: "7:57",
    code: "PL0003",
    says: [`write '\${{ inputs.a == "x" }}'`],
  },
  line_break: {
    text: set(`"\${{ inputs.a.join('\\n') }}"`, "a: { type: array, items: { type: string } }"),
    at: "7:59",
    code: "PL1001",
    says: ["no closing quote", String.raw`write '\\n'`],
  },
  nullish: {
    text: set('"${{ inputs.a ?? 3 }}"'),
    at: "7:54",
    code: "PL1001",
    says: ['"??" is not part', "has(inputs.a) ? inputs.a : 3"],
  },
  optional_chain: {
    text: set('"${{ inputs.a?.b }}"'),
    at: "7:53",
    code: "PL1001",
    says: ['"?." is not part', "has(inputs.a.b) ? inputs.a.b : …"],
  },
  curly_in_expression: {
    text: set('"${{ inputs.a == “x” }}"'),
    at: "7:57",
    code: "PL1001",
    says: ["straight quotes: 'x'"],
  },
  curly_around: {
    text: `${stages}stages: [{ id: s, uses: set, with: { value: “hello” } }]\n`,
    at: "5:45",
    code: "PL1005",
    says: ['write "hello"'],
  },
  arrow: {
    text: set(
      `"\${{ inputs.a.map(x => x + '!') }}"`,
      "a: { type: array, items: { type: string } }",
    ),
    at: "7:60",
    code: "PL1001",
    says: ["x, x + '!'"],
  },
  default_by_or: {
    text: set(`"\${{ inputs.a || 'none' }}"`),
    at: "7:45",
    code: "PL1202",
    says: ["has(inputs.a) ? inputs.a : 'none'"],
  },
  backtick: {
    text: set('"${{ `hi ${inputs.a}` }}"'),
    at: "7:45",
    code: "PL1001",
    says: ["join texts"],
  },
  text_above_number: {
    text: `${stages}inputs: { a: { type: string } }\nstages:\n  - { id: s, uses: set, if: inputs.a > 0, with: { value: 1 } }\n`,
    at: "7:29",
    code: "PL1202",
    says: ["to_number(inputs.a)"],
  },
  null_in_a_value: {
    text: set(
      '"${{ inputs.r.l.t }}"',
      "r: { type: object, required: [l], properties: { l: { type: [object, 'null'], required: [t], properties: { t: { type: string } } } } }",
    ),
    at: "7:56",
    code: "PL1202",
    says: ["inputs.r.l != null ? inputs.r.l.t : …"],
  },
  plain_reference: {
    text: `${stages}${one}outputs: { o: stages.s.output }\n`,
    at: "6:15",
    code: "PL1004",
    says: ['write "${{ stages.s.output }}"'],
  },
  colon_in_a_value: {
    text: `${stages}stages:\n  - id: s\n    uses: set\n    with:\n      value: it's fine: really\n`,
    at: "9:14",
    code: "PL0003",
    says: [`write "it's fine: really"`],
  },
  plugin_name: {
    text: `use: { plugins: ["@planloom/stage"] }\n${one}`,
    at: "4:18",
    code: "PL4001",
    says: ['did you mean "@planloom/stages"?'],
  },
  list_of_plugins: {
    text: `use: ["@planloom/stages"]\n${one}`,
    at: "4:6",
    code: "PL0103",
    says: ['write use: { plugins: ["@planloom/stages"] }'],
  },
  duplicate_key: {
    text: `${stages}stages:\n  - id: s\n    uses: set\n    with: { value: 1 }\n    uses: generate\n`,
    at: "9:5",
    code: "PL0004",
    says: ["first on line 7"],
  },
  misspelt_with_key: {
    text: `${stages}stages: [{ id: s, uses: approve, with: { mesage: Send it? } }]\n`,
    at: "5:42",
    code: "PL4005",
    says: ['did you mean "message"?'],
  },
  other_word_for_a_key: {
    text: `${stages}stages: [{ id: s, uses: approve, with: { question: Send it? } }]\n`,
    at: "5:42",
    code: "PL4005",
    says: ['did you mean "message"?'],
  },
  retry_as_number: {
    text: stage("retry: 3, with: { value: 1 }"),
    at: "6:32",
    code: "PL0103",
    says: ["write retry: { max_retries: 3 }"],
  },
  for_each_of_text: {
    text: `${stages}inputs: { a: { type: string } }\nstages:\n  - { id: s, uses: set, for_each: inputs.a, with: { value: 1 } }\n`,
    at: "7:35",
    code: "PL1204",
    says: ['split(inputs.a, ",")', "[inputs.a]"],
  },
  for_each_of_list: {
    text: stage('for_each: [1, 2], with: { value: "${{ item }}" }'),
    at: "6:35",
    code: "PL0103",
    says: ['write for_each: "[1,2]"'],
  },
  outputs_as_list: {
    text: `${stages}${one}outputs:\n  - result: "\${{ stages.s.output }}"\n`,
    at: "7:3",
    code: "PL0103",
    says: ['without "- ": result: …'],
  },
  inputs_as_list: {
    text: `${stages}inputs: [question]\nstages: [{ id: s, uses: set, with: { value: "\${{ inputs.question }}" } }]\n`,
    at: "5:9",
    code: "PL0103",
    says: ["question: …"],
  },
  on_failure: {
    text: stage("on_failure: continue, with: { value: 1 }"),
    at: "6:25",
    code: "PL0101",
    says: ['did you mean "on_error"?', "repair, budget, concurrency, on_error, fallback"],
  },
  no_stages: {
    text: stages,
    at: "1:1",
    code: "PL0102",
    says: ["add stages: [{ id: answer, uses: generate, with: { task: … } }]"],
  },
  schedule_as_text: {
    text: `${stages}on: { schedule: "0 9 * * *" }\n${one}`,
    at: "5:17",
    code: "PL0103",
    says: ['write schedule: [{ cron: "0 9 * * *" }]'],
  },
  missing_catalog: {
    text: `use: { plugins: ["@planloom/stages"], files: [none.yaml] }\nstages: [{ id: s, uses: call, with: { tool: t } }]\n`,
    at: "4:47",
    code: "PL4011",
    says: ["does not exist"],
  },
  default_of_another_type: {
    text: set('"${{ inputs.n }}"', "n: { type: integer, default: one }"),
    at: "5:40",
    code: "PL0109",
    says: ["must be integer", "write a default that fits"],
  },
  uses_http: { text: uses("http"), at: "6:20", code: "PL4003", says: ["tool: http_get"] },
  uses_shell: { text: uses("shell"), at: "6:20", code: "PL4003", says: ["planloom new tool"] },
  uses_llm: { text: uses("llm"), at: "6:20", code: "PL4003", says: ["uses: generate"] },
  uses_prompt: { text: uses("prompt"), at: "6:20", code: "PL4003", says: ["uses: generate"] },
  uses_if: { text: uses("if"), at: "6:20", code: "PL4003", says: ["uses: switch"] },
}

/** Files without the header, of other tools. */
const foreign: { readonly [name: string]: Mistake } = {
  github: {
    text: "name: ci\non: push\njobs: { build: { runs-on: ubuntu-latest, steps: [] } }\n",
    at: "1:1",
    code: "PL0102",
    says: ["GitHub Actions workflow", "kind: Workflow"],
  },
  promptfoo: {
    text: 'prompts: ["Say {{x}}"]\nproviders: [openai:gpt-4o]\ntests: []\n',
    at: "1:1",
    code: "PL0102",
    says: ["promptfoo", "uses: generate"],
  },
}

interface Reported {
  readonly code: string
  readonly message: string
  readonly file: string
  readonly help?: string
  readonly start: { readonly line: number; readonly col: number }
}

describe("a common mistake is one diagnostic at its place, with the text to write", () => {
  let folder: string
  let reported: ReadonlyArray<Reported>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mistakes-"))
    for (const [name, { text }] of Object.entries({ ...mistakes, ...foreign })) {
      const whole = Object.hasOwn(foreign, name) ? text : `${header}${text}`
      await writeFile(join(folder, `${name}.yaml`), whole)
    }
    const files = Object.keys({ ...mistakes, ...foreign }).map((name) => `${name}.yaml`)
    const { stdout } = await planloom(["check", ...files, "--format", "json"], { cwd: folder })
    reported = JSON.parse(stdout) as ReadonlyArray<Reported>
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(Object.entries({ ...mistakes, ...foreign }))("%s", (name, { at, code, says }) => {
    const own = reported.filter(({ file }) => file === `${name}.yaml`)
    expect(own.map(({ code: found, start }) => `${start.line}:${start.col} ${found}`)).toEqual([
      `${at} ${code}`,
    ])
    for (const text of says) expect(`${own[0]!.message}\n${own[0]!.help}`).toContain(text)
  })
})

it("an unknown key of a plugin's config is one diagnostic at the key, with the nearest one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mistakes-"))
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write(
    "planloom.yaml",
    'apiVersion: planloom/v1\nkind: Project\nplugins: { "@planloom/tools-http": { host: [a.example.com] } }\n',
  )
  await write(
    "c.yaml",
    'apiVersion: planloom/v1\nkind: Catalog\ntools: [{ name: t, summary: T., source: http, with: { url: "https://a.example.com/x" } }]\n',
  )
  await write(
    "w.yaml",
    `${header}use: { plugins: ["@planloom/stages", "@planloom/tools-http"], files: [c.yaml] }\nstages: [{ id: a, uses: call, with: { tool: t } }]\n`,
  )
  const { stdout } = await planloom(["check", "w.yaml"], { cwd: folder })
  await rm(folder, { recursive: true })
  expect(stdout).toContain("planloom.yaml:3:38 error PL4002")
  expect(stdout).toContain('did you mean "hosts"?')
  expect(stdout).toContain("1 error\n")
})
