/**
 * Which of the labeled questions on documentation a search answers: by words, by vectors, by both, and with other wordings of
 * the question, which a model wrote. An answer counts if its passage is among five, in at most 6,000 characters; a reranker
 * would find those among fifty.
 *
 *   node bench/questions.ts [--half seen|held_out|both] [--embedder latent|sentences|words]
 *   node bench/questions.ts [--half …] --server http://127.0.0.1:8080/v1 --model NAME --dimensions N
 *
 * `latent` is latent semantic analysis of the passages themselves, which knows no language; `sentences` and `words` are models
 * that packages hold.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import {
  DocumentIndex,
  isFound,
  type PassageEmbedder,
  type SearchResult,
} from "@planloom/documents"
import { queryVector } from "@planloom/documents/manage"
import {
  copyCorpus,
  isAnswered,
  isHeldOut,
  MOST,
  questions,
  rankOf,
  wordingsOf,
  type Question,
} from "../packages/components/documents/test/Questions.ts"
import { latentVectors } from "./documents/latentVectors.ts"
import { sentenceEncoder } from "./embedders/sentenceEncoder.ts"
import { wordVectors } from "./embedders/wordVectors.ts"

const { values } = parseArgs({
  options: {
    half: { type: "string", default: "seen" },
    embedder: { type: "string", default: "latent" },
    server: { type: "string" },
    model: { type: "string" },
    dimensions: { type: "string" },
  },
})
const halves = values.half === "both" ? ["seen", "held_out"] : [values.half]
if (halves.some((half) => half !== "seen" && half !== "held_out"))
  throw new Error("--half is seen, held_out or both")

const LATENT = 256

/** Passages that a reranker is given. */
const RERANKED = 50

const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), "questions-"))
copyCorpus(folder)
const index = new DocumentIndex(join(folder, "index.sqlite"), {
  folder: { root: folder, include: ["**/*.md"] },
})
const report = await index.sync({ signal })

const texts = report.added.flatMap((path) =>
  index.show(path).map(({ headings, text }) => `${headings.join(" › ")}\n${text}`),
)

const embedders: { readonly [name: string]: () => PassageEmbedder | Promise<PassageEmbedder> } = {
  latent: () => {
    const embed = latentVectors(texts, LATENT)
    return { model: "bench/latent", dimensions: LATENT, embed: async (some) => embed(some) }
  },
  sentences: sentenceEncoder,
  words: () => wordVectors(texts),
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

const make = embedders[values.embedder]
if (make === undefined) throw new Error(`--embedder is one of ${Object.keys(embedders).join(", ")}`)
const embedder = values.server === undefined ? await make() : served(values.server)
const embedding = await index.embed(embedder, signal)
const { embedded, passages, problem } = embedding
console.log(`${embedder.model}: ${embedded} of ${passages} passages ${problem ?? ""}`)

type Search = (question: Question) => Promise<SearchResult>

const written = wordingsOf()

const both =
  (words: number, meaning: number, reworded = false): Search =>
  async ({ ask }) => {
    const wordings = reworded ? written.get(ask)! : []
    const { vector } = await queryVector({ embedding }, embedder, [ask, ...wordings], signal)
    const options = { limit: RERANKED, wordings }
    return index.searchBoth(ask, vector!, options, { words, meaning })
  }

const searches: { readonly [name: string]: Search } = {
  words: async ({ ask }) => index.search(ask, { limit: RERANKED }),
  vectors: both(0, 1),
  both: both(1, 1),
  "words, wordings": async ({ ask }) =>
    index.search(ask, { limit: RERANKED, wordings: written.get(ask) }),
  "both, wordings": both(1, 1, true),
}

for (const half of halves) {
  const asked = questions().filter((one) => isHeldOut(one) === (half === "held_out"))
  console.log(`${half}: ${asked.length} questions`)
  for (const [name, search] of Object.entries(searches)) {
    const ranks: Array<number> = []
    let among = 0
    let found = 0
    for (const question of asked) {
      const { hits } = await search(question)
      ranks.push(rankOf(question, hits))
      if (hits.some((hit) => isAnswered(question, hit))) among++
      if (hits.slice(0, MOST.passages).some((hit) => isFound(hit))) found++
    }
    const answered = ranks.filter((rank) => rank > 0).length
    const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length
    console.log(
      `${name.padEnd(16)} ${answered} answered, MRR ${mrr.toFixed(3)}, ${among} among ${RERANKED}, ${found} found`,
    )
  }
}
index.close()
rmSync(folder, { recursive: true })
