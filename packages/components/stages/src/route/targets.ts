/** Targets of a request without a model: the agents and flows that the workflow's index finds by description and examples. */
import * as Effect from "effect/Effect"
import type { IndexDocument, IndexHit, StageContext } from "@planloom/plugin/effect"
import { grammarOf, readWords } from "@planloom/planning/reading"
import { flowStart, titleOf, type Asked, type Place, type RouteInput } from "./Agents.ts"

/** `agent`, or `agent/flow`. */
export type Target = string

const agentOf = (target: Target): string => target.split("/")[0]!

export const placeOfTarget = (input: RouteInput, target: Target): Place => {
  const [agent, flow] = target.split("/") as [string, string | undefined]
  return flow === undefined ? { agent } : flowStart(input, agent, flow)
}

/** As a person reads it. */
export const labelOf = (input: RouteInput, target: Target): string => {
  const [agent, flow] = target.split("/") as [string, string | undefined]
  const title = titleOf(agent, input.agents[agent]!)
  if (flow === undefined) return title
  return input.agents[agent]!.flows[flow]?.title ?? `${title}: ${flow.replaceAll("_", " ")}`
}

/** The words with content: in a small index, articles would find agents. */
const contentOf = (text: string, { language }: RouteInput): string => {
  const words = readWords(text, grammarOf(language)).filter((word) => word.class !== "function")
  return words.length === 0 ? text : words.map(({ text: word }) => word).join(" ")
}

const documentsOf = (input: RouteInput): ReadonlyArray<IndexDocument> =>
  Object.entries(input.agents).flatMap(([name, agent]) => [
    {
      id: name,
      fields: { name: titleOf(name, agent), summary: agent.description },
      examples: agent.examples.map((example) => contentOf(example, input)),
    },
    ...Object.entries(agent.flows).map(([flow, { description, examples, title }]) => ({
      id: `${name}/${flow}`,
      fields: { name: title ?? flow.replaceAll("_", " "), summary: description },
      examples: examples.map((example) => contentOf(example, input)),
    })),
  ])

export type Found =
  | { readonly type: "one"; readonly target: Target }
  /** Best first; empty if nothing is near enough. */
  | { readonly type: "several"; readonly targets: ReadonlyArray<Target> }

/** The target of a request; the agent in charge keeps one that is as near to it as to another. */
export const findTarget = (
  request: string,
  input: RouteInput,
  place: Place,
  context: StageContext,
) =>
  Effect.gen(function* () {
    const { least, margin } = input
    const documents = documentsOf(input)
    const asked = contentOf(request, input).toLowerCase()
    const given = documents.filter(({ examples = [] }) =>
      examples.some((example) => example.toLowerCase() === asked),
    )
    if (new Set(given.map(({ id }) => agentOf(id))).size === 1)
      return { type: "one", target: given.at(-1)!.id } satisfies Found
    const built = yield* context.index(documents)
    const near = yield* built.search(contentOf(request, input), { limit: documents.length, least })
    const hits = sharing(request, input, near, documents)
    const asks = readWords(request, grammarOf(input.language)).some(
      ({ operator }) => operator === "question",
    )
    const best = hits
      .filter(({ id }, at) => hits.findIndex((one) => agentOf(one.id) === agentOf(id)) === at)
      .map((hit) => ({ ...hit, id: asks ? agentOf(hit.id) : flowAmong(hits, hit, margin) }))
    const [first] = best
    if (first === undefined) return { type: "several", targets: [] } satisfies Found
    const nearest = best.filter(({ score }) => first.score - score <= margin).map(({ id }) => id)
    const kept = nearest.find((target) => agentOf(target) === place.agent)
    const target = kept ?? (nearest.length === 1 ? nearest[0] : undefined)
    return target === undefined
      ? ({ type: "several", targets: nearest } satisfies Found)
      : ({ type: "one", target } satisfies Found)
  })

/** Letters alone find the like of any word: one word of the request has to begin as one of the target does. */
const sharing = (
  request: string,
  { language }: RouteInput,
  hits: ReadonlyArray<IndexHit>,
  documents: ReadonlyArray<IndexDocument>,
): ReadonlyArray<IndexHit> => {
  const asked = readWords(request, grammarOf(language)).filter(
    ({ class: kind, operator }) =>
      kind === "content" || operator === "change" || operator === "look",
  )
  if (asked.length === 0) return hits
  const starts = asked.flatMap(({ word }) => startsOf(word))
  return hits.filter(({ id }) => {
    const { examples = [], fields } = documents.find((one) => one.id === id)!
    const own = [...Object.values(fields), ...examples].flatMap(startsOf)
    return starts.some((start) => own.includes(start))
  })
}

/** Letters by which a word is recognized in another form. */
const START_LENGTH = 5

const startsOf = (text: string): ReadonlyArray<string> =>
  plain(text)
    .split(" ")
    .map((word) => word.slice(0, START_LENGTH))

/** A flow of the agent that is as near as the agent itself. A question starts none. */
const flowAmong = (
  hits: ReadonlyArray<IndexHit>,
  { id, score }: IndexHit,
  margin: number,
): Target =>
  hits.find(
    (one) =>
      one.id !== agentOf(id) && agentOf(one.id) === agentOf(id) && score - one.score <= margin,
  )?.id ?? id

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** The choice that an answer names: by its label, by its number from 1, or as the only one whose label has its words. */
export const chosenTarget = (
  { choices }: Asked,
  answer: string,
  input: RouteInput,
): Target | undefined => {
  const said = plain(answer)
  if (said === "") return undefined
  const known = choices.filter((target) => Object.hasOwn(input.agents, agentOf(target)))
  if (/^\d+$/.test(said)) return known[Number(said) - 1]
  const labels = known.map((target) => plain(labelOf(input, target)))
  const exact = labels.indexOf(said)
  if (exact >= 0) return known[exact]
  const near = known.filter((_, at) => ` ${labels[at]!} `.includes(` ${said} `))
  return near.length === 1 ? near[0] : undefined
}
