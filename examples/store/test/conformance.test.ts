/** The store of this example passes the conformance suites of stores. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { journalSuite, ownerSuite, storeSuite } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { afterAll, describe, it } from "vitest"
import { fileStore } from "../fileStore.ts"
import { RunFiles } from "../RunFiles.ts"

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Each `open` is a store over the same folder, as another process would have. */
const place = () => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-files-"))
  folders.push(folder)
  return { open: () => fileStore(new RunFiles(folder)) }
}

storeSuite({ describe, it }, "files", place)
ownerSuite({ describe, it }, "files", place, { silenceMs: 100 })
journalSuite(
  { describe, it },
  "files",
  () => {
    const { open } = place()
    const start = { run: "r", workflow: "test", inputs: {} }
    return {
      open: () => Effect.runPromise(Effect.map(open().open(start), ({ journal }) => journal)),
    }
  },
  { replays: true },
)
