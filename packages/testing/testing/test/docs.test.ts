/** Every YAML file that the documentation shows is checked as a user's file would be. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Effect } from "effect"
import { parse } from "yaml"
import analyst, { vocabularyKind } from "@planloom/analyst"
import { checkFile, pluginFileKind, schemaOf, switchKind } from "@planloom/language"
import hooks from "@planloom/hooks"
import documents from "@planloom/documents"
import mcp from "@planloom/mcp"
import stages from "@planloom/stages"
import subagents from "@planloom/subagents"
import type { Contributes, FileKind, JsonSchema } from "@planloom/plugin/effect"
import { codeBlocks, type CodeBlock } from "../../../../.ci/docs/codeBlocks.ts"
import { fileKinds } from "../src/file/fileKinds.ts"
import { evaluationKind } from "../src/file/evaluationKind.ts"
import { testKind } from "../src/file/testKind.ts"

const root = join(import.meta.dirname, "../../../..")
const pages = [
  "README.md",
  ...globSync(["docs/**/*.md", "packages/*/*/README.md", "examples/*/README.md"], { cwd: root }),
]

const [hookSetKind] = hooks.components!.fileKinds as [FileKind]

const yamlOf = (page: string): ReadonlyArray<CodeBlock> =>
  codeBlocks(readFileSync(join(root, page), "utf8")).filter(({ language }) => language === "yaml")

/** Blocks that are whole files. They are checked as if they stood in the page's own folder. */
const blocks = pages.flatMap((page) => {
  const whole = yamlOf(page).filter(
    ({ path, text }) => path === undefined && text.startsWith("apiVersion:"),
  )
  return whole.map(({ text }, index) => ({
    name: `${page} #${index + 1}`,
    path: join(root, page.startsWith("docs/") ? "docs" : "workflows", `block_${index}.yaml`),
    text,
  }))
})

describe("the documentation's YAML", () => {
  it("is there to be checked", () => {
    assert.isAtLeast(blocks.length, 5)
  })

  it.effect.each(blocks)("$name has no problem", ({ path, text }) =>
    Effect.gen(function* () {
      const { diagnostics } = yield* checkFile(path, {
        kinds: [
          ...fileKinds,
          ...[
            vocabularyKind,
            hookSetKind,
            ...[documents, subagents, mcp].flatMap(({ components }) => components!.fileKinds!),
          ].map(pluginFileKind),
        ],
        texts: new Map([[path, text]]),
      })
      assert.deepStrictEqual(
        diagnostics.map(
          ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
        ),
        [],
      )
    }),
  )
})

/** Parts of files: without a header, or with the name of the file in a comment before it. */
const fragments = pages.flatMap((page) => {
  const parts = yamlOf(page).filter(({ text }) => !text.startsWith("apiVersion:"))
  return parts.map(({ text }, index) => ({ name: `${page} #${index + 1}`, text }))
})

/** Keys of workflows and stages that plugins of the documentation add, by the manifests in their packages. */
const sections = [
  "packages/components/hooks",
  "packages/components/shadow",
  "packages/components/mcp",
  "packages/components/documents",
  "examples/plugin-registry",
]
  .map((folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")))
  .map(({ planloom }) => planloom.contributes.sections as NonNullable<Contributes["sections"]>)
  .reduce((all, { project, stage: own, workflow }) => ({
    project: { ...all.project, ...project },
    stage: { ...all.stage, ...own },
    workflow: { ...all.workflow, ...workflow },
  }))

const stage = { id: "a", uses: "set", with: { value: 1 } }

/** What a fragment leaves out of each kind of file. */
const around: { readonly [kind: string]: object } = {
  Workflow: { name: "a", stages: [stage] },
  Project: {},
  Catalog: { tools: [] },
  Models: { models: [] },
  Examples: { examples: [] },
  WorkflowTest: { workflow: "a.yaml", tests: [{ name: "a", given: {}, expect: {} }] },
  Evaluation: { workflow: "a.yaml", cases: [{ inputs: {} }] },
  HookSet: { name: "a" },
}

const schemas: { readonly [kind: string]: JsonSchema } = {
  WorkflowTest: testKind.schema,
  Evaluation: evaluationKind.schema,
  // A plugin's schema is of the content without the header.
  HookSet: {
    ...(hookSetKind.schema as object),
    properties: {
      ...(hookSetKind.schema as { readonly properties: object }).properties,
      apiVersion: {},
      kind: {},
    },
  },
}

/** Kinds of our own plugins; a page may show one of a plugin that it makes up. */
const stageKinds = [analyst, documents, stages].flatMap(
  ({ components }) => components?.stages ?? [],
)
const isMadeUp = (text: string) =>
  [...text.matchAll(/\buses: ["']?([\w/-]+)/g)].some(
    ([, id]) => id !== switchKind.id && !stageKinds.some((kind) => kind.id === id),
  )

const validators = (kinds: Parameters<typeof schemaOf>[1]) =>
  Object.entries(around).map(([kind, base]) => ({
    base: { apiVersion: "planloom/v1", kind, ...base },
    validate: new Ajv({ strict: false, logger: false }).compile(
      (schemas[kind] ??
        schemaOf(kind as Parameters<typeof schemaOf>[0], kinds, sections)) as object,
    ),
  }))
const compiled = validators([switchKind, ...stageKinds])
const compiledWithoutKinds = validators([])

/** A list is one of stages, of tools or of tests. */
const readings = (value: unknown): ReadonlyArray<object> =>
  Array.isArray(value)
    ? [{ stages: value }, { tools: value }, { tests: value }]
    : [value as object, { stages: [{ ...stage, ...(value as object) }] }]

describe("the documentation's parts of files", () => {
  it.each(fragments)("$name fits some kind of file", ({ text }) => {
    const value: unknown = parse(text)
    const fits = (isMadeUp(text) ? compiledWithoutKinds : compiled).some(({ base, validate }) =>
      readings(value).some((part) => validate({ ...base, ...part })),
    )
    assert.isTrue(fits, text)
  })
})

/** The check of the blocks of each language. */
const checkedAs: { readonly [language: string]: string } = {
  json: "json",
  yml: "yaml",
  yaml: "here, as files and parts of files",
  ts: "packages/testing/testing/test/documentedCode.test.ts",
  bash: "packages/hosts/cli/test/documentedRuns.test.ts",
  console: "packages/hosts/cli/test/documentedRuns.test.ts",
  sh: "packages/hosts/cli/test/documentedRuns.test.ts",
  // Files of guides, which are run as they are.
  csv: "packages/hosts/cli/test/guides.test.ts",
  html: "packages/hosts/cli/test/guides.test.ts",
  js: "packages/hosts/cli/test/guides.test.ts",
  md: "packages/hosts/cli/test/guides.test.ts",
  markdown: "packages/hosts/cli/test/tutorials.test.ts",
  // What people read, not machines.
  gitignore: "an entry of a file",
  mermaid: "a drawing",
  text: "packages/testing/testing/test/generated.test.ts",
}

const all = pages.flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), "utf8")).map((block) => ({ page, ...block })),
)

describe("the documentation's blocks", () => {
  it("are of languages for which a check is named that exists", () => {
    assert.deepStrictEqual(
      all.filter(({ language }) => checkedAs[language] === undefined),
      [],
    )
    for (const where of Object.values(checkedAs))
      if (where.startsWith("packages/")) assert.isTrue(existsSync(join(root, where)), where)
  })

  it("are all found, whatever follows their language", () => {
    for (const page of pages) {
      const text = readFileSync(join(root, page), "utf8")
      const fences = text.match(/^ *```\w/gm) ?? []
      assert.lengthOf(codeBlocks(text), fences.length, page)
    }
  })

  it("are JSON and YAML where they say so", () => {
    const broken = all.filter(({ language, text }) => {
      const way = checkedAs[language]
      try {
        if (way === "json") JSON.parse(text)
        else if (way === "yaml") parse(text)
        return false
      } catch {
        return true
      }
    })
    assert.deepStrictEqual(broken, [])
  })
})
