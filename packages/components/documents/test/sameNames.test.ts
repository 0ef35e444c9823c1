/** Libraries of one name: which of them a workflow searches is no matter of order. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { check } from "@planloom/embed"
import stages from "@planloom/stages"
import plugin from "../src/index.ts"

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "same-names-"))
  for (const name of ["papers", "shared"]) mkdirSync(join(folder, name))
  write("planloom.yaml", "Project", "")
})

afterEach(() => rmSync(folder, { recursive: true }))

const write = (path: string, kind: string, body: string) =>
  writeFileSync(join(folder, path), `apiVersion: planloom/v1\nkind: ${kind}\n${body}`)

const LIBRARY = "libraries: { papers: { folder: papers } }\n"

const errors = async (files: string, more = "") => {
  write(
    "ask.yaml",
    "Workflow",
    `name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents"], files: [${files}] }
${more}stages: [{ id: a, uses: set, with: { value: 1 } }]
`,
  )
  const plugins = {
    "@planloom/stages": async () => stages,
    "@planloom/documents": async () => plugin,
  }
  const { diagnostics } = await Effect.runPromise(
    Effect.scoped(check(join(folder, "ask.yaml"), { plugins })),
  )
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(
      ({ file, message, start }) => `${relative(folder, resolve(file))}:${start.line} ${message}`,
    )
}

it("a library of the project and of a used file is an error with both places", async () => {
  write("planloom.yaml", "Project", LIBRARY)
  write("shared/libraries.yaml", "Documents", LIBRARY)
  expect(await errors("shared/libraries.yaml")).toEqual([
    "planloom.yaml:3 the library papers is declared here and in shared/libraries.yaml",
  ])
  expect(await errors("")).toEqual([])
})

it("a library of the workflow and of a used file is one, too", async () => {
  write("shared/libraries.yaml", "Documents", LIBRARY)
  expect(await errors("shared/libraries.yaml", LIBRARY)).toEqual([
    "ask.yaml:5 the library papers is declared here and in shared/libraries.yaml",
  ])
})

it("a library of two used files is one, too", async () => {
  write("shared/a.yaml", "Documents", LIBRARY)
  write("shared/b.yaml", "Documents", LIBRARY)
  expect(await errors("shared/a.yaml, shared/b.yaml")).toEqual([
    "shared/b.yaml:3 the library papers is declared here and in shared/a.yaml",
  ])
})

it("a library of the workflow takes the place of one of the project with its name", async () => {
  write("planloom.yaml", "Project", LIBRARY)
  expect(await errors("", LIBRARY)).toEqual([])
})
