import { assert, it } from "@effect/vitest"
import manifest from "../package.json" with { type: "json" }
import { minimumNode, checkNodeVersion } from "./checkNodeVersion.ts"

it("rejects the versions of Node that package.json excludes with one message", () => {
  assert.strictEqual(manifest.engines.node, `>=${minimumNode}`)
  assert.strictEqual(
    checkNodeVersion("20.20.2"),
    "error: planloom needs Node 22.19 or newer; this is Node 20.20.2",
  )
  assert.isString(checkNodeVersion("22.18.9"))
  for (const version of ["22.19.0", "24.0.1", "100.0.0"])
    assert.isUndefined(checkNodeVersion(version))
})
