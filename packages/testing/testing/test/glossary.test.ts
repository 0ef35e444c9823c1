/** docs/glossary.md names only keys, types, events, routes and commands that exist. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ownKinds, schemaOf } from "@planloom/language"
import { expect, it } from "vitest"
import { folderOf } from "../../../../.config/packageFolders.ts"
import { fileKinds } from "@planloom/testing/kinds"

const root = join(import.meta.dirname, "../../../..")
const textOf = (path: string): string => readFileSync(join(root, path), "utf8")

const columns = ["concept", "meaning", "key", "type", "event", "route", "command"] as const
type Row = { readonly [column in (typeof columns)[number]]: string }

const rows = textOf("docs/glossary.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| concept"))
  .map((line) => {
    const cells = line.split("|").slice(1, -1)
    return Object.fromEntries(columns.map((name, index) => [name, cells[index]!.trim()])) as Row
  })

/** The texts in backticks of a column, with what follows each in parentheses. */
const named = (column: keyof Row) =>
  rows.flatMap((row) =>
    [...row[column].matchAll(/`([^`]+)`(?: \(([\w-]+)\))?/g)].map(([, name, of]) => ({
      name: name!,
      of,
    })),
  )

const keysIn = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  const { properties = {} } = schema as { readonly properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(keysIn)]
}

it("docs/glossary.md has one row per concept", () => {
  const concepts = rows.map(({ concept }) => concept)
  expect(concepts.length).toBeGreaterThan(50)
  expect(new Set(concepts).size).toBe(concepts.length)
})

it("docs/glossary.md names YAML keys that a file kind has", async () => {
  const schemas = [
    ...ownKinds.map((kind) => schemaOf(kind, [])),
    ...(await Promise.all(fileKinds.map(async ({ load }) => (await load()).schema))),
  ]
  const keys = new Set(schemas.flatMap(keysIn))
  expect(named("key").filter(({ name }) => !keys.has(name))).toEqual([])
})

it("docs/glossary.md names types that their packages export", () => {
  const missing = named("type").filter(({ name, of }) => {
    const files = execFileSync("git", ["ls-files", "-z", `${folderOf(of!)}/src`], {
      cwd: root,
      encoding: "utf8",
    })
    const declaration = new RegExp(`export (?:abstract )?(?:interface|type|class) ${name}\\b`)
    return !files.split("\0").some((file) => file.endsWith(".ts") && declaration.test(textOf(file)))
  })
  expect(missing).toEqual([])
})

it("docs/glossary.md names every event and no other", () => {
  const types = textOf("packages/contract/plugin/src/run/Event.ts").matchAll(
    /readonly type: "(\w+)"/g,
  )
  expect([...new Set(named("event").map(({ name }) => name))].toSorted()).toEqual(
    [...types].map(([, type]) => type!).toSorted(),
  )
})

it("docs/glossary.md names every route of the HTTP API and no other", () => {
  const routes = textOf("packages/hosts/server/src/handler.ts").matchAll(
    /\["(GET|POST|PUT|DELETE)", "([^"]+)"/g,
  )
  expect([...new Set(named("route").map(({ name }) => name))].toSorted()).toEqual(
    [...routes].map(([, method, path]) => `${method} ${path}`).toSorted(),
  )
})

it("docs/glossary.md names commands of docs/cli.md", () => {
  const commands = new Set(
    [...textOf("docs/cli.md").matchAll(/^#{3,4} (.+)$/gm)].map(([, command]) => command!),
  )
  expect(named("command").filter(({ name }) => !commands.has(name))).toEqual([])
})
