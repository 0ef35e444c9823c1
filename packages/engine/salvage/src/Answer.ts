/** A candidate fitted to the schema, with the repairs it needed. */
import { aroundOf, type Around } from "./aroundOf.ts"
import { findAmbiguity } from "./findAmbiguity.ts"
import { listOf } from "./find/rankCandidates.ts"
import type { Candidate, Scanner } from "./find/Scanner.ts"
import type { Whole } from "./find/readWhole.ts"
import { COST, type Fit, fits } from "./fit/Fit.ts"
import { Fitter } from "./fit/Fitter.ts"
import { hasFitterKeywords } from "./fit/hasFitterKeywords.ts"
import { SchemaDocument } from "./fit/Schema.ts"
import type { SchemaIssue } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { Task } from "./Task.ts"
import { isLoss, type Remark } from "./isLoss.ts"
import { LocationIndex } from "./LocationIndex.ts"
import { type Duplicate, duplicatesOf } from "./read/duplicates.ts"
import { escapeStep, type Node, pathOf, stepTo, toValue } from "./read/Node.ts"
import type { Reading } from "./read/ReaderState.ts"
import type { Reason, Repair, RepairKind, Result } from "./Salvage.ts"

export class Answer {
  private readonly task: Task
  private readonly node: Node
  private readonly fit: Fit
  private readonly issues: ReadonlyArray<SchemaIssue>
  private readonly readers: ReadonlyArray<Reading>
  private readonly around: () => Around
  readonly complete: boolean

  private constructor(
    task: Task,
    node: Node,
    readers: ReadonlyArray<Reading>,
    around: () => Around,
    complete: boolean,
  ) {
    this.task = task
    this.node = node
    this.readers = readers
    this.around = around
    this.complete = complete
    this.fit = fitOf(task, node, readers, complete)
    this.issues =
      this.fit.problems.length > 0 || task.schema === undefined
        ? []
        : validatorOf(task.schema)(this.fit.value!)
  }

  static ofCandidate(task: Task, candidate: Candidate, scanner: Scanner): Answer {
    const { reader } = candidate
    const around = () => {
      const others = scanner.candidates.filter((other) => other !== candidate)
      return aroundOf(task.text, scanner, [candidate], others)
    }
    return new Answer(task, reader.root, [reader], around, candidate.complete)
  }

  static ofList(task: Task, parts: ReadonlyArray<Candidate>, scanner: Scanner): Answer {
    const list = listOf(parts)
    const around = () => {
      const taken = new Set(parts)
      const others = scanner.candidates.filter((other) => !taken.has(other))
      return aroundOf(task.text, scanner, parts, others, list)
    }
    const complete = parts.every((part) => part.complete)
    const readers = parts.map(({ reader }) => reader)
    return new Answer(task, list, readers, around, complete)
  }

  static ofWhole(
    task: Task,
    { reader, node, literal, around: words = "" }: Whole,
    scanner: Scanner,
  ): Answer {
    const around = (): Around => {
      const { isTorn, remarks } = aroundOf(task.text, scanner, [], scanner.candidates)
      const at = words.search(/[\p{L}\p{N}]/u)
      if (at >= 0) {
        const detail = words.slice(at, at + 80)
        remarks.push({
          kind: "surrounding_text",
          at: Math.max(0, task.text.indexOf(detail)),
          detail,
        })
      }
      if (!literal) remarks.push({ kind: "bare_text", at: node.start, node })
      return { isTorn, remarks }
    }
    // A quoted text without its end.
    const isCut = node.quoted && reader.repairs.has("missing_quote")
    return new Answer(task, node, [reader], around, !isCut)
  }

  /** The text itself, for a schema of a string or a choice. */
  static ofText(task: Task, node: Node, scanner: Scanner): Answer {
    const around = (): Around => {
      const { isTorn, remarks } = aroundOf(task.text, scanner, [], scanner.candidates)
      remarks.push({ kind: "bare_text", at: node.start, node })
      return { isTorn, remarks }
    }
    return new Answer(task, node, [], around, true)
  }

  get cost(): number {
    return this.fit.cost + this.issues.length * COST.problem
  }

  /** Whether it is an object in place of a list of such objects. */
  get isItem(): boolean {
    const [change] = this.fit.notes
    return (
      this.node.kind === "object" &&
      change?.kind === "to_array" &&
      change.node === this.node &&
      this.fit.problems.length + this.issues.length === 0
    )
  }

  result(reasoning: string): Result {
    const places = new LocationIndex(this.task.text)
    const reasons = this.reasons(places)
    if (reasons.length > 0) return { ok: false, reasons, reasoning, best: toValue(this.node) }
    const value = this.fit.value!
    const remarks = this.remarks()
    const { text } = this.task
    let repairs: ReadonlyArray<Repair> | undefined
    return {
      ok: true,
      value,
      reasoning,
      // Computed on first access: most callers read the value only.
      get repairs() {
        return (repairs ??= remarks().map((remark) => toRepair(remark, places, text)))
      },
      complete: this.complete,
    }
  }

  private remarks(): () => ReadonlyArray<Remark> {
    const { around, readers, fit, node } = this
    const wrong = readers.map(({ closers }) => closers)
    const isShifted = wrong.some(({ extra, swapped }) => extra + swapped > 0)
    const isBroken = isShifted || wrong.some(({ missing }) => missing > 0)
    return () => {
      const { isTorn, remarks } = around()
      const inBroken = (remark: Remark): Remark =>
        (isShifted && remark.kind === "extra_comma") ||
        (isBroken && IN_BROKEN.has(remark.kind)) ||
        // The member may belong to an object that was closed too early.
        (isTorn && remark.kind === "dropped_member")
          ? { ...remark, hasData: true }
          : remark
      return [
        ...remarks,
        ...readers.flatMap(({ repairs }) => repairs.all).map(inBroken),
        ...duplicatesOf(node).map(duplicateRemark),
        ...fit.notes.map((note) => inBroken({ ...note, at: note.node.start })),
      ].toSorted((one, other) => one.at - other.at)
    }
  }

  private reasons(places: LocationIndex): ReadonlyArray<Reason> {
    const problems = this.fit.problems.map(({ message, node }) =>
      reason(message, pathOf(node), node, places),
    )
    const issues = this.issues.map(({ path, message }) =>
      reason(message, path, nodeAt(this.node, path), places),
    )
    if (problems.length + issues.length > 0) return [...problems, ...issues]
    const doubt = findAmbiguity(
      this.node,
      this.readers,
      this.fit.notes,
      this.task.schema !== undefined,
    )
    return doubt === undefined
      ? []
      : [reason(doubt.message, pathOf(doubt.node), doubt.node, places)]
  }
}

/** Changes that hide data if brackets are wrong, too. */
const IN_BROKEN: ReadonlySet<RepairKind> = new Set(["missing_comma", "dropped_member"])

const reason = (message: string, path: string, node: Node, places: LocationIndex): Reason => ({
  message: `${path === "" ? "the value" : path} ${message}`,
  path,
  at: places.at(node.start),
})

/** Reports a member that a later one of the same name replaces. */
export const duplicateRemark = ({ by, replaced }: Duplicate): Remark => ({
  kind: "duplicate_key",
  at: replaced.start,
  node: replaced,
  detail: JSON.stringify(toValue(replaced)).slice(0, 80),
  by,
})

export const toRepair = (remark: Remark, places: LocationIndex, text: string): Repair => {
  const { at, detail, kind, node, slot } = remark
  return {
    kind,
    path: node === undefined ? "" : pathOf(node) + (slot === undefined ? "" : stepTo(node, slot)),
    at: places.at(at),
    ...(detail === undefined ? {} : { detail }),
    ...(isLoss(remark, text) ? { loss: true } : {}),
  }
}

const fitOf = (
  { schema, text, limits, recovery }: Task,
  node: Node,
  readers: ReadonlyArray<Reading>,
  complete: boolean,
): Fit => {
  if (schema === undefined) return fits(toValue(node))
  const document = new SchemaDocument(schema)
  if (
    complete &&
    recovery.fill === "none" &&
    !readers.some(({ repairs }) => repairs.has("missing_value"))
  ) {
    const value = toValue(node)
    // Valid as read, whatever its syntax needed. A plain string may be words around an answer, so it goes to the fitter.
    const isJson = node.kind === "object" || node.kind === "array"
    if (isJson && !hasFitterKeywords(schema, false) && validatorOf(schema)(value).length === 0)
      return fits(value)
  }
  const fitter = new Fitter(document, false, limits, recovery)
  fitter.text = text
  return fitter.fit(node, schema)
}

/** Resolves a JSON Pointer into the fitted value to a node, as far as it can be followed. */
const nodeAt = (root: Node, path: string): Node => {
  let node = root
  for (const step of path.split("/").slice(1)) {
    const slot =
      node.kind === "object"
        ? node.keys.findLastIndex((key) => escapeStep(key) === step)
        : Number(step)
    const next = node.items[slot]
    if (next === undefined) return node
    node = next
  }
  return node
}
