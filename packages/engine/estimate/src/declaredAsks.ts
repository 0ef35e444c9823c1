/** The asks that a stage kind declares, as far as they can be used. */
import type { Asks, Json } from "@planloom/plugin/effect"
import { allCan, type KindWork, type Node } from "@planloom/core/internal"
import type { EstimateContext } from "./EstimateContext.ts"
import { isKnown } from "./isKnown.ts"

/** Undefined for a kind that declares nothing, fails to, or declares what is no number. */
export const declaredAsks = (
  { hooks }: Node,
  { kind, model, with: given }: KindWork,
  { pipeline, scope }: EstimateContext,
): Asks | undefined => {
  if (kind.asks === undefined) return kind.relays === true ? { workflows: Infinity } : undefined
  const known: { [key: string]: Json } = {}
  const open: Array<string> = []
  // A hook may change any value.
  const isHooked = (hooks?.before_stage?.transforms.length ?? 0) > 0
  for (const [key, entry] of given.entries ?? []) {
    try {
      if (isHooked || !isKnown(entry, scope)) open.push(key)
      else known[key] = entry.evaluate(scope)
    } catch {
      open.push(key)
    }
  }
  try {
    const tools = [...pipeline.tools.values()].map(({ tool }) => tool)
    const asks = kind.asks({
      with: known,
      open,
      can: (capability) => allCan(model, capability),
      tools,
    })
    return numbersOf(asks).every(isCount) ? asks : undefined
  } catch {
    return undefined
  }
}

const numbersOf = ({
  calls,
  questions = [],
  searches,
  workflows,
}: Asks): ReadonlyArray<number | undefined> => [
  calls,
  searches,
  workflows,
  ...questions.flatMap(({ maxTokens, times, turns }) => [maxTokens, times, turns]),
]

const isCount = (value: number | undefined): boolean =>
  value === undefined || (typeof value === "number" && value >= 0)
