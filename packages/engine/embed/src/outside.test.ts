/** What a workflow may not pull in from outside its project: the text of files, and a project file. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { report, checkFile } from "@planloom/language"
import { check } from "./Workflow.ts"

const CANARY = "ZQX_canary_value"

const folderWith = (files: { readonly [path: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const workflow = (body: string) => `apiVersion: planloom/v1\nkind: Workflow\nname: test\n${body}\n`

/** Everything a report of a file can print, in every format. */
const printed = (path: string) =>
  Effect.map(checkFile(path), ({ diagnostics, sources }) =>
    (["pretty", "json", "github", "sarif"] as const)
      .map((format) => report(diagnostics, { format, sources }))
      .join("\n"),
  )

const secrets = {
  "a line of settings": `TOKEN=${CANARY}\n`,
  "a mapping with unknown keys": `${CANARY}: 1\nkind: ${CANARY}\ntools: ${CANARY}\n`,
  "broken YAML": `a: [${CANARY}\n b: "${CANARY}\n`,
}

describe.each(Object.entries(secrets))("a file outside the project that holds %s", (_, secret) => {
  it.effect.each([
    "use: { files: [../../secret] }\nstages: []",
    "use: { files: [../linked.yaml] }\nstages: []",
    "use: { files: [../../secret] }\nstages: []",
    "stages: [{ id: a, uses: generate, examples: { file: ../../secret } }]",
  ])("is reported by position, without its text, when a workflow says %s", (body) =>
    Effect.gen(function* () {
      const folder = folderWith({
        secret,
        "project/planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
        "project/workflows/w.yaml": workflow(body),
      })
      symlinkSync("../secret", join(folder, "project/linked.yaml"))
      const out = yield* printed(join(folder, "project/workflows/w.yaml"))
      assert.notInclude(out, CANARY)
    }),
  )

  it.effect("is not shown when a link in the project is checked", () =>
    Effect.gen(function* () {
      const folder = folderWith({ secret, "project/.git/HEAD": "" })
      mkdirSync(join(folder, "project/catalog"))
      symlinkSync("../../secret", join(folder, "project/catalog/data.yaml"))
      const out = yield* printed(join(folder, "project/catalog/data.yaml"))
      assert.notInclude(out, CANARY)
      assert.include(out, "its text is not shown, because the file is outside")
    }),
  )
})

describe("a file that a workflow names", () => {
  const files = {
    secret: `${CANARY}\n`,
    "shared/inner.yaml": workflow("stages: []"),
    "shared/catalog.yaml": "apiVersion: planloom/v1\nkind: Catalog\ntools: []\n",
    "project/planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
  }
  const problems = (body: string, more: { readonly [path: string]: string } = {}) => {
    const folder = folderWith({
      ...files,
      ...more,
      "project/workflows/w.yaml": workflow(body),
    })
    symlinkSync("../secret", join(folder, "project/linked.md"))
    return Effect.map(check(join(folder, "project/workflows/w.yaml")), ({ diagnostics }) =>
      diagnostics.filter(({ code }) => code === "PL4011").map(({ message }) => message),
    )
  }
  const inner = `use: { plugins: ["@planloom/stages"] }\nstages: [{ id: a, uses: workflow, with: { path: ../../shared/inner.yaml } }]`

  it.effect.each([
    ["prompts: { p: /proc/self/environ }\nstages: []", "/proc/self/environ"],
    ["prompts: { p: ../../secret }\nstages: []", "../../secret"],
    ["prompts: { p: ../linked.md }\nstages: []", "../linked.md"],
    ["prompts: { p: ../../missing }\nstages: []", "../../missing"],
    ["use: { files: [../../shared/catalog.yaml] }\nstages: []", "../../shared/catalog.yaml"],
    [inner, "../../shared/inner.yaml"],
  ] as const)("is refused outside the project and its roots: %s", ([body, name]) =>
    Effect.gen(function* () {
      const [message] = yield* problems(body)
      assert.include(message, `"${name}" is outside the project`)
    }),
  )

  it.effect("is read in one of the roots", () =>
    Effect.gen(function* () {
      const more = {
        "project/planloom.yaml": "apiVersion: planloom/v1\nkind: Project\nroots: [../shared]\n",
        "project/prompts/p.md": "Greet.",
      }
      assert.isEmpty(yield* problems(inner, more))
      const both = "prompts: { p: ../prompts/p.md }\nuse: { files: [../../shared/catalog.yaml] }"
      assert.isEmpty(yield* problems(`${both}\nstages: []`, more))
      assert.isNotEmpty(yield* problems("prompts: { p: ../../secret }\nstages: []", more))
    }),
  )
})

it.effect("a file of rows outside the project is reported without its text", () =>
  Effect.gen(function* () {
    const folder = folderWith({
      "secret.jsonl": `{"status": 1, "expect": {"status": "${CANARY}"}}\n`,
      "project/.git/HEAD": "",
      "project/w.yaml": workflow("inputs: { a: { type: string } }\nstages: []\noutputs: {}"),
      "project/w.eval.yaml":
        "apiVersion: planloom/v1\nkind: Evaluation\nworkflow: w.yaml\ndata: ../secret.jsonl\n",
    })
    const out = yield* printed(join(folder, "project/w.eval.yaml"))
    assert.notInclude(out, CANARY)
  }),
)

it.effect("a catalog inside the project is reported with its text", () =>
  Effect.gen(function* () {
    const folder = folderWith({
      "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
      "catalog/data.yaml": "apiVersion: planloom/v1\nkind: Catalog\ncolour: blue\ntools: []\n",
      "workflows/w.yaml": workflow("use: { files: [../catalog/data.yaml] }\nstages: []"),
    })
    assert.include(yield* printed(join(folder, "workflows/w.yaml")), "colour: blue")
  }),
)

describe("a project file above the workflow's folder", () => {
  const parent = { "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\nwrong_key: 1\n" }
  /** Codes of what is reported in a project file. */
  const codes = (path: string) =>
    Effect.map(check(path), ({ diagnostics }) =>
      diagnostics.flatMap(({ code, file }) => (file.endsWith("planloom.yaml") ? [code] : [])),
    )

  it.effect("applies inside one repository", () =>
    Effect.gen(function* () {
      const folder = folderWith({
        ...parent,
        ".git/HEAD": "",
        "flows/w.yaml": workflow("stages: []"),
      })
      assert.deepStrictEqual(yield* codes(join(folder, "flows/w.yaml")), ["PL0101"])
    }),
  )

  it.effect("is ignored with a warning above the root of the repository", () =>
    Effect.gen(function* () {
      const folder = folderWith({
        ...parent,
        "clone/.git": "gitdir: elsewhere\n",
        "clone/flows/w.yaml": workflow("stages: []"),
      })
      assert.deepStrictEqual(yield* codes(join(folder, "clone/flows/w.yaml")), ["PL4034"])
    }),
  )

  it.effect.skipIf(process.getuid?.() !== 0)(
    "is ignored with a warning when another user owns it",
    () =>
      Effect.gen(function* () {
        const folder = folderWith({ ...parent, "flows/w.yaml": workflow("stages: []") })
        chownSync(join(folder, "planloom.yaml"), 12_345, 12_345)
        assert.deepStrictEqual(yield* codes(join(folder, "flows/w.yaml")), ["PL4034"])
      }),
  )

  it.effect("is ignored with a warning when every user may change it, and not the workflow", () =>
    Effect.gen(function* () {
      const folder = folderWith({ ...parent, "flows/w.yaml": workflow("stages: []") })
      chmodSync(join(folder, "planloom.yaml"), 0o666)
      assert.deepStrictEqual(yield* codes(join(folder, "flows/w.yaml")), ["PL4034"])
      chmodSync(join(folder, "flows"), 0o777)
      assert.deepStrictEqual(yield* codes(join(folder, "flows/w.yaml")), ["PL0101"])
    }),
  )

  it.effect("is ignored with a warning above the home folder", () =>
    Effect.gen(function* () {
      const folder = folderWith({ ...parent, "home/flows/w.yaml": workflow("stages: []") })
      vi.stubEnv("HOME", join(folder, "home"))
      assert.deepStrictEqual(yield* codes(join(folder, "home/flows/w.yaml")), ["PL4034"])
      vi.stubEnv("HOME", folder)
      assert.deepStrictEqual(yield* codes(join(folder, "home/flows/w.yaml")), ["PL0101"])
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs()))),
  )
})

describe("documentation of a tool", () => {
  const catalog = (docs: string) =>
    `apiVersion: planloom/v1\nkind: Catalog\ntools: [{ name: rate, summary: Rates.${docs} }]\n`

  const loaded = (files: { readonly [path: string]: string }, link?: string) => {
    const folder = folderWith({
      "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
      "secret.md": CANARY,
      "w.yaml": workflow("use: { files: [catalog/tools.yaml] }\nstages: []"),
      ...files,
    })
    if (link !== undefined) symlinkSync(join(folder, "secret.md"), join(folder, link))
    return check(join(folder, "w.yaml"))
  }

  it.effect.each(["../secret.md", "tools/linked.md"])(
    "is refused outside the folder of the catalog: %s",
    (path) =>
      Effect.gen(function* () {
        const files = { "catalog/tools.yaml": catalog(`, docs: ${path}`), "catalog/tools/a": "" }
        const { diagnostics } = yield* loaded(files, "catalog/tools/linked.md")
        const [problem] = diagnostics.filter(({ code }) => code === "PL4011")
        assert.strictEqual(problem?.message, `"${path}" is outside the folder of the catalog`)
      }),
  )

  it.effect("that is missing is reported where it is named", () =>
    Effect.gen(function* () {
      const { diagnostics } = yield* loaded({ "catalog/tools.yaml": catalog(", docs: no.md") })
      const [problem] = diagnostics.filter(({ code }) => code === "PL4011")
      assert.strictEqual(problem?.message, '"no.md" cannot be read: ENOENT')
    }),
  )
})
