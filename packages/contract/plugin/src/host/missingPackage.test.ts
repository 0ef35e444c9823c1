/** Only the absence of the package itself is described. */
import { expect, it } from "vitest"
import { missingPackage } from "./missingPackage.ts"

it("missingPackage names the command for a package that Node cannot find, and nothing for another error", async () => {
  const name = "@planloom/not-there"
  const error = await import(name).catch((thrown: unknown) => thrown)
  expect(missingPackage(name, error)).toBe(`${name} is not installed: npm install ${name}`)
  expect(missingPackage("openai", error)).toBeUndefined()
  expect(missingPackage(name, new Error(`'${name}' is broken`))).toBeUndefined()
})
