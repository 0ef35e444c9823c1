/** Sections of plugins: keys of a workflow, a stage and the project file that the language does not have. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  definePlugin,
  hook,
  sectionKind,
  stageKind,
  type Components,
  type HookUse,
} from "@planloom/plugin/effect"
import { emptyRecording, recordingJournal, run } from "@planloom/core"
import { artefactOf, checkWorkflow } from "@planloom/language"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { echo } from "../../core/test/inline.ts"
import { openArtefact } from "./artefact.ts"
import { check, load } from "./Workflow.ts"

interface Tone {
  readonly use: string
  readonly words?: ReadonlyArray<string>
}

/** How often the values of a section were made. */
let made = 0

const tone = sectionKind<Tone>({
  on: "workflow",
  key: "tone",
  summary: "How answers sound.",
  schema: {
    type: "object",
    required: ["use"],
    properties: {
      use: { enum: ["friendly", "formal"] },
      words: { type: "array", items: { type: "string" } },
    },
    additionalProperties: false,
  },
  check: ({ words = [] }) =>
    words.flatMap((word, index) =>
      word.includes(" ")
        ? [{ code: "TONE01", message: `"${word}" is two words`, at: ["words", index] }]
        : [],
    ),
  variables: () => ({ greeting: { type: "string" }, count: { type: "integer" } }),
  bind: ({ use }) => ({
    variables: ({ inputs }) =>
      Effect.sync(() => {
        made++
        const greeting = use === "formal" ? "Good day" : "Hi"
        return { greeting: `${greeting} ${String(inputs["name"])}`, count: use.length }
      }),
  }),
})

const aside = sectionKind<{ readonly stage?: string }>({
  on: "stage",
  key: "aside",
  summary: "A remark of a stage.",
  schema: {
    type: "object",
    properties: { stage: { type: "string" } },
    additionalProperties: false,
  },
  refers: ({ stage }) => (stage === undefined ? [] : [{ to: "stage", id: stage, at: ["stage"] }]),
  variables: () => ({ at: { type: "string" } }),
  bind: () => ({ variables: ({ path }) => Effect.succeed({ at: path ?? "nowhere" }) }),
})

const house = sectionKind<string>({
  on: "project",
  key: "house",
  summary: "The house style.",
  schema: { type: "string" },
  variables: () => ({ style: { type: "string" } }),
  bind: (style) => ({ variables: () => Effect.succeed({ style }) }),
})

const gated = sectionKind<boolean>({
  on: "workflow",
  key: "gated",
  summary: "Binds a gate.",
  schema: { type: "boolean" },
  bind: () => ({ gate: { open: () => () => Stream.empty } }),
})

const guarded = sectionKind<boolean>({
  on: "project",
  key: "guarded",
  summary: "Binds a gate, too.",
  schema: { type: "boolean" },
  bind: () => ({ gate: { open: () => () => Stream.empty } }),
})

const liar = sectionKind<boolean>({
  on: "workflow",
  key: "liar",
  summary: "Gives other values than it says.",
  schema: { type: "boolean" },
  variables: () => ({ number: { type: "integer" } }),
  bind: () => ({ variables: () => Effect.succeed({ number: "one" }) }),
})

/** A gate reads its reply. */
const speaking = stageKind<object>({
  id: "speaking",
  summary: "Speaks.",
  input: true,
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  mechanical: () => Effect.succeed({ text: "Hello." }),
})

const optionsWith = (components: Components) => ({
  plugins: {
    tones: async () => definePlugin({ id: "tones", summary: "Tones.", components }),
  },
})
const options = optionsWith({
  stages: [echo, speaking],
  sections: [tone, aside, house, gated, guarded, liar],
})

const folderWith = (body: string, project?: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  const file = join(folder, "hello.yaml")
  writeFileSync(
    file,
    `apiVersion: planloom/v1\nkind: Workflow\nname: hello\nuse: { plugins: [tones] }\ninputs: { name: { type: string, default: Ada } }\n${body}\n`,
  )
  if (project !== undefined) {
    writeFileSync(
      join(folder, "planloom.yaml"),
      `apiVersion: planloom/v1\nkind: Project\n${project}\n`,
    )
  }
  return file
}

const says = (value: string, more = "") =>
  `stages: [{ id: say, uses: echo, with: { value: "\${{ ${value} }}" }${more} }]
outputs: { said: { value: "\${{ stages.say.output }}" } }`

/** With a stage whose reply a gate reads. */
const speaks = `stages: [{ id: say, uses: speaking }]
outputs: { said: { value: "\${{ stages.say.output.text }}" } }`

const problems = (body: string, given = options, project?: string) =>
  Effect.map(check(folderWith(body, project), given), ({ diagnostics }) =>
    // Most of these workflows have no use for their input.
    diagnostics
      .filter(({ code }) => code !== "PL2011")
      .map(({ code, file, help, message, start }) =>
        [`${file.split("/").at(-1)}:${start.line}:${start.col} ${code} ${message}`, help].join(
          " | ",
        ),
      ),
  )

const saidBy = (body: string, project?: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(folderWith(body, project), options)
      return (yield* run(pipeline, {})).outputs?.["said"]
    }),
  )

describe("a section of a workflow", () => {
  it.effect("gives expressions values, made once for a recorded run", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const body = `tone: { use: formal }\n${says("tone.greeting + string(tone.count)")}`
        const { pipeline } = yield* load(folderWith(body), options)
        const recording = emptyRecording()
        made = 0
        for (const _ of [1, 2]) {
          const result = yield* run(
            pipeline,
            {},
            { run: "one", journal: recordingJournal(recording) },
          )
          assert.deepStrictEqual(result.outputs, { said: "Good day Ada6" })
        }
        assert.strictEqual(made, 1)
      }),
    ),
  )

  it.effect.each([
    ["tnoe: { use: formal }", 'hello.yaml:6:1 PL0101 unknown key "tnoe" | did you mean "tone"?'],
    [
      "tone: { use: formal, wrds: [] }",
      'hello.yaml:6:22 PL0101 unknown key "wrds" | did you mean "words"?',
    ],
    ["tone: {}", 'hello.yaml:6:1 PL0102 the key "use" is missing | '],
    [
      "tone: { use: formel }",
      'hello.yaml:6:14 PL0104 unknown value "formel" | did you mean "formal"?',
    ],
    [
      "tone: { use: formal, words: [good, very well] }",
      'hello.yaml:6:36 TONE01 "very well" is two words | ',
    ],
  ] as const)("%s is reported at its position", ([section, expected]) =>
    Effect.gen(function* () {
      const found = yield* problems(`${section}\n${says("1")}`)
      assert.isTrue(found.length === 1 && found[0]!.startsWith(expected), found.join("\n"))
    }),
  )

  it.effect("types its values: another name or type is an error of the expression", () =>
    Effect.gen(function* () {
      const section = "tone: { use: formal }"
      assert.deepStrictEqual(
        (yield* problems(`${section}\n${says("tone.greting")}`)).map((one) => one.slice(0, 21)),
        ["hello.yaml:7:58 PL120"],
      )
      assert.deepStrictEqual(
        (yield* problems(`${section}\n${says("tone.greeting * 2")}`)).map((one) =>
          one.slice(0, 21),
        ),
        ["hello.yaml:7:53 PL120"],
      )
    }),
  )

  it.effect("that binds a gate beside another one is an error at its key", () =>
    Effect.gen(function* () {
      const body = `gated: true\n${speaks}`
      assert.deepStrictEqual(yield* problems(body), [])
      const found = yield* problems(body, options, "guarded: true")
      assert.deepStrictEqual(
        found.map((one) => one.split(" | ")[0]),
        ['hello.yaml:6:1 PL4004 "gated" binds a gate, and so does "guarded"'],
      )
    }),
  )

  it.effect("that gives a value of another type fails the run", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(saidBy(`liar: true\n${says("liar.number")}`))
      assert.include(
        failure.message,
        'the values of "liar" do not fit their schemas: number must be integer',
      )
    }),
  )
})

const summary = "A hook of a test."
const hookSections = (["workflow", "stage"] as const).map((on) =>
  sectionKind<ReadonlyArray<HookUse>>({
    on,
    key: "hooks",
    summary: "Hooks.",
    schema: { type: "array", items: { type: "object" } },
    bind: (uses) => ({ hooks: uses.map((use, index) => ({ ...use, at: [index] })) }),
  }),
)

const hookedOptions = optionsWith({
  stages: [echo],
  hooks: [
    hook({
      id: "add",
      summary,
      point: "after_stage",
      kind: "transform",
      input: { type: "object", properties: { add: { type: "string" } }, required: ["add"] },
      run: () => undefined,
    }),
    hook({ id: "sign", summary, point: "before_response", kind: "transform", run: () => ({}) }),
    hook({
      id: "one",
      summary,
      point: "after_stage",
      kind: "observe",
      before: ["two"],
      run: () => undefined,
    }),
    hook({
      id: "two",
      summary,
      point: "after_stage",
      kind: "observe",
      before: ["one"],
      run: () => undefined,
    }),
    hook({
      id: "lost",
      summary,
      point: "after_stage",
      kind: "observe",
      after: ["nowhere"],
      run: () => undefined,
    }),
  ],
  sections: hookSections,
})

describe("a section that binds hooks", () => {
  it.effect.each([
    ["{ use: ad }", '6:16 PL4025 there is no hook "ad" | did you mean "add"?'],
    ["{ use: add }", "6:9 PL4006 "],
    ["{ use: add, with: { add: 1 } }", "6:34 PL4007 "],
    ["{ use: add, with: { add: '${{ draft.uses + 1 }}' } }", "6:39 PL1202 "],
    ["{ use: add, with: { add: x, ad: y } }", "6:37 PL4005 "],
    ["{ use: add, with: { add: x }, when: draft.uses }", "6:45 PL1204 expected true or false"],
    ["{ use: add, with: { add: x }, when: draft.usse == '' }", "6:51 PL1201 "],
    [
      "{ use: add, with: { add: x }, when: user.id == '' }",
      '6:45 PL1101 there is nothing called "user"',
    ],
    ["{ use: add, with: { add: x }, timeout: soon }", '6:48 PL0105 "soon" is not a duration'],
    ["{ use: lost }", '6:9 PL4029 the hook "lost" is declared to run before or after "nowhere"'],
    [
      "{ use: one }, { use: two }",
      '6:9 PL4029 the order of hooks at after_stage cannot be kept: "one" waits for "two" waits for "one"',
    ],
  ] as const)("%s is reported at its position", ([uses, expected]) =>
    Effect.gen(function* () {
      const found = yield* problems(`hooks: [${uses}]\n${says("1")}`, hookedOptions)
      assert.isTrue(
        found.length === 1 && found[0]!.startsWith(`hello.yaml:${expected}`),
        found.join("\n"),
      )
    }),
  )

  it.effect("at a point of the whole run is an error on a stage", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        (yield* problems(says("1", ", hooks: [{ use: sign }]"), hookedOptions)).map((one) =>
          one.slice(0, 22),
        ),
        ["hello.yaml:6:77 PL4028"],
      )
    }),
  )

  it.effect("that changes outputs is an error where one is streamed", () =>
    Effect.gen(function* () {
      const body = `hooks: [{ use: sign }]\nstages: [{ id: say, uses: generate, with: { task: Hello } }]
outputs: { said: { value: "\${{ stages.say.output.text }}", stream: true } }`
      assert.include((yield* problems(body, hookedOptions)).join("\n"), "hello.yaml:6:16 PL5006 ")
    }),
  )
})

describe("an artefact whose sections bind hooks", () => {
  const marks = hook<"before_response">({
    id: "marks",
    summary,
    point: "before_response",
    kind: "transform",
    run: ({ text }) => ({ text: `${text}!` }),
  })
  const given = (hooks: Components["hooks"] & {}) =>
    optionsWith({ stages: [echo], hooks, sections: hookSections })
  const built = Effect.gen(function* () {
    const body = `hooks: [{ use: marks }]\n${says("inputs.name")}`
    const checked = yield* checkWorkflow(folderWith(body), given([marks]), "check")
    const { sources, workflow } = checked
    return yield* Effect.promise(() =>
      artefactOf({ workflow: workflow!, sources, folder: tmpdir() }),
    )
  })

  it.effect("runs them with the plugins of the host", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* openArtefact(yield* built, given([marks]))
        assert.deepStrictEqual((yield* run(pipeline, {})).outputs, { said: "Ada!" })
      }),
    ),
  )

  it.effect("is rejected where no plugin has the hook", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { message, reason } = yield* Effect.flip(openArtefact(yield* built, given([])))
        assert.strictEqual(reason, "plugin")
        assert.include(message, 'none of its plugins has the hook "marks" of "hooks"')
      }),
    ),
  )
})

describe("an artefact whose sections bind a gate", () => {
  it.effect("is opened as its file is loaded", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = folderWith(`gated: true\n${speaks}`)
        const { sources, workflow } = yield* checkWorkflow(file, options, "check")
        const artefact = yield* Effect.promise(() =>
          artefactOf({ workflow: workflow!, sources, folder: tmpdir() }),
        )
        const { pipeline } = yield* openArtefact(artefact, options)
        assert.isDefined(pipeline.main.nodes[0]?.gate)
      }),
    ),
  )
})

describe("a section of a stage", () => {
  it.effect("gives values to the expressions of that stage", () =>
    Effect.gen(function* () {
      const body = says("aside.at + string(index)", ", for_each: { in: '[1, 2]' }, aside: {}")
      assert.deepStrictEqual(yield* saidBy(body), ["say0", "say1"])
    }),
  )

  it.effect("is not seen by other stages", () =>
    Effect.gen(function* () {
      const body = `stages:
  - { id: one, uses: echo, with: { value: 1 }, aside: {} }
  - { id: say, uses: echo, with: { value: "\${{ aside.at }}" } }`
      assert.deepStrictEqual(
        (yield* problems(body)).map((one) => one.slice(0, 60)),
        ['hello.yaml:8:48 PL1101 there is nothing called "aside" here '],
      )
    }),
  )

  it.effect("that names a stage kind which does not exist is an error at the name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems(says("1", ", aside: { stage: ehco }")), [
        'hello.yaml:6:78 PL4003 there is no stage kind "ehco" | did you mean "echo"? there are: echo, speaking; more come from plugins under use: { plugins: [...] }',
      ])
    }),
  )
})

describe("a section of the project file", () => {
  it.effect("gives values to every workflow that declares its plugin", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* saidBy(says("house.style"), "house: plain"), "plain")
    }),
  )

  it.effect("is checked by its schema", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems(says("1"), options, "house: 3"), [
        'planloom.yaml:3:8 PL0103 "house" must be string, found the number 3 | ',
      ])
    }),
  )
})

describe("a plugin", () => {
  it.effect.each(["inputs", "run", "Not a name"])("cannot bring a section called %s", (key) =>
    Effect.gen(function* () {
      const given = optionsWith({ stages: [echo], sections: [{ ...tone, key }] })
      const [found = ""] = yield* problems(says("1"), given)
      assert.match(found, /^hello.yaml:4:18 PL4001 the workflow section "/)
    }),
  )

  it.effect("cannot be used by an artefact once it brings a section whose key is taken", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const built = yield* checkWorkflow(
          folderWith(`tone: { use: formal }\n${says("tone.greeting")}`),
          optionsWith({ stages: [echo], sections: [tone] }),
          "check",
        )
        const artefact = yield* Effect.promise(() =>
          artefactOf({ workflow: built.workflow!, sources: built.sources, folder: tmpdir() }),
        )
        const taken = optionsWith({ stages: [echo], sections: [tone, { ...aside, key: "if" }] })
        const { message, reason } = yield* Effect.flip(openArtefact(artefact, taken))
        assert.strictEqual(reason, "plugin")
        assert.include(
          message,
          'the plugin "tones" cannot be used: the stage section "if" is a key of the language',
        )
      }),
    ),
  )
})
