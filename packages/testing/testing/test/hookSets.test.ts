/** Hook sets: files of hooks and experiments that workflows use, and the keys of hooks in use. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run, type RunOptions } from "@planloom/core"
import { hookOrder } from "@planloom/core/internal"
import { check, load } from "@planloom/embed"
import { openArtefact } from "@planloom/embed/artefact"
import hooks from "@planloom/hooks"
import { artefactOf, checkWorkflow } from "@planloom/language"
import { definePlugin, hook, stageKind } from "@planloom/plugin"
import type { RunEvent } from "@planloom/plugin/effect"

const add = (id: string, more = {}) =>
  hook({
    id,
    summary: "Adds a word to the output.",
    point: "after_stage",
    kind: "transform",
    input: { type: "object", properties: { add: { type: "string" } }, additionalProperties: false },
    run: ({ output }, { with: { add: word = id } }) => ({ output: `${String(output)} ${word}` }),
    ...more,
  })

const plugin = definePlugin({
  id: "test",
  summary: "Hooks of a test.",
  components: {
    stages: [
      stageKind({
        id: "say",
        summary: "Says a text.",
        sections: ["rules"],
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        output: { type: "string" },
        run: ({ text }) => text,
      }),
    ],
    hooks: [
      add("a"),
      add("b", { priority: 50 }),
      hook({
        id: "looks",
        summary: "Looks at each call of a prompt, a model and a tool.",
        point: "section_build",
        kind: "observe",
        run: () => undefined,
        also: { before_model: () => undefined, before_tool: () => undefined },
      }),
      add("c", {
        also: { before_response: ({ text }: { readonly text: string }) => ({ text: `${text}!` }) },
      }),
    ],
  },
})

const options = { extraPlugins: [hooks, plugin] }
const header = (kind: string, name: string) =>
  `apiVersion: planloom/v1\nkind: ${kind}\nname: ${name}\n`

const folderWith = (flow: string, sets: { readonly [file: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-sets-"))
  const used = Object.keys(sets).join(", ")
  writeFileSync(
    join(folder, "flow.yaml"),
    `${header("Workflow", "flow")}use: { files: [${used}] }\n${flow}`,
  )
  for (const [file, body] of Object.entries(sets)) {
    writeFileSync(join(folder, file), `${header("HookSet", "set")}${body}`)
  }
  return join(folder, "flow.yaml")
}

const says = (text = "hello") => `stages:
  - { id: one, uses: say, with: { text: "${text}" } }
outputs: { said: { type: string, value: "\${{ stages.one.output }}" } }
`

const running = (flow: string, sets: { readonly [file: string]: string }, given: RunOptions = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(folderWith(flow, sets), options)
      const events: Array<RunEvent> = []
      const { outputs } = yield* run(pipeline, {}, { ...given, onEvent: (one) => events.push(one) })
      return { events, order: hookOrder(pipeline), said: outputs["said"] }
    }),
  )

describe("a hook set", () => {
  it.effect("adds its hooks to those of the workflow that uses it", () =>
    Effect.gen(function* () {
      const { said } = yield* running(`hooks: [{ use: a }]\n${says()}`, {
        "one.yaml": "hooks: [{ use: b, with: { add: of one } }]\n",
        "two.yaml": "hooks: [{ use: b, with: { add: of two }, priority: 300 }]\n",
      })
      assert.strictEqual(said, "hello of one a of two")
    }),
  )

  it.effect("that a workflow names by two paths adds its hooks once", () =>
    Effect.gen(function* () {
      const file = folderWith(says(), { "set.yaml": "hooks: [{ use: b }]\n" })
      const text = readFileSync(file, "utf8").replace("[set.yaml]", "[set.yaml, ./set.yaml]")
      writeFileSync(file, text)
      const { pipeline } = yield* load(file, options)
      assert.strictEqual((yield* run(pipeline, {})).outputs["said"], "hello b")
    }),
  )

  it.effect("gives the workflow its experiments, beside those of the workflow", () =>
    Effect.gen(function* () {
      const { events, said } = yield* running(
        `experiments: { look: { unit: run, variants: { old: 0, new: 100 } } }\n${says("${{ experiments.tone + experiments.look }}")}`,
        { "set.yaml": "experiments: { tone: { unit: run, variants: { plain: 0, warm: 100 } } }\n" },
      )
      assert.strictEqual(said, "warmnew")
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "VariantAssigned" ? [event.experiment] : [])),
        ["tone", "look"],
      )
    }),
  )

  it.effect("is part of an artefact", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = folderWith(says(), { "set.yaml": "hooks: [{ use: b }]\n" })
        const { sources, workflow } = yield* checkWorkflow(file, options, "check")
        const artefact = yield* Effect.promise(() =>
          artefactOf({ workflow: workflow!, sources, folder: tmpdir() }),
        )
        const { pipeline } = yield* openArtefact(artefact, options)
        assert.deepStrictEqual((yield* run(pipeline, {})).outputs, { said: "hello b" })
      }),
    ),
  )
})

describe("a mistake in a hook set", () => {
  it.effect.each([
    ["hooks: [{ use: aa }]", '4:16 PL4025 there is no hook "aa"'],
    ["hooks: [{ use: a, whenn: true }]", "4:19 PL0101 "],
    ["hooks: [{ use: a, when: draft.output + 1 }]", "4:25 PL1"],
    ["hooks: [{ use: a, when: user.tier == 'premium' }]", "4:25 PL1101 "],
    ["hooks: [{ use: a, with: { ad: x } }]", "4:27 PL4005 "],
    ["hooks: [{ use: a, point: soon }]", "4:26 PL0"],
    [
      "hooks: [{ use: a, point: before_tool }]",
      '4:26 PL4028 the hook "a" cannot run at before_tool',
    ],
    ["hooks: [{ use: a, section: persona }]", "4:28 PL4028 `section` selects no call of the hook"],
    ["hooks: [{ use: a, stage: onne }]", '4:26 PL4043 the workflow has no stage "onne"'],
    ["hooks: [{ use: a, after: nobody }]", "4:26 PL4029 "],
    [
      "hooks: [{ use: a, after: b }, { use: b, after: a }]",
      '4:31 PL4029 the order of hooks at after_stage cannot be kept: "b" waits for "a" waits for "b"',
    ],
    ["experiments: { tone: { unit: run, variants: { a: 60, b: 50 } } }", "4:45 EXPERIMENT01 "],
    ["experiments: { look: { unit: run, variants: { a: 50, b: 50 } } }", "PL4004 experiments.look"],
  ] as const)("%s is reported at its position", ([body, expected]) =>
    Effect.gen(function* () {
      const flow = `experiments: { look: { unit: run, variants: { a: 50, b: 50 } } }\n${says()}`
      const { diagnostics } = yield* check(folderWith(flow, { "set.yaml": `${body}\n` }), options)
      const found = diagnostics.map(
        ({ code, file, message, start }) =>
          `${file?.split("/").at(-1)} ${start.line}:${start.col} ${code} ${message}`,
      )
      assert.strictEqual(found.length, 1, found.join("\n"))
      assert.include(found[0], expected)
    }),
  )
})

describe("a filter of a hook that names what the workflow does not have", () => {
  const flow = `prompts: { persona: persona.md }
models: { fast: { try: [acme/small, acme/large] } }
modes: { brief: { sections: [task] } }
${says().replace("} }\n", "}, prompt: persona, model: fast }\n")}`
  const reported = (body: string) =>
    Effect.gen(function* () {
      const file = folderWith(flow, { "set.yaml": `hooks: [${body}]\n` })
      writeFileSync(join(file, "../persona.md"), "Be kind.")
      const { diagnostics } = yield* check(file, options)
      return diagnostics.flatMap(({ code, help, message, start }) =>
        code === "PL4043" ? [`${start.line}:${start.col} ${message} | ${help ?? ""}`] : [],
      )
    })

  it.effect.each([
    ["{ use: a, stage: onne }", '4:26 the workflow has no stage "onne" | did you mean "one"?'],
    [
      "{ use: looks, section: [rules, persna] }",
      '4:40 the workflow has no section "persna" | did you mean "persona"? there are: task, persona, rules',
    ],
    [
      "{ use: looks, mode: breif }",
      '4:29 the workflow has no mode "breif" | did you mean "brief"? there are: brief, full, routing, minimal',
    ],
    [
      "{ use: looks, model: acme/smal }",
      '4:30 the workflow has no model "acme/smal" | did you mean "acme/small"? there are: acme/small, acme/large',
    ],
    [
      "{ use: looks, model: fast }",
      '4:30 the workflow has no model "fast" | "fast" is an alias; its models are: acme/small, acme/large',
    ],
    ["{ use: looks, tool: serch }", '4:29 the workflow has no tool "serch" | '],
  ] as const)("is reported at the name: %s", ([body, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reported(body), [expected])
    }),
  )

  it.effect("is not reported for names that the workflow, its prompts and stage kinds have", () =>
    Effect.gen(function* () {
      const bodies = [
        "{ use: looks, section: [task, persona, rules] }",
        "{ use: looks, mode: [brief, full, routing, minimal], model: [acme/small, acme/large] }",
        "{ use: a, stage: one }",
      ]
      assert.deepStrictEqual(yield* reported(bodies.join(", ")), [])
    }),
  )
})

describe("a hook in use", () => {
  it.effect("runs at all points of the hook that its place has, or at those it names", () =>
    Effect.gen(function* () {
      const said = (own: string, stage = "") =>
        Effect.map(
          running(`${own}${says().replace("} }\n", `}${stage} }\n`)}`, {}),
          (one) => one.said,
        )
      assert.strictEqual(yield* said("hooks: [{ use: c }]\n"), "hello c!")
      assert.strictEqual(yield* said("hooks: [{ use: c, point: before_response }]\n"), "hello!")
      assert.strictEqual(yield* said("", ", hooks: [{ use: c }]"), "hello c")
    }),
  )

  it.effect("runs in the order that is printed", () =>
    Effect.gen(function* () {
      const { order, said } = yield* running(says(), {
        "set.yaml": `hooks:
  - { use: a, phase: late, with: { add: "1" } }
  - { use: a, priority: 10, with: { add: "2" } }
  - { use: b, after: c, with: { add: "3" } }
  - { use: c, point: after_stage, stage: one, when: "draft.uses == 'say'", with: { add: "4" } }
`,
      })
      assert.strictEqual(said, "hello 2 4 3 1")
      assert.deepStrictEqual(
        order.map(({ hooks: one, point, stages }) => [point, stages, one.map(({ id }) => id)]),
        [["after_stage", ["one"], ["a", "c", "b", "a"]]],
      )
      assert.deepInclude(order[0]!.hooks[1], {
        id: "c",
        when: "draft.uses == 'say'",
        priority: 100,
      })
    }),
  )
})

describe("an option of a hook that names a section", () => {
  const flow = `prompts: { persona: persona.md, mood: mood.md }
modes: { full: { sections: [persona, mood] } }
experiments: { tone: { unit: run, variants: { plain: 50, warm: 50 } } }
stages: [{ id: one, uses: say, with: { text: hello }, prompt: { use: persona, mode: full } }]
`
  const reported = (body: string) =>
    Effect.gen(function* () {
      const file = folderWith(flow, { "set.yaml": `hooks: [${body}]\n` })
      for (const name of ["persona", "mood"]) writeFileSync(join(file, `../${name}.md`), "Be kind.")
      const { diagnostics } = yield* check(file, options)
      return diagnostics.map(
        ({ code, message, severity, start }) =>
          `${start.line}:${start.col} ${code} ${severity} ${message}`,
      )
    })
  const ab = (section: string, more = "texts: { warm: Be warm. }") =>
    `{ use: ab_test, priority: 90, with: { experiment: tone, section: ${section}, ${more} } }`
  const adds = (section: string, more = "") =>
    `{ use: time_persona, priority: 80${more}, with: { section: ${section} } }`

  it.effect.each([
    [adds("welcome"), '4:61 PL5003 error there is no section "welcome"'],
    [
      "{ use: segment, with: { append: { section: persna, text: Hi. } } }",
      'PL5003 error there is no section "persna"',
    ],
    [
      "{ use: segment, with: { replace: { persna: Hi. } } }",
      'PL5003 error there is no section "persna"',
    ],
    [ab("persna"), 'PL5003 error there is no section "persna"'],
    [ab("persona", "sections: { warm: moood }"), 'PL5003 error there is no section "moood"'],
    [
      `${adds("persona")}, ${ab("persona")}`,
      'PL4052 warning the hook "ab_test" replaces the section "persona", into which "time_persona" writes',
    ],
    [
      `${adds("persona")}, ${ab("persona", "sections: { warm: mood }")}`,
      'PL4052 warning the hook "ab_test" replaces the section "persona", into which "time_persona" writes',
    ],
    [
      `${ab("persona")}, { use: segment, with: { replace: { persona: Hi. } } }`,
      'PL4052 warning the hook "segment" replaces the section "persona", into which "ab_test" writes',
    ],
  ] as ReadonlyArray<readonly [string, string]>)("%s is reported", ([body, expected]) =>
    Effect.gen(function* () {
      const found = yield* reported(body)
      assert.strictEqual(found.length, 1, found.join("\n"))
      assert.include(found[0], expected)
    }),
  )

  it.effect.each([
    adds("persona"),
    adds('"${{ run.id }}"'),
    `${adds("mood")}, ${ab("persona")}`,
    `${adds("persona").replace("priority: 80", "priority: 95")}, ${ab("persona")}`,
    `${adds("persona")}, { use: segment, with: { append: { section: persona, text: Hi. } } }`,
    `${adds("persona", ", stage: one")}, ${ab("mood", "sections: { warm: persona }")}`,
  ])("%s is not reported", (body) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reported(body), [])
    }),
  )
})
