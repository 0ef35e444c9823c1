/** The variable with a state folder of one test run, so that nothing counts that the person or an earlier run has kept. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "planloom-state-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

export const ownState = { PLANLOOM_STATE_DIR: folder }
