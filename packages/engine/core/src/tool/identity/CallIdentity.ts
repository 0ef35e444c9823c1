/** The identity of a call: its tool and params, and its inputs by digest. Equal calls of a run have one identity. */
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import { canonicalJson } from "@planloom/schema"
import { withDefaults } from "@planloom/schema/defaults"

/** How values are recorded. */
export interface Hiding {
  readonly personal: ((value: Json) => Json) | undefined
  readonly secrets: ((value: Json) => Json) | undefined
}

export interface IdentifiedCall {
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  /** In which its texts are wanted. */
  readonly language: string | undefined
}

/**
 * Made when it is first read, because most runs never compare their calls. It is that of the params as they were given:
 * a tool may change them.
 */
export class CallIdentity {
  private readonly workflow: number
  private readonly source: string
  private readonly tool: string
  private readonly schema: JsonSchema
  private readonly language: string | undefined
  /** A copy of the params until the identity is made: as JSON unless they are flat. */
  private params: JsonObject | string
  private made: MadeIdentity | undefined

  /** `workflow` numbers the workflows of a run, each of which has its own tools. */
  constructor(
    { inputs, language, params, tool: name }: IdentifiedCall,
    { source, tool }: RegisteredTool,
    workflow: number,
    hiding: Hiding,
  ) {
    this.workflow = workflow
    this.source = source?.id ?? ""
    this.tool = name
    this.schema = tool.params
    this.language = language
    this.params = ""
    this.made = undefined
    // Inputs may be large and change, and what is hidden may become more: such a call is identified now.
    if (hiding.personal !== undefined || hiding.secrets !== undefined || hasMembers(inputs)) {
      this.made = madeIdentity(this.callOf(params), inputs, hiding)
    } else this.params = isFlat(params) ? { ...params } : JSON.stringify(params)
  }

  /** Identifies the call in this process. */
  get key(): string {
    return this.identity.key
  }

  /** The same in the record, of values without personal texts and secrets. */
  get recorded(): string {
    return this.identity.recorded
  }

  /** A secret stood in it: calls with different secrets have one recorded identity. */
  get isAmbiguous(): boolean {
    return this.identity.isAmbiguous
  }

  private get identity(): MadeIdentity {
    if (this.made === undefined) {
      const { params: kept } = this
      const params = typeof kept === "string" ? (JSON.parse(kept) as JsonObject) : kept
      this.made = madeIdentity(this.callOf(params), noInputs, nothingHidden)
      this.params = ""
    }
    return this.made
  }

  private callOf(params: JsonObject): Json {
    const { language = null, schema, source, tool, workflow } = this
    // A param that is left out counts as its default.
    return [workflow, source, tool, withDefaults(schema, params), language]
  }
}

interface MadeIdentity {
  readonly key: string
  readonly recorded: string
  readonly isAmbiguous: boolean
}

const noInputs: JsonObject = {}
const nothingHidden: Hiding = { personal: undefined, secrets: undefined }

/** Whether a copy of the object has nothing in common with it. What is no JSON is left to `JSON.stringify`. */
const isFlat = (params: JsonObject): boolean => {
  for (const name in params) {
    const value = params[name]
    if (typeof value !== "string" && typeof value !== "boolean" && !Number.isFinite(value))
      return false
  }
  return true
}

const hasMembers = (value: JsonObject): boolean => {
  for (const _ in value) return true
  return false
}

const madeIdentity = (
  call: Json,
  inputs: JsonObject,
  { personal, secrets }: Hiding,
): MadeIdentity => {
  const key = digestOf(withInputs(call, inputs, inputDigest))
  if (personal === undefined && secrets === undefined) {
    return { key, recorded: key, isAmbiguous: false }
  }
  const impersonal = (value: Json): Json => personal?.(value) ?? value
  const recorded = (value: Json): Json => secrets?.(impersonal(value)) ?? impersonal(value)
  return {
    key,
    recorded: digestOf(
      withInputs(recorded(call), inputs, (value) => digestOf(canonicalJson(recorded(value)))),
    ),
    isAmbiguous: secrets !== undefined && [call, inputs].some((value) => secrets(value) !== value),
  }
}

const withInputs = (call: Json, inputs: JsonObject, digest: (value: Json) => string): string => {
  const slots = Object.keys(inputs)
  return slots.length === 0
    ? canonicalJson(call)
    : canonicalJson([call, slots.toSorted().map((slot) => [slot, digest(inputs[slot]!)])])
}

const DIGEST_CHARACTERS = 32

const crypto = process.getBuiltinModule("node:crypto")

const digestOf = (text: string): string => crypto.hash("sha256", text).slice(0, DIGEST_CHARACTERS)

/** Of results of earlier steps, which may be large and are passed to several calls. */
const digests = new WeakMap<object, string>()

/** Members in another order make another digest: such inputs count as different. */
const inputDigest = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  let digest = digests.get(value)
  if (digest === undefined) digests.set(value, (digest = digestOf(JSON.stringify(value))))
  return digest
}
