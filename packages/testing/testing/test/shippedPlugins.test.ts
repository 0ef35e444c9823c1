/** What a host loads with the plugins that come with planloom, and how they read their configs. */
import { execFileSync } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { configReader, type Plugin } from "@planloom/plugin/effect"

const root = join(import.meta.dirname, "../../../..")
const files = globSync("packages/*/*/src/plugin.ts", { cwd: root }).toSorted()

/** Imports modules in turn, and prints what was loaded and which formatters were made, each with the module that is imported then. */
const watching = `
import { registerHooks } from "node:module"
const seen = []
let file = ""
registerHooks({ load: (url, context, next) => (seen.push([file, url]), next(url, context)) })
for (const name of ["NumberFormat", "DateTimeFormat", "DisplayNames", "Collator", "Segmenter"]) {
  const Given = Intl[name]
  Intl[name] = new Proxy(Given, {
    construct: (target, given) => (seen.push([file, "Intl." + name]), new target(...given)),
  })
}
for (file of process.argv.slice(1)) await import(file)
console.log(JSON.stringify(seen))
`

const loaded = () =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "--no-warnings",
        "-e",
        watching,
        ...files.map((file) => join(root, file)),
      ],
      { encoding: "utf8", cwd: root },
    ),
  ) as ReadonlyArray<readonly [file: string, loaded: string]>

/** `effect/Schema` takes 85 ms of a host's start and 12 MB, the first formatter of numbers 22 ms. */
const heavy = /\/effect\/.*\/Schema\.[jt]s$|^Intl\./

it("the plugins that come with planloom are loaded without a schema and without a formatter", () => {
  const all = loaded()
  for (const file of files) expect(all.some(([, url]) => url.endsWith(file))).toBe(true)
  expect(all.filter(([, one]) => heavy.test(one))).toEqual([])
})

it.each(files)("%s reads an empty config as its schema does", async (file) => {
  const { default: plugin } = (await import(join(root, file))) as { readonly default: Plugin }
  const { config, readConfig } = plugin
  if (config === undefined) return expect(readConfig).toBeUndefined()
  expect("schema" in config && typeof config.schema).toBe("function")
  const { schema } = config as Extract<typeof config, { readonly schema: () => unknown }>
  expect(await readConfig!({})).toEqual(await configReader(await schema())({}))
})
