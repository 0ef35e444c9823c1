/**
 * Memory and time of hostile texts: bytes of heap per byte of text while the result and its repairs are held, and MB per CPU second.
 * `node bench/salvageHeap.ts [megabytes …]`, by default 1 4 16. Fails above 12 bytes per byte, or if the speed falls with the length.
 */
import { execFileSync } from "node:child_process"
import { heapTexts } from "./salvage/texts.ts"

const MAX_BYTES_PER_BYTE = 12
/** Least speed at the greatest length, as a share of that at the smallest. */
const MIN_SPEED_SHARE = 0.25

interface Measured {
  readonly perByte: number
  readonly seconds: number
  readonly outcome: string
}

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 4, 16]
const child = new URL("salvage/heapChild.ts", import.meta.url).pathname

console.log(
  `${"bytes per byte, MB/s at".padEnd(32)}${sizes.map((size) => `${size} MB`.padStart(18)).join("")}`,
)
for (const name of Object.keys(heapTexts)) {
  const measured = sizes.map((size) => {
    const flags = ["--expose-gc", "--max-old-space-size=4096", child, name, String(size)]
    return JSON.parse(execFileSync(process.execPath, flags, { encoding: "utf8" })) as Measured
  })
  const speeds = measured.map(({ seconds }, at) => sizes[at]! / seconds)
  const cells = measured.map(({ perByte }, at) =>
    `${perByte.toFixed(1)}, ${speeds[at]!.toFixed(1)}`.padStart(18),
  )
  console.log(`${name.padEnd(32)}${cells.join("")}  ${measured.at(-1)!.outcome}`)
  const isSlower = speeds.at(-1)! < MIN_SPEED_SHARE * speeds[0]!
  if (isSlower || measured.some(({ perByte }) => perByte > MAX_BYTES_PER_BYTE)) process.exitCode = 1
}
