/** The package exports every error that its page names. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as embed from "./index.ts"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/embedding.md"), "utf8")

/** Errors of the platform. */
const builtIn = ["AbortError", "Error", "TypeError"]

it("exports the errors of the table in embedding.md", () => {
  const [table = ""] = /\| it rejects with \|[^]*?\n\n/.exec(page) ?? []
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!)
  expect(named).toContain("RunFailed")
  expect(Object.keys(embed)).toEqual(
    expect.arrayContaining(named.filter((name) => !builtIn.includes(name))),
  )
})
