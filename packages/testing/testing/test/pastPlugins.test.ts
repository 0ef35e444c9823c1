/** Plugins as they were published for earlier versions act as they did, without an edit. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { check, loadWorkflow } from "@planloom/embed"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const past = join(import.meta.dirname, "past")

describe.each(readdirSync(past))("the plugin %s", (folder) => {
  const path = join(past, folder, "workflow.yaml")

  it("is accepted by check", async () => {
    expect((await Effect.runPromise(check(path))).diagnostics).toEqual([])
  })

  it("acts in a run", async () => {
    const workflow = await loadWorkflow(path)
    const { outputs, status } = await workflow.run({})
    await workflow.close()
    expect({ outputs, status }).toEqual({
      status: "succeeded",
      outputs: {
        text: "Rain taps on the …! (Ada)",
        words: 5,
        verdicts: ["flag", "block"],
        domains: ["writing"],
      },
    })
  })
})
