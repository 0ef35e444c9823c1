/** The agreement to what embedding a library costs: how much of it a person has allowed, and what is open. */
import { estimateTokens } from "@planloom/plugin/facts"
import type { DocumentFile } from "../index/DocumentFile.ts"
import { lastEmbedded, passagesAfter, unknownTexts } from "./openTexts.ts"

/** The amount that embedding takes. */
export interface OpenTexts {
  readonly texts: number
  /** As estimated. */
  readonly tokens: number
}

/** Texts that are embedded without an agreement: about what one request holds, as each search sends one for its query. */
const MAX_UNAGREED = 64

/** Passages that are looked at together. */
const PAGE = 500

const AGREED = "agreed"

/** The texts that a model has not embedded yet, each once; counted only until they are enough. */
export const openTexts = (
  file: DocumentFile,
  model: string,
  isEnough: (open: OpenTexts) => boolean = () => false,
): OpenTexts => {
  const isSame = file.get("SELECT model FROM embedding")?.["model"] === model
  const seen = new Set<string>()
  let tokens = 0
  for (let last = isSame ? lastEmbedded(file) : 0; ;) {
    const page = passagesAfter(file, last, PAGE)
    // Vectors of another model are of no use.
    const texts = isSame
      ? unknownTexts(file, page)
      : new Map(page.map(({ key, text }) => [key, text]))
    for (const [key, text] of texts) {
      if (seen.has(key)) continue
      seen.add(key)
      tokens += estimateTokens(text)
    }
    const open = { texts: seen.size, tokens }
    if (page.length < PAGE || isEnough(open)) return open
    last = page.at(-1)!.chunk
  }
}

/** Records that so many tokens may be embedded by a model, at once. */
export const agree = (file: DocumentFile, model: string, tokens: number): void => {
  const value = JSON.stringify({ model, tokens })
  file.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", AGREED, value)
}

/** The tokens that a model may embed at once; undefined if nothing was agreed to. */
export const agreement = (file: DocumentFile, model: string): number | undefined => {
  const written = file.get("SELECT value FROM facts WHERE name = ?", AGREED)?.["value"]
  if (written === undefined) return undefined
  const agreed = JSON.parse(String(written)) as { readonly model: string; readonly tokens: number }
  return agreed.model === model ? agreed.tokens : undefined
}

/** Whether what is open may be embedded without a question: a few texts, or no more than was agreed to. */
export const isAgreed = (file: DocumentFile, model: string): boolean => {
  const most = agreement(file, model) ?? 0
  const isAllowed = ({ texts, tokens }: OpenTexts) => texts <= MAX_UNAGREED || tokens <= most
  return isAllowed(openTexts(file, model, (open) => !isAllowed(open)))
}
