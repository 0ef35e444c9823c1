import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { newRunId } from "./newRunId.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe.each([true, false])("the id of a run, stored: %s", (isStored) => {
  it("is a UUID, and another one for each run", () => {
    const ids = Array.from({ length: 10_000 }, () => newRunId(isStored))
    for (const id of ids) assert.match(id, uuid)
    assert.strictEqual(new Set(ids).size, ids.length)
  })
})

it("the id of a run that is not stored differs between processes", () => {
  const script = `import { newRunId } from ${JSON.stringify(new URL("newRunId.ts", import.meta.url))}
console.log(newRunId(false))`
  const args = ["--input-type=module", "--eval", script]
  const ids = [1, 2].map(() => execFileSync(process.execPath, args, { encoding: "utf8" }).trim())
  for (const id of ids) assert.match(id, uuid)
  assert.strictEqual(new Set(ids.map((id) => id.slice(0, 24))).size, ids.length)
})
