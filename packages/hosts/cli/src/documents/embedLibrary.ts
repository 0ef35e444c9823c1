/** Embeds what is new in a library, once a person has seen what it costs and agrees. */
import type { DocumentIndex, OpenTexts } from "@planloom/documents/manage"
import { costOf } from "@planloom/plugin/facts"
import { doing } from "../terminal/activity.ts"
import { count, money, plural } from "../terminal/quantity.ts"
import { confirm } from "../terminal/confirm.ts"
import { say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { canAsk } from "../trust/askTrust.ts"
import type { OpenEmbedder } from "./openEmbedder.ts"

export interface EmbeddedLibrary {
  readonly model: string
  /** Passages that had no vector, and their tokens, as estimated. */
  readonly open: OpenTexts
  /** US dollars for them; undefined if the price is unknown. */
  readonly estimate: number | undefined
  /** Texts that were sent. */
  readonly sent: number
  /** US dollars of the calls, of the tokens that the service counted; undefined if one of them is unknown. */
  readonly cost: number | undefined
  /** Passages with a vector, and all. */
  readonly embedded: number
  readonly passages: number
  /** The reason for which not all have one. */
  readonly problem?: string
}

export interface EmbedOptions {
  /** A person agrees to any cost. */
  readonly yes: boolean
  /** The result is for a program. */
  readonly json: boolean
  readonly signal: AbortSignal
}

export const embedLibrary = async (
  name: string,
  index: DocumentIndex,
  embedder: OpenEmbedder,
  { json, signal, yes }: EmbedOptions,
): Promise<EmbeddedLibrary> => {
  const { model, price } = embedder
  const open = index.openTexts(model)
  const estimate = costOf({ input: open.tokens, output: 0 }, price)
  const about = { model, open, estimate }
  const agreed = index.agreement(model)
  const isFree = open.texts === 0 || estimate === 0
  if (open.texts > 0) say(statement(name, about, agreed === undefined))
  const isAllowed =
    isFree ||
    (agreed !== undefined && index.isAgreed(model)) ||
    yes ||
    (!json && canAsk() && (await confirm("Embed them?", signal)))
  if (!isAllowed)
    return {
      ...about,
      ...index.embedded(model),
      sent: 0,
      cost: 0,
      problem: "not agreed to: --yes agrees without a question",
    }
  // A larger agreement stays, and nothing is no agreement.
  if (open.tokens > (agreed ?? 0)) index.agree(model, open.tokens)
  const before = embedder.tokens()
  const { problem, ...report } = await index.embed(embedder, signal, undefined, (sent) =>
    doing(`${name}: ${sent}/${open.texts}  embedded by ${model}`),
  )
  const after = embedder.tokens()
  return {
    ...about,
    ...report,
    // Libraries share an embedder.
    cost:
      before === undefined || after === undefined
        ? undefined
        : costOf({ input: after - before, output: 0 }, price),
    ...(problem !== undefined && { problem: embedder.problem() ?? problem }),
  }
}

const statement = (
  name: string,
  { estimate, model, open }: Pick<EmbeddedLibrary, "estimate" | "model" | "open">,
  isFirst: boolean,
): string => {
  const cost = estimate === undefined ? "at an unknown price" : `for about ${money(estimate)}`
  const first = isFirst ? ", for the first time" : ""
  return oneLine(
    `${name}: ${plural(open.texts, "passage")} of about ${count(open.tokens)} tokens are to be embedded by ${model}${first}, ${cost}`,
  )
}

/** The vectors of a library in a few words. */
export const embeddedText = ({
  cost,
  embedded,
  passages,
  problem,
  sent,
}: EmbeddedLibrary): string => {
  const price = cost === undefined ? "" : `, ${money(cost)}`
  const made = sent === 0 ? "" : `; ${plural(sent, "text")} embedded now${price}`
  const why = problem === undefined ? "" : `: ${problem}`
  return oneLine(`${embedded} of ${plural(passages, "passage")} have a vector${made}${why}`)
}

export const embeddedJson = ({ cost, estimate, open, ...rest }: EmbeddedLibrary) => ({
  ...rest,
  open_texts: open.texts,
  open_tokens: open.tokens,
  estimated_cost: estimate ?? null,
  cost: cost ?? null,
})
