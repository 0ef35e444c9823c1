/** Strategies of models that lead to many requests. */
import type { ModelRequest } from "@planloom/plugin/effect"
import { PAUSES, type Act, type Strategy } from "./askingModel.ts"

/** The same sequence for a seed. */
const seeded = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Choices of a workflow's models, from the texts of its aliases. */
interface Choices {
  /** Whether no other model is asked after this one. */
  readonly isLast: (request: ModelRequest, model: string) => boolean
  readonly repairs: (request: ModelRequest) => boolean
}

interface Alias {
  readonly try: ReadonlyArray<string>
  readonly max_tokens: number
  readonly repair?: boolean
}

/** The alias of the nested workflow. */
const small: Alias = { try: ["openai/gpt-5-mini", "anthropic/claude-haiku-4-5"], max_tokens: 50 }

const choicesIn = (body: string): Choices => {
  const { models } = JSON.parse(body) as {
    readonly models: Record<string, Alias>
  }
  const all = [...Object.values(models), small]
  return {
    isLast: ({ maxTokens }, model) =>
      all.some((one) => one.max_tokens === maxTokens && one.try.at(-1) === model),
    repairs: ({ maxTokens }) =>
      all.some((one) => one.max_tokens === maxTokens && one.repair !== false),
  }
}

/** Fails each request so many times in one way, and then asks for more where it can, to succeed in the end. */
const persistent = (
  { isLast, repairs: canRepair }: Choices,
  failures: number,
  fails: "lose" | "long",
  repairs: boolean,
): Strategy => {
  const seen = new Map<string, number>()
  return (request, _, model) => {
    if (!isLast(request, model)) return "lose"
    const key = JSON.stringify([model, request.messages])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    const last = JSON.stringify(request.messages.at(-1) ?? "")
    const isRepair = last.includes("Give the whole reply again")
    if (isRepair) return repairs && count > failures ? "good" : "long"
    if (count <= failures) return fails
    const offers = (name: string) => request.tools?.some((one) => one.name === name) === true
    if (request.output !== undefined) return repairs && !canRepair(request) ? "good" : "long"
    const isResult = request.messages.at(-1)?.role === "tool"
    if (offers("hand_over") && (isResult || !offers("ping"))) return "move"
    return offers("ping") || offers("search_documents")
      ? "call"
      : (request.tools ?? []).length > 0
        ? "long"
        : "cut"
  }
}

/** Strategies of models that lead to many requests, and some at random. */
export const acts = (seed: number, body: string): ReadonlyArray<Strategy> => {
  const random = seeded(seed)
  const any: ReadonlyArray<Act> = ["fail", "refuse", "lose", "cut", "long", "call", "move", "good"]
  const choices = choicesIn(body)
  const hungry = persistent(choices, 0, "lose", true)
  const pausing = (often: () => number, act: Strategy): Strategy =>
    Object.assign<Strategy, Pick<Strategy, "pauses">>((...given) => act(...given), {
      pauses: often,
    })
  const anyOften = () => Math.floor(random() * (PAUSES + 2))
  return [
    ...[0, 1, 2].flatMap((failures) =>
      (["lose", "long"] as const).flatMap((fails) =>
        [true, false].map((repairs) =>
          // More often than a service may.
          pausing(() => PAUSES + 1, persistent(choices, failures, fails, repairs)),
        ),
      ),
    ),
    (request, call, model) => (call % 3 === 0 ? "move" : hungry(request, call, model)),
    () => "lose",
    pausing(anyOften, hungry),
    pausing(anyOften, () => any[Math.floor(random() * any.length)]!),
    () => any[Math.floor(random() * any.length)]!,
  ]
}
