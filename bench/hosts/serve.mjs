/** Runs of ten stages that are posted to `planloom serve` over HTTP and followed to their end: CPU µs of the server for each. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, cpSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { createInterface } from "node:readline"

const [, , chunks] = process.argv
const IN_FLIGHT = 20
const RUNS = 200
const WARM_UP_RUNS = 1500

const command = join(import.meta.dirname, "../../node_modules/@planloom/cli/dist/bin.js")
// Beside this file, so that the plugin finds its packages. Runs are kept in the folder of the server.
const folder = mkdtempSync(join(import.meta.dirname, "served-"))
for (const file of ["noop.yaml", "plugin.mjs"])
  cpSync(join(import.meta.dirname, file), join(folder, file))

const server = spawn(
  process.execPath,
  [
    "--import",
    join(import.meta.dirname, "cpuOnRequest.mjs"),
    command,
    "serve",
    "--trust",
    "--port",
    "0",
    "noop.yaml",
  ],
  { cwd: folder, stdio: ["ignore", "pipe", "inherit", "ipc"] },
)
const [address] = await once(createInterface(server.stdout), "line")

const agent = new Agent({ keepAlive: true })
const post = () =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${address}/workflows/noop/runs`,
      {
        agent,
        method: "POST",
        headers: { accept: "text/event-stream", "content-type": "application/json" },
      },
      (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (data) => (text += data))
        response.on("end", () =>
          text.includes("event: end")
            ? resolve()
            : reject(new Error(`${response.statusCode} ${text}`)),
        )
      },
    )
    sent.on("error", reject)
    sent.end('{"inputs":{}}')
  })

const posted = async (count) => {
  let left = count
  const client = async () => {
    while (left-- > 0) await post()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
}

const cpu = async () => {
  server.send("cpu")
  const [{ system, user }] = await once(server, "message")
  return system + user
}

await posted(WARM_UP_RUNS)
const figures = []
let before = await cpu()
for (let chunk = 0; chunk < Number(chunks); chunk++) {
  await posted(RUNS)
  const after = await cpu()
  figures.push((after - before) / RUNS)
  before = after
}
agent.destroy()
server.kill("SIGTERM")
await once(server, "exit")
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify({ "CPU µs": figures }))
