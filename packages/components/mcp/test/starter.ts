/** Starts a server and waits: the process that a test ends with SIGKILL. `node starter.ts COMMAND ARGS…` */
import { startChild } from "../src/connection/startChild.ts"

const [, , command, ...args] = process.argv
const child = startChild({
  command: command!,
  args,
  cwd: process.cwd(),
  env: process.env as Record<string, string>,
})
child.stdout.resume()
child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`)
child.stdout.once("data", () => process.stdout.write("started\n"))
setInterval(() => {}, 1000)
