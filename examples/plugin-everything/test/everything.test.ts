/** Both plugins in a run of the same workflow: each component has its effect. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { check, loadWorkflow } from "@planloom/embed"
import type { RunEvent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const folder = join(import.meta.dirname, "..")
const path = join(folder, "workflow.yaml")

for (const style of ["promise", "effect"]) {
  const text = readFileSync(path, "utf8").replace("./promise.ts", `./${style}.ts`)

  describe(`components in ${style} style`, () => {
    it("check without a problem", async () => {
      const options = { texts: new Map([[path, text]]) }
      const { diagnostics } = await Effect.runPromise(check(path, options))
      expect(diagnostics).toEqual([])
    })

    it("act in a run", async () => {
      const workflow = await loadWorkflow(path, { texts: new Map([[path, text]]) })
      const events: Array<RunEvent> = []
      const { outputs } = await workflow.run({}, { onEvent: (event) => events.push(event) })
      await workflow.close()
      // The section marks, the gate hides, the hook signs; the index finds the phrase by the embedder's vectors.
      expect(outputs).toEqual({
        text: "Rain taps on the …! (Ada)",
        words: 5,
        verdicts: ["flag", "block"],
        domains: ["writing"],
      })
      const said = events.flatMap((event) =>
        event.type === "Noted" && event.note === "everything/composed" ? [event.text] : [],
      )
      expect(said).toEqual(["wrote 5 words"])
      const models = events.flatMap((event) => (event.type === "ModelCalled" ? [event.model] : []))
      expect(new Set(models)).toEqual(new Set(["parrot/any", "letters/count"]))
    })

    it("report a problem of a file of their kind", async () => {
      const phrases = join(folder, "phrases.yaml")
      const empty = "apiVersion: planloom/v1\nkind: Phrases\nphrases: []\n"
      const texts = new Map([
        [path, text],
        [phrases, empty],
      ])
      const { diagnostics } = await Effect.runPromise(check(path, { texts }))
      expect(diagnostics.map(({ code }) => code)).toEqual(["PHRASE01"])
    })
  })
}
