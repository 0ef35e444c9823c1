/** The tests of providers in `prove` have the newest SDK: without this they would pass with the oldest. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { VERSION } from "openai/version"
import { expect, it } from "vitest"

it("is the one of the workspace for it", () => {
  const file = join(import.meta.dirname, "../../../../checks/sdks/package.json")
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly dependencies: { readonly openai: string }
  }
  expect(VERSION).toBe(dependencies.openai)
})
