/** Manifests in package.json: what a plugin contributes is known without running its code. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { run } from "@planloom/core"
import { artefactOf, checkFile, checkWorkflow, type LoadOptions } from "@planloom/language"
import { definePlugin } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { echo } from "../../core/test/inline.ts"
import { openArtefact } from "./artefact.ts"
import { check, load } from "./Workflow.ts"

const phrases = {
  kind: "Phrases",
  summary: "Phrases to say.",
  schema: {
    type: "object",
    required: ["say"],
    properties: { say: { type: "string" } },
    additionalProperties: false,
  },
}
const tone = {
  summary: "How answers sound.",
  schema: { type: "object", properties: { use: { type: "string" } }, additionalProperties: false },
}
const greet = {
  summary: "Greets.",
  input: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false },
  output: { type: "string" },
}
const manifest = {
  api: 1,
  contributes: {
    fileKinds: [phrases],
    sections: { workflow: { tone } },
    components: { stages: { greet } },
  },
}

/** The code of the plugin; importing it leaves a file. */
const code = `import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { succeed } from ${JSON.stringify(import.meta.resolve("effect/Effect"))}
writeFileSync(join(import.meta.dirname, "imported"), "")
const { fileKinds, sections, components } = ${JSON.stringify(manifest.contributes)}
export default {
  id: "tones", summary: "Tones.", apiVersion: 1,
  components: {
    fileKinds,
    sections: [{
      on: "workflow", key: "tone", ...sections.workflow.tone,
      variables: () => ({ use: { type: "string" } }),
      bind: (value) => ({ variables: () => succeed({ use: value.use ?? "plain" }) }),
    }],
    stages: [{ id: "greet", ...components.stages.greet, run: ({ name }) => succeed("hello " + name) }],
  },
}
`

const header = (kind: string) => `apiVersion: planloom/v1\nkind: ${kind}\n`

const projectWith = (
  body: string,
  files: { readonly [path: string]: string } = {},
  planloom: unknown = manifest,
) => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  const all = {
    "flow.yaml": `${header("Workflow")}name: flow\n${body}\n`,
    "node_modules/tones/package.json": JSON.stringify({
      name: "tones",
      type: "module",
      exports: "./index.js",
      planloom,
    }),
    "node_modules/tones/index.js": code,
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return {
    flow: join(folder, "flow.yaml"),
    folder,
    isImported: () => existsSync(join(folder, "node_modules/tones/imported")),
  }
}

const basics = definePlugin({ id: "basics", summary: "Echo.", components: { stages: [echo] } })
const trusted: LoadOptions = { extraPlugins: [basics] }
const untrusted: LoadOptions = { ...trusted, mayLoad: async () => "skip" }

const problems = (flow: string, options: LoadOptions) =>
  Effect.map(check(flow, options), ({ diagnostics }) =>
    diagnostics.map(({ code: found, file, help, message, start }) =>
      [
        `${file.split("/").at(-1)}:${start.line}:${start.col} ${found} ${message}`,
        ...(help === undefined ? [] : [help]),
      ].join(" | "),
    ),
  )

const uses = "use: { plugins: [tones] }"
const unused = "stages: [{ id: say, uses: echo, with: { value: 1 } }]"
const says = 'stages: [{ id: say, uses: echo, with: { value: "${{ tone.use }}" } }]'

describe("a plugin with a manifest whose code may not run", () => {
  it.effect("has its sections, file kinds and stage kinds checked by their schemas", () =>
    Effect.gen(function* () {
      const { flow, isImported } = projectWith(
        `use: { plugins: [tones], files: [./a.yaml] }
tone: { yuse: warm }
stages: [{ id: say, uses: greet, with: { nmae: Ada } }]`,
        { "a.yaml": `${header("Phrases")}say: 3` },
      )
      const found = yield* problems(flow, untrusted)
      assert.deepStrictEqual(
        found.toSorted(),
        [
          'flow.yaml:4:18 PL4024 the plugin "tones" is left out; only what its package.json declares is checked',
          'flow.yaml:5:9 PL0101 unknown key "yuse" | did you mean "use"?',
          'flow.yaml:6:42 PL4005 the stage kind "greet" takes no "nmae" | did you mean "name"?',
          'a.yaml:3:6 PL0103 "say" must be string, found the number 3',
        ].toSorted(),
      )
      assert.isFalse(isImported())
    }),
  )

  it.effect("leaves what its sections give expressions open, and cannot run", () =>
    Effect.gen(function* () {
      const { flow, isImported } = projectWith(`${uses}\ntone: { use: warm }\n${says}`)
      assert.deepStrictEqual(yield* problems(flow, untrusted), [
        'flow.yaml:4:18 PL4024 the plugin "tones" is left out; only what its package.json declares is checked',
      ])
      const refused = yield* Effect.flip(Effect.scoped(load(flow, untrusted)))
      assert.strictEqual(refused._tag, "WorkflowInvalid")
      assert.isFalse(isImported())
    }),
  )
})

describe("a plugin with a manifest whose code may run", () => {
  it.effect("is not imported for a workflow that uses nothing of it", () =>
    Effect.gen(function* () {
      const { flow, isImported } = projectWith(`${uses}\n${unused}`)
      const loaded = yield* Effect.scoped(load(flow, trusted))
      assert.strictEqual((yield* run(loaded.pipeline, {})).status, "succeeded")
      assert.isFalse(isImported())
    }),
  )

  it.effect("is imported for a workflow that uses one of its sections, and acts", () =>
    Effect.gen(function* () {
      const { flow, isImported } = projectWith(
        `${uses}\ntone: { use: warm }\n${says}\noutputs: { said: { value: "\${{ stages.say.output }}" } }`,
      )
      const { outputs } = yield* Effect.scoped(
        Effect.flatMap(load(flow, trusted), ({ pipeline }) => run(pipeline, {})),
      )
      assert.deepStrictEqual(outputs, { said: "warm" })
      assert.isTrue(isImported())
    }),
  )

  it.effect("is an error where its code lacks what the manifest promises", () =>
    Effect.gen(function* () {
      const { contributes } = manifest
      const more = {
        ...contributes,
        fileKinds: [phrases, { ...phrases, kind: "Songs" }],
        sections: { workflow: { tone, mood: tone } },
        components: { stages: { greet, bow: greet }, providers: { muse: {} } },
      }
      const { flow } = projectWith(
        `${uses}\ntone: { use: warm }\n${says}`,
        {},
        { ...manifest, contributes: more },
      )
      const [found] = yield* problems(flow, trusted)
      assert.include(
        found,
        'flow.yaml:4:18 PL4001 the plugin "tones" does not have what it promises: stages "bow", providers "muse", fileKinds "Songs", sections "workflow.mood"',
      )
    }),
  )

  it.effect.each([
    ["is not loaded by an artefact that uses nothing of it", unused, false],
    ["is loaded by an artefact that uses it", `tone: { use: warm }\n${says}`, true],
  ] as const)("%s", ([, body, isUsed]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { flow, folder, isImported } = projectWith(`${uses}\n${body}`)
        const { sources, workflow } = yield* checkWorkflow(flow, trusted, "check")
        const artefact = yield* Effect.promise(() =>
          artefactOf({ workflow: workflow!, sources, folder }),
        )
        const asked: Array<string> = []
        const { pipeline } = yield* openArtefact(artefact, {
          ...trusted,
          root: folder,
          mayLoad: async ({ name }) => {
            asked.push(name)
            return "load"
          },
        })
        assert.strictEqual((yield* run(pipeline, {})).status, "succeeded")
        assert.deepStrictEqual(asked, isUsed ? ["tones"] : [])
        assert.strictEqual(isImported(), isUsed)
      }),
    ),
  )
})

describe("a manifest", () => {
  it.effect.each([
    [{ ...manifest, api: 2 }, "its manifest is made for version 2 of the plugin contract"],
    [{ api: 1 }, "its manifest does not fit: planloom lacks the key"],
    [
      { api: 1, contributes: { fileKinds: [{ ...phrases, schema: { type: "txt" } }] } },
      "the schema of Phrases in its manifest cannot be used",
    ],
  ] as const)("that cannot be used is an error where the plugin is named", ([planloom, reason]) =>
    Effect.gen(function* () {
      const { flow } = projectWith(`${uses}\n${says}`, {}, planloom)
      const [found = ""] = yield* problems(flow, trusted)
      const begin = `flow.yaml:4:18 PL4001 the plugin "tones" cannot be loaded: ${reason}`
      assert.isTrue(found.startsWith(begin), found)
    }),
  )

  it.effect("of a plugin in the project file names the plugin to declare", () =>
    Effect.gen(function* () {
      const { flow } = projectWith(
        `use: { files: [./a.yaml] }\ntone: {}\nstages: [{ id: say, uses: echo, with: { value: 1 } }]`,
        {
          "a.yaml": `${header("Phrases")}say: hello`,
          "planloom.yaml": `${header("Project")}plugins: { tones: {} }\n`,
        },
      )
      const help = 'declare the plugin that has it: use: { plugins: ["tones"] }'
      assert.deepStrictEqual((yield* problems(flow, trusted)).toSorted(), [
        `a.yaml:2:7 PL0111 unknown kind "Phrases" | ${help}`,
        `flow.yaml:5:1 PL0101 unknown key "tone" | ${help}`,
      ])
    }),
  )

  it.effect("of a plugin in the project file gives a file alone its schema", () =>
    Effect.gen(function* () {
      const { folder, isImported } = projectWith(says, {
        "a.yaml": `${header("Phrases")}syy: hello`,
        "planloom.yaml": `${header("Project")}plugins: { tones: {} }\n`,
      })
      const { diagnostics } = yield* checkFile(join(folder, "a.yaml"))
      assert.deepStrictEqual(
        diagnostics.map(({ code: found, message, start }) => `${start.line} ${found} ${message}`),
        ['3 PL0101 unknown key "syy"'],
      )
      assert.isFalse(isImported())
    }),
  )
})
