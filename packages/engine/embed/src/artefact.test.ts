/** Hosts that run what `planloom build` has written. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { artefactDigest, artefactOf, checkWorkflow, type LoadOptions } from "@planloom/language"
import { definePlugin, stageKind, type Plugin } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { ArtefactRejected, loadArtefact, type Artefact, type ArtefactOptions } from "./artefact.ts"
import { loadWorkflow } from "./loadWorkflow.ts"

const kinds = (output: "integer" | "string" = "string"): Plugin => {
  let keyLength = 0
  return definePlugin({
    id: "kinds",
    summary: "Joins words, and runs workflows.",
    setup: (_config, host) =>
      Effect.sync(() => {
        keyLength = host.secret("API_KEY")?.length ?? 0
        return {}
      }),
    components: {
      stages: [
        stageKind<{ readonly words: ReadonlyArray<string> }>({
          id: "join",
          summary: "Joins words.",
          input: {
            type: "object",
            properties: { words: { type: "array", items: { type: "string" } } },
            required: ["words"],
          },
          output: { type: output },
          run: ({ words }) => Effect.succeed(words.join(" ")),
        }),
        stageKind({
          id: "key",
          summary: "Says how long the secret is.",
          input: { type: "object" },
          output: { type: "integer" },
          run: () => Effect.sync(() => keyLength),
        }),
        stageKind<{ readonly path: string }>({
          id: "nested",
          summary: "Runs another workflow.",
          input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          output: ({ path }, known) => known.workflow(String(path)) ?? true,
          refers: ({ path }) => [{ to: "workflow", id: String(path), at: ["path"] }],
          run: ({ path }, context) => context.workflow(path, {}),
        }),
      ],
    },
  })
}

const plugin = (): Plugin => kinds()

const folderWith = (files: { readonly [path: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-artefact-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const workflow = (name: string, body: string) =>
  `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\nuse: { plugins: [kinds] }\n${body}`

const files = {
  "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
  "flows/outer.yaml": workflow(
    "outer",
    `inputs: { name: { type: string, default: Ada } }
flags: { loud: false }
secrets: [API_KEY]
stages:
  - { id: hello, uses: join, with: { words: [Hello, "\${{ inputs.name + (flags.loud ? '!' : '.') }}"] } }
  - { id: inner, uses: nested, with: { path: ./deeper/inner.yaml } }
  - { id: key, uses: key }
outputs:
  hello: { value: "\${{ stages.hello.output }}" }
  inner: { value: "\${{ stages.inner.output.text }}" }
  key: { value: "\${{ stages.key.output }}" }
`,
  ),
  "flows/deeper/inner.yaml": workflow(
    "inner",
    `stages: [{ id: a, uses: join, with: { words: [from, inside] } }]
outputs: { text: { type: string, value: "\${{ stages.a.output }}" } }
`,
  ),
}

const secret = (name: string) => (name === "API_KEY" ? "sk-0123456789" : undefined)
const options: LoadOptions = { plugins: { kinds: async () => plugin() }, secret }

const build = async (folder: string, given: LoadOptions = options): Promise<Artefact> => {
  const checked = await Effect.runPromise(
    Effect.scoped(checkWorkflow(join(folder, "flows/outer.yaml"), given, "check")),
  )
  assert.deepStrictEqual(
    checked.diagnostics.filter(({ severity }) => severity === "error"),
    [],
  )
  return artefactOf({
    workflow: checked.workflow!,
    sources: checked.sources,
    folder: join(folder, "dist"),
  })
}

const rejectionOf = async (
  source: string | object,
  given: ArtefactOptions = options,
): Promise<string> => {
  const loaded = await loadArtefact(source, given).then(
    (value) => value,
    (error: unknown) => error,
  )
  assert.instanceOf(loaded, ArtefactRejected)
  return `${loaded.reason}: ${loaded.message}`
}

/** With a digest that fits, as an attacker would write it. */
const sealed = (artefact: Artefact): object => ({ ...artefact, digest: artefactDigest(artefact) })

describe("an artefact", () => {
  it("gives the outputs and events of its files, with its nested workflow, flags and secrets", async () => {
    const folder = folderWith(files)
    const artefact = await build(folder)
    const fromFiles = await loadWorkflow(join(folder, "flows/outer.yaml"), options)
    for (const given of [{}, { name: "Bob" }]) {
      const fromArtefact = await loadArtefact(artefact, options)
      const expected = await fromFiles.run(given)
      const { outputs, stages } = await fromArtefact.run(given)
      assert.deepStrictEqual(outputs, expected.outputs)
      assert.deepStrictEqual(Object.keys(stages), Object.keys(expected.stages))
      await fromArtefact.close()
    }
    await fromFiles.close()
    const loud = await loadArtefact(artefact, { ...options, flags: { loud: true } })
    assert.deepStrictEqual((await loud.run({})).outputs, {
      hello: "Hello Ada!",
      inner: "from inside",
      key: 13,
    })
  })

  it("holds no value of a secret and no path of the machine that built it", async () => {
    const folder = folderWith(files)
    const text = JSON.stringify(await build(folder))
    assert.notInclude(text, "sk-0123456789")
    assert.notInclude(text, folder)
  })

  it("is the same from the same files, wherever they are", async () => {
    const [first, second] = [await build(folderWith(files)), await build(folderWith(files))]
    assert.deepStrictEqual(first, second)
    assert.deepStrictEqual(
      first.sources.map(({ path }) => path),
      ["../planloom.yaml", "deeper/inner.yaml", "outer.yaml"],
    )
  })

  it("finds its plugins from the folder of the workflow, when it is read from a file", async () => {
    const folder = folderWith({
      ...files,
      "flows/outer.yaml": files["flows/outer.yaml"].replace("[kinds]", "[kinds, ./nothing.mjs]"),
      "flows/nothing.mjs": `export default { id: "local", summary: "Nothing.", apiVersion: 1, components: {} }`,
    })
    const path = join(folder, "dist/outer.json")
    mkdirSync(dirname(path))
    writeFileSync(path, JSON.stringify(await build(folder)))
    const asked: Array<string> = []
    const loaded = await loadArtefact(path, {
      ...options,
      mayLoad: async ({ file, folder: from }) => {
        asked.push(file.slice(folder.length), from.slice(folder.length))
        return "load"
      },
    })
    await loaded.close()
    // Trust is asked for the folder that holds the artefact, not for the one that it names.
    assert.deepStrictEqual(asked, ["/flows/nothing.mjs", "/dist"])
  })
})

describe("an artefact is refused", () => {
  it("when its file is missing, is not an artefact, or is truncated", async () => {
    const folder = folderWith(files)
    const text = JSON.stringify(await build(folder))
    const path = join(folder, "a.json")
    assert.match(await rejectionOf(path), /^unreadable: .*a\.json cannot be read: ENOENT/)
    writeFileSync(path, files["flows/outer.yaml"])
    assert.match(await rejectionOf(path), /^not_an_artefact: .*a\.json is not JSON/)
    writeFileSync(path, '{ "name": "other" }')
    assert.match(await rejectionOf(path), /^not_an_artefact: .*planloom build writes one/)
    for (const value of [null, [], 3, "text"]) {
      writeFileSync(path, JSON.stringify(value))
      assert.match(await rejectionOf(path), /^not_an_artefact: /)
    }
    for (let end = 1; end < text.length; end += Math.ceil(text.length / 40)) {
      writeFileSync(path, text.slice(0, end))
      assert.match(await rejectionOf(path), /^damaged: /)
    }
  })

  it("when one character of it has changed", async () => {
    const text = JSON.stringify(await build(folderWith(files)))
    for (let at = 40; at < text.length; at += 23) {
      const changed = text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1)
      let value: object
      try {
        value = JSON.parse(changed) as object
      } catch {
        continue
      }
      assert.match(await rejectionOf(value), /^(damaged|version): /)
    }
  })

  it("when another version of the format or of the engine has built it", async () => {
    const artefact = await build(folderWith(files))
    assert.match(
      await rejectionOf({ ...artefact, apiVersion: "planloom/artefact/v2" }),
      /^version: the artefact is written in planloom\/artefact\/v2, and this engine reads planloom\/artefact\/v1; build it again/,
    )
    assert.match(
      await rejectionOf(sealed({ ...artefact, engine: "9.9.9" })),
      /^version: the artefact was built by planloom 9\.9\.9, and this is \d/,
    )
  })

  it("when a plugin is missing, lacks a stage kind, or has changed its schemas", async () => {
    const artefact = await build(folderWith(files))
    assert.match(
      await rejectionOf(artefact, { secret }),
      /^plugin: the artefact cannot be run: the plugin "kinds" cannot be loaded: the package is not installed/,
    )
    const empty = definePlugin({ id: "kinds", summary: "Nothing.", components: {} })
    assert.match(
      await rejectionOf(artefact, { plugins: { kinds: async () => empty } }),
      /^plugin: .*none of its plugins has the stage kind "join"/,
    )
    assert.match(
      await rejectionOf(artefact, { plugins: { kinds: async () => kinds("integer") } }),
      /^changed: .*the schemas of the stage kind "join" have changed/,
    )
  })

  it("when a flag is set that it does not declare, or to another type", async () => {
    const artefact = await build(folderWith(files))
    assert.match(
      await rejectionOf(artefact, { ...options, flags: { lout: true } }),
      /^flag: .*there is no flag "lout"; there are: loud/,
    )
    assert.match(
      await rejectionOf(artefact, { ...options, flags: { loud: "very" } }),
      /^flag: .*the flag "loud" is true or false, not "very"/,
    )
  })

  it("when it was written by hand, with a digest that fits, and cannot be compiled", async () => {
    const artefact = await build(folderWith(files))
    const changed = (definition: object): object =>
      sealed({
        ...artefact,
        workflow: {
          ...artefact.workflow,
          definition: { ...artefact.workflow.definition, ...definition } as never,
        },
      })
    assert.match(
      await rejectionOf(changed({ inputs: { a: { type: "string", maxLength: "1;" } } })),
      /^damaged: the artefact cannot be run: .*maxLength/,
    )
    assert.match(await rejectionOf(changed({ stages: null })), /^damaged: /)
    assert.match(
      await rejectionOf(changed({ outputs: { a: { schema: true, value: "${{ 1 + }}" } } })),
      /^damaged: /,
    )
  })
})
