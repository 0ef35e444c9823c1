/** The engine's public names stay few; our own hosts use `internal.ts`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

it("exports at most 25 names, each by itself", () => {
  const text = readFileSync(join(import.meta.dirname, "index.ts"), "utf8")
  const names = [...text.matchAll(/\{([^}]*)\} from/g)].flatMap(([, list]) =>
    list!.split(",").flatMap((name) => name.trim() || []),
  )
  expect(text).not.toContain("export *")
  expect(names).toContain("run")
  expect(names.length).toBeLessThanOrEqual(25)
})
