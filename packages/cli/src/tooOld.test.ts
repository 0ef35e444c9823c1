import { assert, it } from "@effect/vitest"
import manifest from "../package.json" with { type: "json" }
import { least, tooOld } from "./tooOld.ts"

it("refuses the versions of Node that package.json excludes, in one sentence", () => {
  assert.strictEqual(manifest.engines.node, `>=${least}`)
  assert.strictEqual(
    tooOld("20.20.2"),
    "error: planloom needs Node 22.19 or newer; this is Node 20.20.2",
  )
  assert.isString(tooOld("22.18.9"))
  for (const version of ["22.19.0", "24.0.1", "100.0.0"]) assert.isUndefined(tooOld(version))
})
