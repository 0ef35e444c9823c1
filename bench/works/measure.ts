/** Measures a work of this folder in a process of its own: `node measure.ts <work> <chunks>` prints its figures as JSON. */
import { chunksOf } from "./chunks.ts"
import type { Start } from "./Work.ts"

const [, , work, chunks] = process.argv
const { start } = (await import(`./${work}.ts`)) as { readonly start: Start }
console.log(JSON.stringify({ "CPU µs": await chunksOf(await start(), Number(chunks)) }))
process.exit(0)
