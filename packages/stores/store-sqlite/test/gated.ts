/** Workload of three stages; the second waits for a file `gate` in the folder of its inputs. */
import { existsSync, watch } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import type { Workload } from "../../../../bench/chaos/Workload.ts"

const opened = (folder: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const watcher = watch(folder, () => look())
    const look = () => {
      if (!existsSync(join(folder, "gate"))) return
      watcher.close()
      resume(Effect.void)
    }
    look()
  })

const plugin = definePlugin({
  id: "gated",
  summary: "Work that waits for a file.",
  components: {
    stages: [
      stageKind<{ readonly folder?: string }>({
        id: "pass",
        summary: "Waits for the gate of a folder, when it is given one.",
        input: { type: "object", properties: { folder: { type: "string" } } },
        output: { type: "string" },
        run: ({ folder }) =>
          folder === undefined ? Effect.succeed("passed") : Effect.as(opened(folder), "passed"),
      }),
    ],
  },
})

const file = join(import.meta.dirname, "gated.yaml")
const text = `apiVersion: planloom/v1
kind: Workflow
name: gated
inputs: { folder: { type: string } }
stages:
  - { id: before, uses: pass, with: {} }
  - { id: gate, uses: pass, with: { folder: "\${{ inputs.folder }}" }, needs: [before] }
  - { id: after, uses: pass, with: {}, needs: [gate] }
outputs: { said: { type: string, value: "\${{ stages.after.output }}" } }
`

export const workload: Workload = {
  file,
  options: { texts: new Map([[file, text]]), extraPlugins: [plugin] },
  runs: { gated: { folder: process.argv[3] ?? "" } },
}
