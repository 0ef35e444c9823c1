/** The examples of loops over plans: checked, and run with the tests that are beside them. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { planloom, trusting } from "./planloom.ts"

const root = join(import.meta.dirname, "../../../..")

const counts = { market_loop: 10, guide_loop: 7 }

describe.each(Object.entries(counts))("the example %s", (name, count) => {
  const folder = join(root, "examples", name)

  beforeAll(() => trusting(folder))

  it("has no problem", async () => {
    const { code, stderr, stdout } = await planloom(["check", "--max-warnings", "0"], {
      cwd: folder,
    })
    expect(stdout + stderr).toContain("no problems")
    expect(code).toBe(0)
  })

  it("passes its tests without a key and a network", async () => {
    const { code, stderr, stdout } = await planloom(["test", "."], { cwd: folder })
    expect(stdout + stderr).toContain(`${count} passed, 0 failed`)
    expect(code).toBe(0)
  })
})

it("the loop over a market has at most 40 lines, and no stage kind of another plugin", async () => {
  const text = await readFile(join(root, "examples/market_loop/market_loop.yaml"), "utf8")
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const from = lines.indexOf("stages:")
  const to = lines.findIndex((line) => line.startsWith("outputs:"))
  expect(to - from).toBeLessThanOrEqual(40)
  const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, kind]) => kind)
  expect(uses).toEqual(["plan", "execute", "set", "set"])
})
