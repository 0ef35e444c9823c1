/** In the packages of a run, a call imports a module only once: an `import()` of a loaded one takes as long as a short agent loop. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")
const engine = ["core", "language", "plugin", "prompt", "shadow", "stages"]

it("an effect of the engine imports a module through loadedOnce", () => {
  const files = globSync(`packages/*/{${engine.join(",")}}/src/**/*.ts`, { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts"),
  )
  expect(files.length).toBeGreaterThan(300)
  const importing = files.filter((file) =>
    /Effect\.promise\(\s*(async\s*)?\(\) =>\s*import\(/.test(
      readFileSync(join(root, file), "utf8"),
    ),
  )
  expect(importing).toEqual([])
})
