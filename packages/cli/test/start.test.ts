/** How many files of the bundle a command loads. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { assert, inject, it } from "vitest"

const dist = dirname(inject("commandBin"))

/** Chunks that Node loads with one: its static imports, followed to their ends. */
const loadedWith = (name: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(join(dist, file), "utf8")
    for (const [, next] of text.matchAll(/(?:from|import) ?"\.\/([\w-]+\.js)"/g)) visit(next!)
  }
  visit(name)
  return seen
}

const chunkOf = (source: string): string =>
  readdirSync(dist).find((file) => new RegExp(`^${source}-\\w{8}\\.js$`).test(file)) ??
  assert.fail(`no chunk of ${source}`)

it.each([
  ["runCommandLine", 7],
  ["runWorkflow", 28],
])("the chunk of %s loads at most %d files", (source, most) => {
  const loaded = loadedWith(chunkOf(source))
  assert.isAbove(loaded.size, 3)
  assert.isAtMost(loaded.size, most, [...loaded].map((file) => basename(file)).join(" "))
})
