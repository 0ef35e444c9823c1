/** Two servers on one store, ninety good runs, and one that spins, rejects or throws aside: the good ones succeed, it fails. */
import { rm } from "node:fs/promises"
import { expect, it } from "vitest"
import { sourceBin } from "./planloom.ts"
import { failureIn, harms, poisonedProject, Supervised, whenAllEnded } from "./poisoned.ts"

const ATTEMPTS = 3
const GOOD_RUNS = 90

it.each(harms)(
  "ninety runs succeed on two servers beside one that does harm by a %s, and it is failed",
  async (harm) => {
    const cwd = await poisonedProject()
    const args = ["--every", "100ms", "--attempts", String(ATTEMPTS), "--watchdog", "2s"]
    const start = () => new Supervised(cwd, args, sourceBin)
    const servers = [start(), start()] as const
    try {
      const good = Array.from({ length: GOOD_RUNS }, (_, at) => `good-${at}`)
      const posts = good.map((run, at) => () => servers[at % 2]!.post("good", run))
      posts.splice(GOOD_RUNS / 3, 0, () => servers[0].post(harm, "bad"))
      for (const post of posts) await post()
      const records = await whenAllEnded(cwd, [...good, "bad"])
      const unlike = good.filter((run) => records.get(run)?.status !== "succeeded")
      expect(unlike).toEqual([])
      expect(records.get("bad")).toMatchObject({ status: "failed", failedWith: "internal" })
      const place = `stage "last" (../poison.ts/${harm}) of workflow "${harm}"`
      const ends = servers.flatMap((server) => server.ends)
      if (harm === "spin") {
        expect(ends.map(({ code }) => code)).toEqual(Array.from({ length: ATTEMPTS }, () => 75))
        for (const { stderr } of ends)
          expect(stderr).toContain(`planloom: ${place} has kept the event loop from turning for `)
        expect(await failureIn(cwd, "bad")).toMatchObject({
          message: expect.stringContaining(
            `claimed ${ATTEMPTS} times without recording a step since "before": ${place} kept the event loop from turning for `,
          ),
        })
      } else {
        expect(ends).toEqual([])
        expect(await failureIn(cwd, "bad")).toMatchObject({
          message: `${place} left an error that nothing waited for: Error: boom`,
          stage: "last",
        })
      }
      for (const server of servers) expect((await server.fetch("/health")).status).toBe(200)
    } finally {
      for (const server of servers) await server.stop()
      await rm(cwd, { recursive: true, force: true })
    }
  },
)
