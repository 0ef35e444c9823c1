/**
 * The index of documents beside MiniSearch, Orama and FAISS in one run: CPU of a build and of a search, the most
 * memory, the time until a changed file is found. Times are CPU milliseconds, so that a busy machine does not count, and
 * the shortest of the clock for an update.
 *
 *   node bench/documents.ts [size …] [--only NAME]      # 20000 and 100000 passages of 120 words, 384 numbers a vector
 *
 * FAISS is measured where PLANLOOM_FAISS names the folder in which setup.sh of @planloom/retrieval-faiss built it.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { contenders, type Contender } from "./documents/contenders.ts"
import { writeCorpus } from "./documents/corpus.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" } },
})
const sizes = positionals.length === 0 ? [20_000, 100_000] : positionals.map(Number)
const program = join(import.meta.dirname, "documents/measured.ts")
const number = (value: number, digits: number) => value.toFixed(digits).padStart(9)

/** In a process of its own, whose memory is that of the index: the files are written here. */
const measure = ({ name, readsFiles }: Contender, size: number) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-documents-"))
  try {
    if (readsFiles === true) writeCorpus(join(folder, "docs"), size)
    return spawnSync(process.execPath, [program, name, `${size}`, folder], {
      encoding: "utf8",
      maxBuffer: 1e8,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

for (const size of sizes) {
  console.log(
    `\n${size} passages`.padEnd(31),
    "   CPU s   p50 ms   p99 ms   update  of clock   RSS MB",
  )
  for (const contender of contenders) {
    const { name } = contender
    if (values.only !== undefined && !name.includes(values.only)) continue
    const { status, stderr, stdout } = measure(contender, size)
    if (status !== 0) {
      console.log(name.padEnd(30), stderr.match(/Error: .*/)?.[0] ?? `ended with ${status}`)
      continue
    }
    const { build, note, p50, p99, rss, update, updateWall } = JSON.parse(stdout)
    console.log(
      name.padEnd(30),
      number(build, 1),
      number(p50, 1),
      number(p99, 1),
      number(update, 1),
      number(updateWall, 1),
      number(rss, 0),
      note ?? "",
    )
  }
}
