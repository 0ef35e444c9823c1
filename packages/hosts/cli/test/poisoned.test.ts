/** `planloom serve` with runs that do harm: it survives stray errors, and a run that spins ends it as often as attempts allow. */
import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { failureIn, poisonedProject, Supervised, whenAllEnded } from "./poisoned.ts"

let cwd: string
let server: Supervised

beforeAll(async () => {
  cwd = await poisonedProject()
  const args = ["--every", "100ms", "--attempts", "1", "--watchdog", "2s"]
  server = new Supervised(cwd, args)
})

afterAll(async () => {
  await server.stop()
  await rm(cwd, { recursive: true, force: true })
})

describe("planloom serve with a run that does harm", { timeout: 120_000 }, () => {
  it.each(["rejection", "timer"])(
    "survives a %s that nothing waits for, and fails the run that it came from",
    async (harm) => {
      await server.post("good", `before-${harm}`)
      await server.post(harm, harm)
      await server.post("good", `after-${harm}`)
      const records = await whenAllEnded(cwd, [`before-${harm}`, harm, `after-${harm}`])
      expect(records.get(`before-${harm}`)?.status).toBe("succeeded")
      expect(records.get(`after-${harm}`)?.status).toBe("succeeded")
      expect(await failureIn(cwd, harm)).toMatchObject({
        class: "internal",
        message: `stage "last" (../poison.ts/${harm}) of workflow "${harm}" left an error that nothing waited for: Error: boom`,
        stage: "last",
        detail: { stack: expect.stringContaining("poison.ts") },
      })
      expect(server.ends).toEqual([])
    },
  )

  it("ends while a run spins, also after SIGTERM, and fails the run after its attempts", async () => {
    await server.post("spin", "spin")
    while (!existsSync(join(cwd, "spinning"))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await server.signal("SIGTERM")
    await whenAllEnded(cwd, ["spin"])
    expect(server.ends.map(({ code }) => code)).toEqual([75])
    expect(server.ends[0]!.stderr).toContain(
      'planloom: stage "last" (../poison.ts/spin) of workflow "spin" has kept the event loop from turning for ',
    )
    expect(await failureIn(cwd, "spin")).toMatchObject({
      class: "internal",
      message: expect.stringMatching(
        /^claimed once without recording a step since "before": stage "last" \(\.\.\/poison\.ts\/spin\) of workflow "spin" kept the event loop from turning for .*; fix it, then planloom runs reset spin$/,
      ),
    })
  })
})
