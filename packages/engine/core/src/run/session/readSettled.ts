/** Evaluates what a session records, with every text as it left the run. */
import type { StageFailed, Json } from "@planloom/plugin/effect"
import type { CompiledValue } from "@planloom/expression"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"
import type { RunScope } from "../RunScope.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

/**
 * Hooks at `before_response` and later reviews change outputs, not the stages that wrote them. A later turn must not
 * read what they took out, so a text of a stage that is exactly that of an output is read as the output: as the one that
 * reads that stage, or else as any with this text.
 */
export const readSettled = (frame: Frame): ((value: CompiledValue) => Json | StageFailed) => {
  const { scope } = frame
  const texts = settledTexts(frame)
  if (!texts.some(isChanged)) return ({ evaluate }) => tryEvaluate(evaluate, scope)
  const byText = new Map(texts.filter(isChanged).map(({ left, written }) => [written, left]))
  const byPath = textsByPath(texts)
  const stages = replaceTexts(scope.stages as Json, "stages", byPath, byText)
  const seen = { ...scope, stages } as RunScope
  return ({ evaluate, references }) => {
    const written = tryEvaluate(evaluate, scope)
    const same = texts.filter((text) => text.written === written)
    const own = same.find((text) => keyOf(text.references) === keyOf(references))
    if (own !== undefined) return own.left
    const read = tryEvaluate(evaluate, seen)
    // A text that was composed as that of an output: no stage wrote it.
    if (read !== written || typeof written !== "string") return read
    const isOutput = references.some(
      (path) => byPath.has(pathKey(path)) && textAt(scope as Json, path) === written,
    )
    return isOutput ? read : (byText.get(written) ?? read)
  }
}

/** The text of an output: as its stages wrote it, and as it left the run. */
interface SettledText {
  readonly written: string
  readonly left: string
  readonly references: CompiledValue["references"]
  /** Where its stages wrote it. */
  readonly paths: ReadonlyArray<string>
}

const isChanged = ({ left, written }: SettledText): boolean => left !== written

/** Changed texts first: one of two outputs of the same text counts. */
const settledTexts = (frame: Frame): ReadonlyArray<SettledText> => {
  const { pipeline, scope, state } = frame
  const { responses, withdrawn } = state
  if (responses === undefined) return []
  const texts = pipeline.outputs.flatMap(({ name, value: { evaluate, references } }) => {
    const written = tryEvaluate(evaluate, scope)
    if (typeof written !== "string") return []
    const reviewed = withdrawn?.has(name) === true ? reviewedFields(name, pipeline) : undefined
    const paths = references.filter((path) => {
      const text = textAt(scope as Json, path)
      return (
        text === written ||
        (typeof text === "string" &&
          text !== "" &&
          reviewed?.(path) === true &&
          written.includes(text))
      )
    })
    const response = responses.get(name)
    const left = typeof response === "string" ? response : written
    return [{ written, left, references, paths: paths.map(pathKey) }]
  })
  return texts.toSorted((a, b) => Number(isChanged(b)) - Number(isChanged(a)))
}

/** Whether a path is that of a text which the reviews of the output were about: a composed output has a part of it. */
const reviewedFields = (name: string, { reviewed }: Pipeline) => {
  const stages = reviewed.find(({ output }) => output.name === name)?.stages ?? []
  return ([root, id, ...rest]: ReadonlyArray<string>): boolean =>
    root === "stages" &&
    stages.some(({ ids, node: { work } }) => {
      const { streams } = work.kind
      return ids.includes(id ?? "") && (typeof streams !== "string" || rest.at(-1) === streams)
    })
}

const textsByPath = (texts: ReadonlyArray<SettledText>): ReadonlyMap<string, string> =>
  new Map(texts.toReversed().flatMap(({ left, paths }) => paths.map((path) => [path, left])))

const pathKey = (path: ReadonlyArray<string>): string => path.join("\0")

const keyOf = (references: CompiledValue["references"]): string =>
  references.map(pathKey).toSorted().join("\n")

const textAt = (
  value: Json | undefined,
  [step, ...rest]: ReadonlyArray<string>,
): Json | undefined =>
  step === undefined
    ? value
    : typeof value === "object" && value !== null && Object.hasOwn(value, step)
      ? textAt((value as { readonly [key: string]: Json })[step], rest)
      : undefined

const replaceTexts = (
  value: Json,
  path: string,
  byPath: ReadonlyMap<string, string>,
  byText: ReadonlyMap<string, string>,
): Json => {
  if (typeof value === "string") return byPath.get(path) ?? byText.get(value) ?? value
  if (typeof value !== "object" || value === null) return value
  const replaced = (one: Json, key: string | number) =>
    replaceTexts(one, `${path}\0${key}`, byPath, byText)
  if (Array.isArray(value)) return value.map(replaced)
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replaced(one as Json, key)]),
  )
}
