/**
 * CPU of a server while event streams of a waiting run are open and nothing happens: `node bench/idleStreams.ts [streams]
 * [seconds]`. The server is a process of its own; its CPU time is that of `/proc`.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const streams = Number(process.argv[2] ?? 1000)
const seconds = Number(process.argv[3] ?? 20)

/** Clock ticks of Linux in a second. */
const TICKS = 100

const folder = mkdtempSync(join(tmpdir(), "planloom-idle-"))
writeFileSync(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
writeFileSync(
  join(folder, "ask.yaml"),
  `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ok, uses: approve, with: { message: "Go on?" } }]
`,
)

const bin = join(import.meta.dirname, "../packages/hosts/cli/src/bin.ts")
const server = spawn(process.execPath, [bin, "serve", "--port", "0", "ask.yaml"], {
  cwd: folder,
  stdio: ["ignore", "pipe", "inherit"],
})
const url = await new Promise<string>((found) =>
  server.stdout.once("data", (data: Buffer) => found(data.toString().trim())),
)

/** CPU seconds of the server so far. */
const cpu = (): number => {
  const fields = readFileSync(`/proc/${server.pid!}/stat`, "utf8").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

const used = async (): Promise<number> => {
  const before = cpu()
  await pause(seconds * 1000)
  return (cpu() - before) / seconds
}

try {
  const started = await fetch(`${url}/workflows/ask/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ inputs: {} }),
  })
  const { run } = (await started.json()) as { readonly run: string }
  await pause(3000)
  const alone = await used()
  await Promise.all(
    Array.from(
      { length: streams },
      () =>
        new Promise<void>((open, reject) => {
          const asked = request(
            `${url}/runs/${run}/events`,
            { headers: { accept: "text/event-stream" }, agent: false },
            (response) => response.once("data", () => open()).resume(),
          )
          asked.on("error", reject)
          asked.end()
        }),
    ),
  )
  await pause(3000)
  const withStreams = await used()
  console.log(
    `without streams: ${alone.toFixed(4)} core; with ${streams} idle streams: ${withStreams.toFixed(4)} core`,
  )
} finally {
  server.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
