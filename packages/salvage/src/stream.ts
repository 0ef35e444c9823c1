/** A text that comes in pieces: the best value so far at any time, and in the end what `parse` makes of the whole. */
import { ranked } from "./find/choose.ts"
import { readWhole, type Whole } from "./find/readWhole.ts"
import { ReasoningSoFar } from "./find/ReasoningSoFar.ts"
import { Scanner } from "./find/Scanner.ts"
import { type Snapshot, snapshot } from "./find/snapshot.ts"
import { Fitter } from "./fit/Fitter.ts"
import { SchemaDocument, typesOf } from "./fit/Schema.ts"
import { libertiesOf, MAX_DEPTH, mustBeText, parse, quotedWhole } from "./parse.ts"
import { growingValue } from "./read/Growing.ts"
import { Node } from "./read/Node.ts"
import { plain } from "./read/plain.ts"
import { TooDeep } from "./read/TooDeep.ts"
import type { Json, Options, Partial, Result, Schema } from "./Salvage.ts"

export interface Stream {
  /** Takes the next piece. Throws when it is no text. */
  push(chunk: string): void
  /**
   * What there is so far. Each call only reads what came since the last one. Without a schema, a number or a word that has begun
   * is shown as far as it goes; with one, it is shown when it has ended. Nothing is required yet.
   */
  partial(): Partial
  /** The text has ended: the same result as `parse` of all of it. */
  end(): Result
}

export const stream = (schema?: Schema, options: Options = {}): Stream =>
  new Reading(schema, options)

class Reading implements Stream {
  private readonly schema: Schema | undefined
  private readonly options: Options
  private readonly maxDepth: number
  private readonly scanner: Scanner
  private readonly fitter: Fitter | undefined
  private readonly types: ReadonlyArray<string> = []
  private readonly reasoning: ReasoningSoFar
  /** What has come since it was last looked at. */
  private coming = ""
  /** The first unit that is no blank. */
  private first: string | undefined
  private latest: Partial | undefined

  constructor(schema: Schema | undefined, options: Options) {
    this.schema = schema
    this.options = options
    this.maxDepth = options.maxDepth ?? MAX_DEPTH
    this.scanner = new Scanner(this.maxDepth)
    this.reasoning = new ReasoningSoFar(this.scanner)
    const liberties = libertiesOf(schema, options)
    if (schema === undefined) return
    const document = new SchemaDocument(schema)
    const root = document.resolve(schema)
    this.types = typeof root === "boolean" ? [] : typesOf(root)
    this.fitter = new Fitter(document, true, this.maxDepth, liberties)
  }

  push(chunk: string): void {
    mustBeText(chunk)
    this.coming += chunk
    if (chunk !== "") this.latest = undefined
  }

  partial(): Partial {
    return (this.latest ??= this.look())
  }

  end(): Result {
    return parse(this.scanner.source.slice(0) + this.coming, this.schema, this.options)
  }

  private look(): Partial {
    const chunk = this.coming
    this.coming = ""
    try {
      this.scanner.advance(chunk, false)
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error
      return { value: undefined, open: [], reasoning: this.reasoning.all }
    }
    const best = this.bare(this.best())
    const value = best === undefined ? undefined : this.valueOf(best)
    return {
      value,
      open: best === undefined || value === undefined ? [] : best.open,
      reasoning: this.reasoning.all,
    }
  }

  /** The value that is being read, unless it has only begun and another one is there. */
  private best(): Snapshot | undefined {
    const { answerStart, candidates, current, source, thinking } = this.scanner
    const quoted = this.quoted()
    if (quoted !== undefined) return { node: quoted.node, open: [""] }
    const last = ranked(current === undefined ? candidates : [...candidates, current])[0]
    if (last !== undefined) {
      return last === current ? snapshot(last.reader) : { node: last.reader.root, open: [] }
    }
    if (thinking >= 0) return undefined
    if (beginsWithWords(source.slice(answerStart, answerStart + FIRST_WORD))) return undefined
    const rest = source.slice(answerStart)
    const bracket = /^\s*([{[])\s*$/.exec(rest)?.[1]
    if (bracket !== undefined) return begun(bracket)
    const whole = readWhole(source.slice(0), answerStart, this.maxDepth, false)
    // Words may be the beginning of what is said before the answer.
    if (whole === undefined || !(whole.literal || /^\s*[-+\d]/.test(rest))) return undefined
    return { node: whole.node, open: [""] }
  }

  /** A text that begins as a string is read as a whole again, each time. */
  private quoted(): Whole | undefined {
    const { scanner, schema, maxDepth } = this
    if (schema !== undefined || scanner.candidates.length === 0) return undefined
    this.first ??= /\S/.exec(scanner.source.slice(0))?.[0]
    if (this.first !== '"' && this.first !== "'") return undefined
    return quotedWhole({ text: scanner.source.slice(0), schema, maxDepth }, scanner)
  }

  /** The one object of a list that has not ended, where the schema asks for an object: so `end` will take it. */
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

/** Longest first word that is looked for. */
const FIRST_WORD = 64

/** Words that say no value, whatever follows them: so the text need not be read to see that it says none. */
const beginsWithWords = (text: string): boolean => {
  const word = /^\s*(\p{L}{2,})[ ,!.?]/u.exec(text)?.[1]
  return word !== undefined && plain(word, false).kind === "string"
}

const begun = (bracket: string): Snapshot => {
  const node = new Node(bracket === "{" ? "object" : "array", 0)
  node.closed = false
  return { node, open: [""] }
}
