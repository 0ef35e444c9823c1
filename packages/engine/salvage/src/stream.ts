/** Parses text that arrives in chunks: the best value so far at any time, at the end the result of `parse`. */
import { rankCandidates } from "./find/rankCandidates.ts"
import { readWhole, type Whole } from "./find/readWhole.ts"
import { PartialReasoning } from "./find/PartialReasoning.ts"
import { Scanner } from "./find/Scanner.ts"
import { type Snapshot, snapshot } from "./find/snapshot.ts"
import { Fitter } from "./fit/Fitter.ts"
import { SchemaDocument, typesOf } from "./fit/Schema.ts"
import type { ValueOf } from "./parse.ts"
import { recoveryOptionsOf, limitsOf, assertText, parseText, quotedWhole } from "./parseText.ts"
import { isStandard, jsonSchemaOf, type StandardSchema, validated } from "./StandardSchema.ts"
import { growingValue } from "./read/Growing.ts"
import { Node } from "./read/Node.ts"
import { plain } from "./read/scalar/plain.ts"
import { LimitExceeded } from "./read/LimitExceeded.ts"
import type { Limits } from "./Task.ts"
import type { Json, Options, Partial, Result, Schema } from "./Salvage.ts"

export interface Stream<T = Json> {
  /** Adds the next chunk. Throws a TypeError unless it is a string. */
  push(chunk: string): void
  /**
   * The value so far. Each call reads only the text since the previous one. Without a schema an incomplete number or word is
   * included as far as it goes; with one, only when complete. Required members may be missing.
   */
  partial(): Partial
  /** Ends the text; returns the result of `parse` for all of it. */
  end(): Result<T>
}

/** Types as those of `parse`. */
export interface Streaming {
  <Output>(schema: StandardSchema<Output>, options?: Options): Stream<Output>
  <T = never, const S extends Schema = Schema>(
    schema?: S,
    options?: Options,
  ): Stream<[T] extends [never] ? ValueOf<S> : T>
}

export const stream: Streaming = (
  schema?: Schema | StandardSchema,
  options: Options = {},
): Stream<any> => {
  if (!isStandard(schema)) return new Reading(schema, options)
  const reading = new Reading(jsonSchemaOf(schema), options)
  return {
    push: (chunk) => reading.push(chunk),
    partial: () => reading.partial(),
    end: () => validated(reading.text, reading.end(), schema),
  }
}

class Reading implements Stream {
  private readonly schema: Schema | undefined
  private readonly options: Options
  private readonly limits: Limits
  private readonly scanner: Scanner
  private readonly fitter: Fitter | undefined
  private readonly types: ReadonlyArray<string> = []
  private readonly reasoning: PartialReasoning
  /** Text since the last call of `partial`. */
  private pending = ""
  /** The first character that is not blank. */
  private first: string | undefined
  private latest: Partial | undefined

  constructor(schema: Schema | undefined, options: Options) {
    this.schema = schema
    this.options = options
    this.limits = limitsOf(options)
    this.scanner = new Scanner(this.limits)
    this.reasoning = new PartialReasoning(this.scanner)
    const recovery = recoveryOptionsOf(schema, options)
    if (schema === undefined) return
    const document = new SchemaDocument(schema)
    const root = document.resolve(schema)
    this.types = typeof root === "boolean" ? [] : typesOf(root)
    this.fitter = new Fitter(document, true, this.limits, recovery)
  }

  push(chunk: string): void {
    assertText(chunk)
    this.pending += chunk
    if (chunk !== "") this.latest = undefined
  }

  partial(): Partial {
    return (this.latest ??= this.look())
  }

  end(): Result {
    return parseText(this.text, this.schema, this.options)
  }

  /** The text so far. */
  get text(): string {
    return this.scanner.source.slice(0) + this.pending
  }

  private look(): Partial {
    const chunk = this.pending
    this.pending = ""
    try {
      this.scanner.advance(chunk, false)
      const best = this.bare(this.best())
      const value = best === undefined ? undefined : this.valueOf(best)
      return {
        value,
        open: best === undefined || value === undefined ? [] : best.open,
        reasoning: this.reasoning.all,
      }
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error
      return { value: undefined, open: [], reasoning: this.reasoning.all }
    }
  }

  /** The value being read, unless it has only started and a complete candidate exists. */
  private best(): Snapshot | undefined {
    const { answerStart, candidates, current, reader, source, thinking } = this.scanner
    const quoted = this.quoted()
    if (quoted !== undefined) return { node: quoted.node, open: [""] }
    const last = rankCandidates(current === undefined ? candidates : [...candidates, current])[0]
    if (last !== undefined) {
      return last === current ? snapshot(reader!) : { node: last.reader.root, open: [] }
    }
    if (thinking >= 0) return undefined
    if (startsWithWords(source.slice(answerStart, answerStart + MAX_FIRST_WORD_UNITS)))
      return undefined
    const rest = source.slice(answerStart)
    const bracket = /^\s*([{[])\s*$/.exec(rest)?.[1]
    if (bracket !== undefined) return started(bracket)
    const whole = readWhole(source.slice(0), answerStart, this.limits, false)
    // Words may be the start of prose before the answer.
    if (whole === undefined || !(whole.literal || /^\s*[-+\d]/.test(rest))) return undefined
    return { node: whole.node, open: [""] }
  }

  /** Reads a text that starts as a string again as a whole, each time. */
  private quoted(): Whole | undefined {
    const { limits, scanner, schema } = this
    if (schema !== undefined || scanner.candidates.length === 0) return undefined
    this.first ??= /\S/.exec(scanner.source.slice(0))?.[0]
    if (this.first !== '"' && this.first !== "'") return undefined
    return quotedWhole({ text: scanner.source.slice(0), schema, limits }, scanner)
  }

  /** Unwraps the only object of an unfinished list if the schema requires an object, as `end` does. */
  private bare(best: Snapshot | undefined): Snapshot | undefined {
    const only = best?.node.items[0]
    const isBracketed =
      best?.node.kind === "array" && best.node.items.length === 1 && only!.kind === "object"
    if (!isBracketed || this.types.length !== 1 || this.types[0] !== "object") return best
    const inside = best.open.filter((path) => path.startsWith("/0/")).map((path) => path.slice(2))
    return { node: only!, open: best.open.length === 0 ? [] : ["", ...inside] }
  }

  private valueOf({ node }: Snapshot): Json | undefined {
    if (this.fitter === undefined) return growingValue(node)
    this.fitter.text = this.scanner.source
    return this.fitter.fit(node, this.schema!).value
  }
}

/** Longest first word to look for, in UTF-16 units. */
const MAX_FIRST_WORD_UNITS = 64

/** Whether the text starts with words that are not a value, so that it need not be read. */
const startsWithWords = (text: string): boolean => {
  const word = /^\s*(\p{L}{2,})[ ,!.?]/u.exec(text)?.[1]
  return word !== undefined && plain(word, false).kind === "string"
}

const started = (bracket: string): Snapshot => {
  const node = new Node(bracket === "{" ? "object" : "array", 0)
  node.closed = false
  return { node, open: [""] }
}
