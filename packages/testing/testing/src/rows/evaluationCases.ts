/** An evaluation → its cases, one by one, each with its place; a row that is no case is a diagnostic. */
import { basename } from "node:path"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { compileValue, ExpressionFailed } from "@planloom/expression"
import type { CompiledValue } from "@planloom/expression"
import { hint } from "@planloom/expression/suggestion"
import { isObject } from "@planloom/schema"
import { InputsRejected, type Pipeline } from "@planloom/core"
import { past } from "@planloom/language/shape"
import { sessionProblems } from "../check/sessionProblems.ts"
import { userOf } from "@planloom/core/internal"
import type { Diagnostic, Document, Past } from "@planloom/language"
import { beside, decodeValue } from "@planloom/language"
import type { CaseGiven, Evaluation, EvaluationCase } from "../file/Evaluation.ts"
import { readRows } from "./readRows.ts"

/** Most wrong rows that are reported: the author fixes these and checks again. */
const MAX_WRONG_ROWS = 20

/**
 * Reads the rows anew each time, and only as they are asked for. Whether the inputs fit is held against
 * `pipeline`. Nothing that stands in a file of rows is evaluated. Ends early where too many rows are wrong.
 */
export async function* evaluationCases(
  document: Document,
  evaluation: Evaluation,
  pipeline: Pipeline,
): AsyncGenerator<EvaluationCase | Diagnostic> {
  let wrong = 0
  for await (const one of everyCase(document, evaluation, pipeline)) {
    yield one
    if ("severity" in one && ++wrong === MAX_WRONG_ROWS) return
  }
}

async function* everyCase(
  document: Document,
  evaluation: Evaluation,
  pipeline: Pipeline,
): AsyncGenerator<EvaluationCase | Diagnostic> {
  const make = caseMaker(evaluation, pipeline)
  if (evaluation.data === undefined) {
    for (const [index, written] of evaluation.cases!.entries()) {
      const { line } = document.spanOf(["cases", index]).start
      yield make({ file: document.file.path, line, index }, { ...written, columns: undefined })
    }
    return
  }
  const file = beside(document.file.path, evaluation.data)
  let index = 0
  for await (const read of readRows(file)) {
    const place = { file, line: read.line, index }
    if (read.problem !== undefined) {
      yield rowProblem(place, read.problem)
      if (read.last === true) return
    } else
      yield isObject(read.value)
        ? fromRow(read.value, place, make)
        : rowProblem(place, "a row is a mapping")
    index++
  }
  if (index === 0) yield rowProblem({ file, line: 1, index }, `${basename(file)} has no rows`)
}

interface Place {
  readonly file: string
  readonly line: number
  readonly index: number
}

/** What a case says of itself. */
type Said = Pick<EvaluationCase, "row"> & {
  readonly given?: CaseGiven
  readonly name: string | undefined
  readonly expect:
    | {
        readonly status?: EvaluationCase["status"] | undefined
        readonly assert: ReadonlyArray<string>
        readonly requirements: ReadonlyArray<string>
      }
    | undefined
  readonly inputs: JsonObject | undefined
  readonly session?: Past | undefined
  /** Of a row: those called like inputs are inputs, unless the evaluation says which are. */
  readonly columns: JsonObject | undefined
}

type Make = (place: Place, said: Said) => EvaluationCase | Diagnostic

const rowProblem = ({ file, line }: Place, message: string, help?: string): Diagnostic => ({
  code: "PL2013",
  severity: "error",
  message,
  file,
  start: { line, col: 1, offset: 0 },
  end: { line, col: 1, offset: 0 },
  ...(help === undefined ? {} : { help }),
})

const statuses = ["succeeded", "failed", "cancelled", "clarification"] as const

/** A row is data: of what it says only a name, inputs, how the run ends and requirements are understood. */
const fromRow = (row: JsonObject, place: Place, make: Make): EvaluationCase | Diagnostic => {
  const { expect, inputs, name } = row
  if (inputs !== undefined && !isObject(inputs)) {
    return rowProblem(place, "inputs of a row must be a mapping")
  }
  if (name !== undefined && typeof name !== "string" && typeof name !== "number") {
    return rowProblem(place, "the name of a row must be text")
  }
  const said = {
    row,
    name: name === undefined || name === "" ? undefined : String(name),
    inputs,
    columns: row,
  }
  if (expect === undefined || !isObject(expect)) return make(place, { ...said, expect: undefined })
  if (expect["assert"] !== undefined) {
    return rowProblem(
      place,
      "a row cannot hold assertions: it is data, and nothing in it is evaluated",
      "write them in the evaluation, where they can read row",
    )
  }
  const { requirements = [], status } = expect
  const known = statuses.find((one) => one === status)
  if (status !== undefined && known === undefined) {
    return rowProblem(
      place,
      `unknown status ${JSON.stringify(status)}`,
      hint(String(status), statuses, "it is one of"),
    )
  }
  if (!Array.isArray(requirements) || !requirements.every((one) => typeof one === "string"))
    return rowProblem(place, "the requirements of a row must be a list of texts")
  return make(place, { ...said, expect: { status: known, assert: [], requirements } })
}

const caseMaker = (evaluation: Evaluation, pipeline: Pipeline): Make => {
  const { validate, defaults } = pipeline.inputs
  const declared = pipeline.definition.inputs as { readonly [name: string]: JsonSchema }
  const mapping = evaluation.inputs === undefined ? undefined : compileValue(evaluation.inputs)
  const users = evaluation.given.user && compileValue(evaluation.given.user)
  const sessions = givenSession(evaluation, pipeline)
  return (
    place,
    { columns, expect, given: doubles, inputs: own, name, row, session: ownSession },
  ) => {
    const given =
      mapping === undefined
        ? (own ?? (columns === undefined ? {} : fromColumns(columns, declared)))
        : mapped(mapping, row, own)
    if (typeof given === "string") return rowProblem(place, given)
    const [issue] = validate({ ...defaults, ...given })
    if (issue !== undefined) {
      const at =
        issue.path === "" ? "the row" : `the input ${issue.path.slice(1).replaceAll("/", ".")}`
      const help =
        mapping === undefined && own === undefined && columns !== undefined
          ? `the row has ${Object.keys(columns).join(", ")}; inputs: in the evaluation says which is which`
          : undefined
      return rowProblem(place, `${at} ${issue.message}`, help)
    }
    const user = users === undefined ? undefined : mapped(users, row, undefined)
    if (typeof user === "string") return rowProblem(place, user)
    const session = ownSession ?? sessions(row)
    if (typeof session === "string") return rowProblem(place, session)
    const fitting = userOf(pipeline, user)
    if (fitting instanceof InputsRejected) return rowProblem(place, fitting.message)
    return {
      ...place,
      name: name ?? firstText(given, declared) ?? `case ${place.index + 1}`,
      inputs: given,
      user,
      session,
      row,
      given: doubles ?? noDoubles,
      status: expect?.status ?? evaluation.expect?.status ?? "succeeded",
      assert: expect?.assert ?? [],
      requirements: expect?.requirements ?? [],
    }
  }
}

const noDoubles: CaseGiven = { models: {}, tools: {} }

/** The conversation before a row; a text if the row gives something else. */
const givenSession = ({ given }: Evaluation, pipeline: Pipeline) => {
  if (given.session === undefined) return () => undefined
  const compiled = compileValue(given.session)
  return (row: JsonObject): Past | string => {
    const value = evaluated(compiled, row)
    if (typeof value === "string") return value
    const { decoded, problems: wrong } = decodeValue(past, value.value, ["session"])
    const [problem] =
      wrong.length > 0 ? wrong : sessionProblems(decoded, ["session"], pipeline, false)
    return problem === undefined ? decoded : `${problem.path.join(".")}: ${problem.message}`
  }
}

/** Characters of a name that is not written. */
const NAME = 60

/** What a case without a name is called: the first text it gives, unless that is personal. */
const firstText = (
  given: JsonObject,
  declared: { readonly [name: string]: JsonSchema },
): string | undefined => {
  for (const [name, schema] of Object.entries(declared)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (typeof value !== "string" || value.trim() === "") continue
    if (typeof schema === "object" && schema["personal"] === true) continue
    const line = value.trim().replace(/\s+/g, " ")
    return line.length > NAME ? `${line.slice(0, NAME - 1)}…` : line
  }
  return undefined
}

/** A row's own inputs go before those that are mapped. */
const mapped = (
  mapping: CompiledValue,
  row: JsonObject,
  own: JsonObject | undefined,
): JsonObject | string => {
  const value = evaluated(mapping, row)
  return typeof value === "string" ? value : { ...(value.value as JsonObject), ...own }
}

/** The value; a text if it has none. */
const evaluated = (mapping: CompiledValue, row: JsonObject): { readonly value: Json } | string => {
  try {
    return { value: mapping.evaluate({ row }) }
  } catch (error) {
    if (error instanceof ExpressionFailed) return error.message
    throw error
  }
}

/** Columns called like inputs; text is read by the input's type unless that is text. */
const fromColumns = (
  columns: JsonObject,
  declared: { readonly [name: string]: JsonSchema },
): JsonObject =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => {
      if (!Object.hasOwn(declared, name)) return []
      // Nothing written is nothing given.
      if (value === "" && typeOf(declared[name]!) !== "string") return []
      return [[name, typeof value === "string" ? readAs(declared[name]!, value) : value]]
    }),
  )

const typeOf = (schema: JsonSchema): unknown =>
  typeof schema === "object" ? schema["type"] : undefined

const readAs = (schema: JsonSchema, text: string): Json => {
  const type = typeOf(schema)
  if (type === undefined || type === "string") return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
