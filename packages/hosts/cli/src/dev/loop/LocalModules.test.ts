/** Node's own loader, which the test runner's does not reach, imports what is tested. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect, it } from "vitest"
import { LocalModules } from "./LocalModules.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "planloom-modules-")))
const modules = new LocalModules()
afterAll(() => {
  modules.close()
  rmSync(folder, { recursive: true })
})

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const { load: native } = createRequire(import.meta.url)(
  write("node_modules/loader/index.mjs", "export const load = (url) => import(url)"),
) as { readonly load: (url: string) => Promise<{ readonly default: unknown }> }

const load = async (name: string, file: string): Promise<unknown> => {
  const place = { name, file, folder, place: "flow.yaml:4:1" }
  await modules.watching(async () => "load" as const)(place)
  const { default: plugin } = await native(pathToFileURL(file).href)
  modules.loaded()
  return plugin
}

it("a plugin is loaded again when a file that it imports has changed, and only then", async () => {
  write("words/word.mjs", `export const word = "one"`)
  const file = write(
    "plugin.mjs",
    `import { word } from "./words/word.mjs"\nexport default { word }`,
  )
  const first = await load("../../../../../engine/dev/plugin.mjs", file)
  expect(first).toEqual({ word: "one" })
  expect(modules.files).toEqual([file, join(folder, "words/word.mjs")])

  modules.refresh()
  expect(modules.version("../../../../../engine/dev/plugin.mjs")).toBe("")
  expect(await load("../../../../../engine/dev/plugin.mjs", file)).toBe(first)

  write("words/word.mjs", `export const word = "two"`)
  modules.refresh()
  const version = modules.version("../../../../../engine/dev/plugin.mjs")
  expect(version).not.toBe("")
  const second = await load("../../../../../engine/dev/plugin.mjs", file)
  expect(second).toEqual({ word: "two" })

  modules.refresh()
  expect(modules.version("../../../../../engine/dev/plugin.mjs")).toBe(version)
  expect(await load("../../../../../engine/dev/plugin.mjs", file)).toBe(second)
})

it("a plugin of a package has no version, and its files are not watched", async () => {
  const file = write("node_modules/installed/index.mjs", `export default { word: "installed" }`)
  expect(await load("installed", file)).toEqual({ word: "installed" })
  modules.refresh()
  expect(modules.version("installed")).toBe("")
  expect(modules.files).not.toContain(file)
})
