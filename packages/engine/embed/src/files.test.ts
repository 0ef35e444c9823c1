/** Files under `use.files`: each is read as the kind it says, kinds of plugins by their schema. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { definePlugin, fileKind, stageKind, type Json } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import * as Effect from "effect/Effect"
import { echo } from "../../core/test/inline.ts"
import { check, load } from "./Workflow.ts"

interface Phrases {
  readonly name: string
  readonly say: ReadonlyArray<string>
  readonly stage?: string
}

const phrases = fileKind<Phrases>({
  kind: "Phrases",
  summary: "Phrases to say.",
  schema: {
    type: "object",
    required: ["name", "say"],
    properties: {
      name: { type: "string", format: "name" },
      say: { type: "array", items: { type: "string" }, minItems: 1 },
      mood: { enum: ["glad", "calm"] },
      every: { type: "string", format: "duration" },
      when: { type: "string", format: "cel" },
      sound: { type: "string", format: "path" },
      stage: { type: "string" },
    },
    additionalProperties: false,
  },
  refers: ({ stage }) => (stage === undefined ? [] : [{ to: "stage", id: stage, at: ["stage"] }]),
  check: ({ say }, known) =>
    Effect.succeed(
      say.flatMap((phrase, index) =>
        phrase === "…"
          ? [
              {
                code: "PHRASE01",
                message: `there are ${known.files("Phrases").length} files, and this says nothing`,
                at: ["say", index],
                fix: "write a phrase",
              },
            ]
          : [],
      ),
    ),
})

const plugin = definePlugin({
  id: "phrases",
  summary: "Says phrases of files.",
  components: {
    fileKinds: [phrases],
    stages: [
      echo,
      stageKind<object>({
        id: "recite",
        summary: "Gives the files.",
        input: { type: "object", additionalProperties: false },
        output: true,
        run: (_, { files }) => Effect.succeed(files("Phrases") as Json),
      }),
      stageKind<object>({
        id: "sing",
        summary: "Names a file of phrases and a tune.",
        input: {
          type: "object",
          properties: {
            phrases: { type: "array", items: { type: "string" } },
            tune: { type: "string" },
            beat: { type: "string" },
          },
          additionalProperties: false,
        },
        output: true,
        refers: ({ beat, phrases: named, tune }) => {
          if (beat === "none") throw new Error("no beat")
          return [
            ...((named ?? []) as ReadonlyArray<string>).map((id, index) => ({
              to: "Phrases",
              id,
              at: ["phrases", index],
            })),
            ...(tune === undefined ? [] : [{ to: "file", id: String(tune), at: ["tune"] }]),
          ]
        },
        run: () => Effect.succeed(null),
      }),
    ],
  },
})

const workflow = (use: string) => `apiVersion: planloom/v1
kind: Workflow
name: say
use: ${use}
stages: [{ id: say, uses: recite }]
outputs: { said: { value: "\${{ stages.say.output }}" } }
`

const file = (body: string, kind = "kind: Phrases") => `apiVersion: planloom/v1\n${kind}\n${body}\n`

/** A folder with these files and the workflow that uses them. */
const folderWith = (files: { readonly [name: string]: string }, use?: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const named = Object.keys(files).map((name) => `./${name}`)
  writeFileSync(
    join(folder, "say.yaml"),
    workflow(use ?? `{ plugins: [phrases], files: [${named.join(", ")}] }`),
  )
  return join(folder, "say.yaml")
}

const options = { plugins: { phrases: async () => plugin } }

const problems = (path: string) =>
  Effect.map(check(path, options), ({ diagnostics }) =>
    diagnostics.map(({ code, file: found, help, message, start }) =>
      [`${found.split("/").at(-1)}:${start.line}:${start.col} ${code} ${message}`, help].join(
        " | ",
      ),
    ),
  )

describe("a file of a kind that a plugin declares", () => {
  it.effect("gives stage kinds its contents, in declared order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const path = folderWith({
          "b.yaml": file("name: b\nsay: [two]"),
          "a.yaml": file("name: a\nsay: [one]\nx-note: mine"),
        })
        const { pipeline } = yield* load(path, options)
        const { outputs } = yield* run(pipeline, {})
        assert.deepStrictEqual(outputs, {
          said: [
            { name: "b", say: ["two"] },
            { name: "a", say: ["one"] },
          ],
        })
      }),
    ),
  )

  it.effect.each([
    ["name: a\nsya: [one]", 'a.yaml:4:1 PL0101 unknown key "sya" | did you mean "say"?'],
    ["say: [one]", 'a.yaml:1:1 PL0102 the key "name" is missing | '],
    ["name: a\nsay: [one, 2]", 'a.yaml:4:12 PL0103 "say" must be string, found the number 2 | '],
    [
      "name: a\nsay: [one]\nmood: clam",
      'a.yaml:5:7 PL0104 unknown value "clam" | did you mean "calm"?',
    ],
    [
      "name: a\nsay: [one]\nevery: 5",
      'a.yaml:5:8 PL0103 "every" must be string, found the number 5 | ',
    ],
    [
      "name: a\nsay: [one]\nevery: soon",
      'a.yaml:5:8 PL0105 "soon" is not a duration | write 500ms, 30s, 5m or 1h30m',
    ],
    ["name: a\nsay: []", 'a.yaml:4:6 PL0106 "say" must have at least 1 item, found a list | '],
    ["name: A b\nsay: [one]", 'a.yaml:3:7 PL0107 "A b" cannot be a name'],
    ["name: a\nsay: [one]\nwhen: a ==", "a.yaml:5:11 PL1001 a value is missing at the end"],
    [
      "name: a\nsay: [one]\nsound: ./no.wav",
      'a.yaml:5:8 PL4011 "./no.wav" cannot be read: the file does not exist',
    ],
    [
      "name: a\nsay: [one]\nstage: eco",
      'a.yaml:5:8 PL4003 there is no stage kind "eco" | did you mean "echo"?',
    ],
    [
      "name: a\nsay: [one, …]",
      "a.yaml:4:12 PHRASE01 there are 1 files, and this says nothing | write a phrase",
    ],
  ] as const)("reports %j at its position", ([body, expected]) =>
    Effect.gen(function* () {
      const found = yield* problems(folderWith({ "a.yaml": file(body) }))
      assert.isTrue(
        found.some((one) => one.startsWith(expected)),
        found.join("\n"),
      )
    }),
  )
})

describe("a stage kind that refers to files of its plugin's kind", () => {
  const problemsOf = (given: string) => {
    const path = folderWith({ "a.yaml": file("name: a\nsay: [one]") })
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: say
use: { plugins: [phrases], files: [./a.yaml] }
stages:
  - id: sing
    uses: sing
    with: ${given}
`,
    )
    return problems(path)
  }

  it.effect.each([
    ["{ phrases: [a], tune: ./a.yaml }", []],
    ["{ phrases: [a, b] }", ['say.yaml:8:26 PL4025 there is no Phrases "b" | there are: a']],
    [
      "{ tune: ./no.mid }",
      [
        'say.yaml:8:19 PL4011 "./no.mid" cannot be read: the file does not exist | paths are relative to this file\'s folder',
      ],
    ],
    [
      "{ beat: none }",
      ['say.yaml:8:11 PL4001 the plugin\'s code for stage kind "sing" failed: no beat | '],
    ],
    ['{ phrases: ["${{ string(1 + 1) }}"] }', []],
    [
      "{ phrases: 5 }",
      ['say.yaml:8:22 PL4007 "phrases" is a list of texts, found the number 5 | '],
    ],
  ] as const)("reports for with: %s what does not exist, at its position", ([given, expected]) =>
    Effect.map(problemsOf(given), (found) => assert.deepStrictEqual(found, [...expected])),
  )
})

describe("a prompt file that does not exist", () => {
  it.effect("is reported once, at its path", () =>
    Effect.gen(function* () {
      const path = folderWith({})
      writeFileSync(
        path,
        `apiVersion: planloom/v1
kind: Workflow
name: say
use: { plugins: [phrases] }
prompts: { task: ./none.md }
stages: [{ id: say, uses: recite, prompt: { use: task } }]
`,
      )
      assert.deepStrictEqual(
        (yield* problems(path)).map((one) => one.split(" | ")[0]),
        ['say.yaml:5:18 PL4011 "./none.md" cannot be read: the file does not exist'],
      )
    }),
  )
})

describe("a file under use.files", () => {
  it.effect.each([
    ["", 'a.yaml:1:1 PL0102 the key "kind" is missing | the kinds are: Workflow, Catalog,'],
    ["kind: Frases", 'a.yaml:2:7 PL0111 unknown kind "Frases" | did you mean "Phrases"?'],
    [
      "kind: Workflow",
      "a.yaml:2:7 PL0111 a workflow cannot use a file of kind Workflow | remove it",
    ],
    [
      "kind: Models",
      "a.yaml:2:7 PL0111 a workflow cannot use a file of kind Models | name it in planloom.yaml: model_facts: [...]",
    ],
    [
      "kind: Examples",
      "a.yaml:2:7 PL0111 a workflow cannot use a file of kind Examples | name it on a stage: examples: { file: ",
    ],
  ] as const)("with the header %j is an error", ([kind, expected]) =>
    Effect.gen(function* () {
      const [found = ""] = yield* problems(folderWith({ "a.yaml": file("name: a", kind) }))
      assert.isTrue(found.startsWith(expected), found)
    }),
  )

  it.effect.each(["catalogs", "templates", "hooks", "examples"])(
    "is not written under use.%s",
    (key) =>
      Effect.gen(function* () {
        const path = folderWith({}, `{ plugins: [phrases], ${key}: [./a.yaml] }`)
        assert.deepStrictEqual(yield* problems(path), [
          `say.yaml:4:28 PL0101 unknown key "${key}" | write it under use: { files: [...] }`,
        ])
      }),
  )
})
