/** What is personal: inputs declared `personal: true` and the user reach the stages, but nothing that is recorded. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  failureClasses,
  recordedStep,
  replayed,
  type Failure,
  type Journal,
  type Json,
  type JsonObject,
  type JsonSchema,
  type RecordedStep,
} from "@planloom/plugin/effect"
import type { Cassette, CassetteCall } from "../../model/Cassette.ts"

/** Shorter texts would match by chance and make records unreadable. */
const MIN_LENGTH_CHARS = 3

type Inputs = { readonly [name: string]: JsonSchema }

export const personalNames = (inputs: Inputs): ReadonlyArray<string> =>
  Object.keys(inputs).filter((name) => isPersonal(inputs[name]!))

const isPersonal = (schema: JsonSchema): boolean =>
  typeof schema === "object" && schema["personal"] === true

/** The placeholder that the record holds instead of the input. */
const markOf = (name: string): string => `[personal:${name}]`

/** Names of personal inputs of a recorded run that must be given again before it can resume. */
export const missingPersonal = (inputs: Inputs, recorded: JsonObject): ReadonlyArray<string> =>
  personalNames(inputs).filter((name) => recorded[name] === markOf(name))

/** The same without the workflow: names of inputs that are recorded as their placeholder. */
export const markedPersonal = (recorded: Json): ReadonlyArray<string> =>
  typeof recorded !== "object" || recorded === null || Array.isArray(recorded)
    ? []
    : Object.entries(recorded).flatMap(([name, value]) => (value === markOf(name) ? [name] : []))

/** Whether a recorded value holds a placeholder of a personal input or of the user. */
export const holdsPersonal = (recorded: Json): boolean =>
  /\[(personal|user):[^\]]+\]/.test(JSON.stringify(recorded))

/** The placeholder of a text in the user. */
const userMark = (path: string): string => `[user:${path}]`

/** Replaces personal inputs and the user's texts by placeholders in what is recorded, and back in what is read. */
export class Personal {
  /** Of the personal inputs that are given. */
  readonly names: ReadonlyArray<string>
  /** The longest text first: one may be a part of another. */
  private readonly texts: ReadonlyArray<readonly [text: string, mark: string]> = []

  constructor(declared: Inputs, given: JsonObject, user: JsonObject) {
    this.names = personalNames(declared).filter((name) => name in given)
    const entries = Object.entries(user)
    if (this.names.length === 0 && entries.length === 0) return
    this.texts = [
      ...this.names.flatMap((name) => textsIn(given[name]!, name, markOf)),
      ...entries.flatMap(([key, value]) => textsIn(value, key, userMark)),
    ]
      .filter(([text, mark]) => text.length >= MIN_LENGTH_CHARS && text !== mark)
      .toSorted(([a], [b]) => b.length - a.length)
  }

  /** Whether the run has no personal inputs and no texts of a user. */
  get none(): boolean {
    return this.names.length === 0 && this.texts.length === 0
  }

  /** The inputs as they are recorded. Their names are the workflow's own text, and stay. */
  inputs(given: JsonObject): JsonObject {
    if (this.none) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        this.names.includes(name) ? markOf(name) : this.replaced(value, 0, 1),
      ]),
    )
  }

  /** Puts personal texts in place of the placeholders of recorded inputs. */
  reveal(recorded: JsonObject): JsonObject {
    return this.none ? recorded : (this.replaced(recorded, 1, 0) as JsonObject)
  }

  /** A value, an event, or a list of events. */
  hide(value: Json): Json {
    if (Array.isArray(value)) return (value as ReadonlyArray<Json>).map((one) => this.hide(one))
    if (!isEvent(value)) return this.replaced(value, 0, 1)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (structural.has(key)) return [key, inner]
        if (key === "inputs" && value["type"] === "RunStarted") {
          return [key, this.inputs(inner as JsonObject)]
        }
        return [key, this.replaced(inner, 0, 1)]
      }),
    )
  }

  /** A journal whose answers have the personal texts in place of the placeholders. */
  journal(inner: Journal): Journal {
    return {
      ...inner,
      step: <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) =>
        this.turned(inner.step(name, effect), 1, 0),
      lookup: (name) =>
        Effect.map(inner.lookup(name), (known) => known && this.turnedStep(known, 1, 0)),
      wait: (asked) =>
        Effect.map(
          inner.wait(asked),
          (put) => this.replaced(put as unknown as Json, 1, 0) as unknown as typeof put,
        ),
    }
  }

  /** Removes personal texts from other values. Undefined when there are none. */
  get scrub(): (<A extends Json>(value: A) => A) | undefined {
    return this.none ? undefined : (value) => this.replaced(value, 0, 1) as typeof value
  }

  /** Removes personal texts from what the cassette receives, and restores them in its answers: a replay may use other texts. */
  cassette(inner: Cassette | undefined): Cassette | undefined {
    if (inner === undefined || this.none) return inner
    return {
      ...inner,
      call: <A extends Json, E extends Failure, R>(
        call: CassetteCall,
        live: Effect.Effect<A, E, R>,
      ) =>
        this.turned(
          inner.call(
            { ...call, about: this.replaced(call.about, 0, 1) as JsonObject },
            this.turned(live, 0, 1),
          ),
          1,
          0,
        ),
    }
  }

  private turned<A extends Json, E extends Failure, R>(
    work: Effect.Effect<A, E, R>,
    from: 0 | 1,
    to: 0 | 1,
  ): Effect.Effect<A, E, R> {
    return Effect.matchEffect(work, {
      onSuccess: (value) => Effect.succeed(this.replaced(value, from, to) as A),
      onFailure: (error) => {
        const step = recordedStep(Exit.fail(error))
        return step === undefined
          ? Effect.fail(error)
          : (replayed(this.turnedStep(step, from, to)) as Effect.Effect<never, E>)
      },
    })
  }

  private turnedStep(step: RecordedStep, from: 0 | 1, to: 0 | 1): RecordedStep {
    if (step.ok) return { ok: true, value: this.replaced(step.value, from, to) }
    const { detail, message } = step.failure
    const failure = {
      ...step.failure,
      message: this.replaced(message, from, to) as string,
      ...(detail === undefined ? {} : { detail: this.replaced(detail, from, to) }),
    }
    return { ...step, failure }
  }

  private replaced(value: Json, from: 0 | 1, to: 0 | 1): Json {
    if (typeof value === "string") {
      const put = (text: string, pair: readonly [string, string]) =>
        text.replaceAll(pair[from], () => pair[to])
      // Backwards: a placeholder may hold one that was put in after it.
      return from === 0 ? this.texts.reduce(put, value) : this.texts.reduceRight(put, value)
    }
    if (Array.isArray(value)) {
      return (value as ReadonlyArray<Json>).map((inner) => this.replaced(inner, from, to))
    }
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => [
        this.replaced(key, from, to) as string,
        isContract(key, inner) ? inner : this.replaced(inner, from, to),
      ]),
    )
  }
}

/** What an event is about, which is the workflow's own text. */
const structural: ReadonlySet<string> = new Set([
  "type",
  "run",
  "workflow",
  "path",
  "stage",
  "uses",
  "strategy",
  "onError",
  "model",
  "tool",
  "key",
  "identity",
  "call",
  "name",
  "again",
  "from",
])

const failures: ReadonlySet<Json> = new Set(["ToolFailed", "ModelFailed", "StageFailed"])

/** What kind of failure it is: a name that happens to stand in the word must not make it another. */
const isContract = (key: string, value: Json): boolean =>
  key === "class"
    ? typeof value === "string" && Object.hasOwn(failureClasses, value)
    : key === "tag" && failures.has(value)

const isEvent = (value: Json): value is JsonObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  typeof (value as JsonObject)["type"] === "string" &&
  typeof (value as JsonObject)["seq"] === "number"

/** Every text of a value with its placeholder, which names the text's path: two texts never share one. */
const textsIn = (
  value: Json,
  path: string,
  mark: (path: string) => string,
): ReadonlyArray<readonly [text: string, mark: string]> => {
  if (typeof value === "string") return [[value, mark(path)]]
  if (typeof value === "number") return [[String(value), mark(path)]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value as JsonObject).flatMap(([key, inner]) =>
    textsIn(inner as Json, `${path}.${key}`, mark),
  )
}

const nothingPersonal = new Personal({}, {}, {})

/** The same one for all runs that have neither personal inputs nor a user. */
export const personalOf = (declared: Inputs, given: JsonObject, user: JsonObject): Personal => {
  for (const name in declared) {
    if (isPersonal(declared[name]!)) return new Personal(declared, given, user)
  }
  for (const _ in user) return new Personal(declared, given, user)
  return nothingPersonal
}
