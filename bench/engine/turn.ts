/** A contestant's turn, in a process of its own: `node turn.ts who work chunks` prints the CPU µs per run of each chunk. */
import { chunksOf } from "../works/chunks.ts"
import { startOf, type Who, type Work } from "./contestants.ts"

const [, , who, work, chunks] = process.argv as [string, string, Who, Work, string]
console.log(JSON.stringify(await chunksOf(await startOf(who, work), Number(chunks))))
process.exit(0)
