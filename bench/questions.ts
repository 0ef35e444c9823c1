/**
 * Which of the labeled questions on documentation a search answers: by words, by vectors, and by both. An answer counts if its
 * passage is among five, in at most 6,000 characters.
 *
 *   node bench/questions.ts [--half seen|held_out] [--server http://127.0.0.1:8080/v1 --model NAME --dimensions N]
 *
 * Without a server the vectors are those of latent semantic analysis of the passages themselves, which knows no language.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { DocumentIndex, type PassageEmbedder } from "@planloom/documents"
import {
  copyCorpus,
  isHeldOut,
  MOST,
  questions,
  rankOf,
  type Question,
} from "../packages/documents/test/Questions.ts"
import { latentVectors } from "./documents/latentVectors.ts"

const { values } = parseArgs({
  options: {
    half: { type: "string", default: "seen" },
    server: { type: "string" },
    model: { type: "string" },
    dimensions: { type: "string" },
  },
})
if (values.half !== "seen" && values.half !== "held_out")
  throw new Error("--half is seen or held_out")

const LATENT = 256
const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), "questions-"))
copyCorpus(folder)
const index = new DocumentIndex(join(folder, "index.sqlite"), {
  folder: { root: folder, include: ["**/*.md"] },
})
const report = await index.sync({ signal })

const latent = (): PassageEmbedder => {
  const texts = report.added.flatMap((path) =>
    index.show(path).map(({ headings, text }) => `${headings.join(" › ")}\n${text}`),
  )
  const embed = latentVectors(texts, LATENT)
  return { model: "bench/latent", dimensions: LATENT, embed: async (some) => embed(some) }
}

const served = (url: string): PassageEmbedder => {
  const { dimensions, model = "default" } = values
  return {
    model: `server/${model}`,
    dimensions: Number(dimensions),
    embed: async (input) => {
      const answer = await fetch(`${url}/embeddings`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model, input, encoding_format: "float" }),
      })
      const { data } = (await answer.json()) as {
        readonly data: ReadonlyArray<{ readonly index: number; readonly embedding: Array<number> }>
      }
      return data
        .toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => Float32Array.from(embedding))
    },
  }
}

const embedder = values.server === undefined ? latent() : served(values.server)
const { embedded, passages, problem } = await index.embed(embedder, signal)
console.log(`${embedder.model}: ${embedded} of ${passages} passages ${problem ?? ""}`)

type Search = (question: Question) => Promise<number>

const both =
  (words: number, meaning: number): Search =>
  async (question) => {
    const [vector] = (await embedder.embed([question.ask], signal)) ?? []
    const { hits } = index.searchBoth(
      question.ask,
      vector!,
      { limit: MOST.passages },
      { words, meaning },
    )
    return rankOf(question, hits)
  }

const searches: { readonly [name: string]: Search } = {
  words: async (question) =>
    rankOf(question, index.search(question.ask, { limit: MOST.passages }).hits),
  vectors: both(0, 1),
  both: both(1, 1),
}

const half = questions().filter((one) => isHeldOut(one) === (values.half === "held_out"))
for (const [name, search] of Object.entries(searches)) {
  const ranks: Array<number> = []
  for (const question of half) ranks.push(await search(question))
  const answered = ranks.filter((rank) => rank > 0).length
  const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length
  console.log(`${name.padEnd(8)} ${answered} of ${half.length} answered, MRR ${mrr.toFixed(3)}`)
}
index.close()
rmSync(folder, { recursive: true })
