/** Parses a document again with the bracket that it lacks, in the place that makes it most regular, or rejects it. */
import type { Scanner } from "../find/Scanner.ts"
import { LocationIndex } from "../LocationIndex.ts"
import type { Repair, RepairKind, Result, Success, SyntaxRepair } from "../Salvage.ts"
import type { Task } from "../Task.ts"
import { balance, type Edit, type Ranked } from "./balance.ts"

/** What a lost or superfluous bracket leads the reader to. */
const SIGNS: ReadonlyArray<SyntaxRepair> = ["extra_opener", "inner_quote", "missing_value", "tuple"]

/** A line with a name before the first bracket: the bracket that opens the document is lost. */
const LEAD = /(?:^|\n)[ \t]*("[^"\n]*"\s*:[^]*)$/
const MAX_LEAD_UNITS = 1000
/** A name directly before the first bracket: a label, or a member of an object whose opening bracket is lost. */
const LABEL = /["']\s*:\s*$/

/** Places to try in full. */
const MAX_TRIED = 16

/** `read`: the result without a change. Returns `undefined` to keep it, because one bracket is not the only fault. */
export const rebalance = (
  task: Task,
  { answerStart, candidates }: Scanner,
  read: Result,
  parse: (task: Task) => Result,
): Result | undefined => {
  const { text } = task
  const [first] = candidates
  if (task.isBalanced === true || first === undefined) return undefined
  const from = Math.max(answerStart, first.start - MAX_LEAD_UNITS)
  const lead = LEAD.exec(text.slice(from, first.start))
  if (lead === null && !isDamaged(candidates)) return undefined
  const ranked = balance(text, first.start - (lead?.[1]!.length ?? 0)) ?? []
  const tried = ranked.slice(0, MAX_TRIED).flatMap((place) => {
    const result = parse({ ...task, text: edited(text, place.edit), isBalanced: true })
    return result.ok && !isForced(result, task.schema !== undefined) ? [{ place, result }] : []
  })
  const [best] = tried
  if (best === undefined) return undefined
  const equal = tried.filter(({ place }) => place.cost === best.place.cost)
  const values = new Set(equal.map(({ result }) => JSON.stringify(result.value)))
  const isWhole = !read.ok || read.complete
  if (values.size > 1) {
    const last = equal.at(-1)!
    return endsLast(equal.map(({ place }) => place))
      ? withEdit(text, last.place.edit, last.result, { isWhole, isDoubtful: true })
      : doubt(text, best.place, best.result)
  }
  const { edit } = best.place
  const drops = edit.by === ""
  return withEdit(text, edit, best.result, {
    isWhole,
    isDoubtful:
      (drops && LABEL.test(text.slice(from, first.start))) ||
      tried.some(
        ({ place, result }) =>
          // Before the dropped bracket two items may end in one, because the second one lacks its opener.
          (drops && isOpener(place.edit.by)) ||
          (isAsLikely(text, best.place, place) && !values.has(JSON.stringify(result.value))),
      ),
  })
}

/** A reading that is irregular in so many things more is nearly as likely: items of a list have no names to go by. */
const MARGINS = { "}": 1, "]": 4 }

/** Whether a closer may be lost at the other place instead: of a list that seems to have one opener too many, or of another container. */
const isAsLikely = (text: string, { cost, edit }: Ranked, other: Ranked): boolean =>
  isCloser(other.edit.by) &&
  (edit.by === ""
    ? isOpener(text[edit.start] ?? "")
    : isCloser(edit.by) && other.cost - cost <= MARGINS[edit.by])

/**
 * Whether the closer of a container or the one of its parent is lost behind its members, or else only the first of them
 * are its own: the last closers of an item are lost more often than one between its members.
 */
const endsLast = (places: ReadonlyArray<Ranked>): boolean => {
  const end = places.at(-1)?.place
  return (
    end?.ended !== undefined &&
    places.every(
      ({ place }) => place === end || (place !== undefined && place.container === end.ended),
    )
  )
}

const isDamaged = (candidates: Scanner["candidates"]): boolean =>
  candidates.some(
    ({ reader: { closers, repairs } }) =>
      closers.extra + closers.swapped + closers.missing > 0 ||
      SIGNS.some((kind) => repairs.has(kind)),
  )

const edited = (text: string, { by, end, start }: Edit): string =>
  text.slice(0, start) + by + text.slice(end)

/** Changes to fit a schema that speak against the place, as every loss does. */
const FORCED: ReadonlySet<RepairKind> = new Set([
  "dropped_member",
  "dropped_item",
  "to_string",
  "unwrapped",
])

const isForced = ({ repairs }: Success, isTyped: boolean): boolean =>
  repairs.some(({ kind, loss }) => loss === true || (isTyped && FORCED.has(kind)))

const doubt = (text: string, { edit }: Ranked, { reasoning, value }: Success): Result => ({
  ok: false,
  reasons: [
    {
      message: "the value may lack a bracket in several places: brackets are missing",
      at: new LocationIndex(text).at(edit.start),
    },
  ],
  reasoning,
  best: value,
})

/** Reports the edit, and the other repairs where they are in the text itself. */
const withEdit = (
  text: string,
  edit: Edit,
  result: Success,
  { isDoubtful, isWhole }: { readonly isDoubtful: boolean; readonly isWhole: boolean },
): Result => {
  const { by, end, start } = edit
  const shift = by.length - (end - start)
  let repairs: ReadonlyArray<Repair> | undefined
  const located = (): ReadonlyArray<Repair> => {
    const places = new LocationIndex(text)
    const rest = result.repairs.map((repair) => {
      const { offset } = repair.at
      return offset > start ? { ...repair, at: places.at(offset - shift) } : repair
    })
    const change = { kind: kindOf(text, edit), path: "", at: places.at(start) }
    return [isDoubtful ? { ...change, loss: true } : change, ...rest]
  }
  return {
    ok: true,
    value: result.value,
    reasoning: result.reasoning,
    complete: result.complete && isWhole,
    get repairs() {
      return (repairs ??= located())
    },
  }
}

const isOpener = (by: string): boolean => by === "{" || by === "["

const isCloser = (by: string): by is keyof typeof MARGINS => by === "}" || by === "]"

const kindOf = (text: string, { by, end, start }: Edit): SyntaxRepair => {
  if (by === "") return text[start] === "}" || text[start] === "]" ? "extra_closer" : "extra_opener"
  if (end > start) return "swapped_closer"
  return by === "}" || by === "]" ? "missing_closer" : "missing_opener"
}
