/** One hostile text in a process of its own: prints the bytes of heap per byte of text that stay while the result is held. */
import { parse } from "@planloom/salvage"
import { heapTexts } from "./texts.ts"

const [name, megabytes] = process.argv.slice(2)
const text = heapTexts[name!]!(Number(megabytes) * 1e6)
// Reads the text once, so that it is one flat string before the measurement; and the parser, so that its code is compiled.
text.charCodeAt(text.length - 1)
parse("[{a: 1}, 2")

const heap = () => {
  globalThis.gc!()
  return process.memoryUsage().heapUsed
}
const before = heap()
const began = process.cpuUsage()
const result = parse(text)
const repairs = result.ok ? result.repairs.length : 0
const { system, user } = process.cpuUsage(began)
const held = heap() - before
console.log(
  JSON.stringify({
    perByte: held / text.length,
    seconds: (user + system) / 1e6,
    outcome: result.ok ? `read, ${repairs} repairs` : result.reasons[0]!.message,
  }),
)
