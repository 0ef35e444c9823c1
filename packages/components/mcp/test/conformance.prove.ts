/** The client scenarios of the protocol's conformance suite, of both revisions. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { installOnce } from "../../../../.ci/installOnce.ts"

const run = promisify(execFile)
const workspace = join(import.meta.dirname, "../../../../checks/mcp")
installOnce(workspace)
const suite = join(workspace, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const client = join(import.meta.dirname, "conformanceClient.ts")

const { stdout } = await run(process.execPath, [suite, "list", "--client"])
/** By name and revision, without those of extensions. */
const scenarios = [...stdout.matchAll(/^\s+- (\S+) \[(.+)\]$/gm)].flatMap(
  ([, name = "", revisions = ""]) =>
    revisions
      .split(",")
      .filter((revision) => ["2025-11-25", "2026-07-28"].includes(revision))
      .map((revision) => [name, revision] as const),
)

it("the suite has the scenarios that this client is for", () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(52)
})

it.each(scenarios)("%s of %s passes", async (name, revision) => {
  const command = `${process.execPath} --no-warnings ${client}`
  const ended = await run(
    process.execPath,
    [suite, "client", "--command", command, "--scenario", name, "--spec-version", revision],
    { env: { ...process.env, NO_COLOR: "1" } },
  ).catch((error: { readonly stdout?: string; readonly stderr?: string }) => error)
  expect(/Passed: .*/.exec(`${ended.stdout}${ended.stderr}`)?.[0]).toMatch(
    /^Passed: ([1-9]\d*)\/\1, 0 failed/,
  )
})
