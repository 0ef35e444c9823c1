/** Names of tools as services take them, whatever characters and length they have in a workflow. */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  MayContinue,
  Message,
  ModelRequest,
  Provider,
  ToolCall,
} from "@planloom/plugin/effect"

/** The longest name that every service accepts. */
const MAX_CHARACTERS = 64
const accepted = /^[a-z_][\w-]*$/i

/** Hexadecimal digits of a hash, which follow the start of a name. */
const HASH_DIGITS = 16
const SEPARATOR = "__"
const hashed = new RegExp(`${SEPARATOR}[0-9a-f]{${HASH_DIGITS}}$`)

/**
 * The name for services. It depends on nothing but the name, and no two names have the same: letters, digits, `_` and `-`
 * stay, a dot becomes `__`, and a name that would then be too long or could be read as another ends with its hash.
 */
export const serviceName = (name: string): string => {
  if (accepted.test(name) && name.length <= MAX_CHARACTERS && !name.includes(SEPARATOR)) return name
  const dotted = name.replaceAll(".", SEPARATOR)
  const isPlain =
    accepted.test(dotted) &&
    dotted.length <= MAX_CHARACTERS &&
    // `a_.b` and `a._b` have the same dotted name, and so may a name that contains `__`.
    !/_\.|\._|\.\.|^\.|\.$|__/.test(name) &&
    !hashed.test(dotted)
  if (isPlain) return dotted
  const start = name.replaceAll(/[^\w-]/g, "_").replace(/^(?![a-z_])/i, "_")
  const digits = hash("sha256", name).slice(0, HASH_DIGITS)
  return `${start.slice(0, MAX_CHARACTERS - HASH_DIGITS - SEPARATOR.length)}${SEPARATOR}${digits}`
}

type Declared = NonNullable<ModelRequest["tools"]>[number]

/** Made once: providers keep what they make of a declaration by its identity. */
const declarations = new WeakMap<Declared, Declared>()

const declared = (tool: Declared): Declared => {
  const name = serviceName(tool.name)
  if (name === tool.name) return tool
  let made = declarations.get(tool)
  if (made === undefined) declarations.set(tool, (made = { ...tool, name }))
  return made
}

/** The names that a service gives back → those of the request. */
type Names = ReadonlyMap<string, string>

const none: Names = new Map()

/** By the list of a request, which is often that of the request before. */
const known = new WeakMap<
  ReadonlyArray<Declared>,
  { readonly tools: ReadonlyArray<Declared>; readonly names: Names }
>()

const renamedTools = (tools: ReadonlyArray<Declared>) => {
  let found = known.get(tools)
  if (found === undefined) {
    const made = tools.map(declared)
    const names = new Map(
      made.flatMap(({ name }, at) => (name === tools[at]!.name ? [] : [[name, tools[at]!.name]])),
    )
    known.set(tools, (found = names.size === 0 ? { tools, names: none } : { tools: made, names }))
  }
  return found
}

const renamedMessage = (message: Message): Message => {
  if (message.role === "tool") {
    const name = serviceName(message.name)
    return name === message.name ? message : { ...message, name }
  }
  if (message.role === "user" || message.toolCalls === undefined) return message
  const isSame = message.toolCalls.every(({ name }) => serviceName(name) === name)
  return isSame
    ? message
    : {
        ...message,
        toolCalls: message.toolCalls.map((call) => ({ ...call, name: serviceName(call.name) })),
      }
}

const renamed = (
  request: ModelRequest,
): { readonly request: ModelRequest; readonly names: Names } => {
  const { messages, tools } = request
  const given = tools === undefined ? undefined : renamedTools(tools)
  const made = messages.map(renamedMessage)
  const isSame = given?.tools === tools && made.every((one, at) => one === messages[at])
  return {
    names: given?.names ?? none,
    request: isSame
      ? request
      : { ...request, messages: made, ...(given === undefined ? {} : { tools: given.tools }) },
  }
}

/** A model may also write the name that it read in a text. */
const original = (call: ToolCall, names: Names): ToolCall => {
  const name = names.get(call.name)
  return name === undefined ? call : { ...call, name }
}

/** The provider with requests whose tools have names for its service, and replies with the names of the workflow. */
export const withServiceNames = <P extends Pick<Provider, "generate" | "stream">>(
  provider: P,
): P => {
  const { generate, stream } = provider
  return {
    ...provider,
    ...(generate && {
      generate: (given: ModelRequest, mayContinue?: MayContinue) => {
        const { names, request } = renamed(given)
        const reply = generate(request, mayContinue)
        return names.size === 0
          ? reply
          : Effect.map(reply, (one) => ({
              ...one,
              toolCalls: one.toolCalls.map((call) => original(call, names)),
            }))
      },
    }),
    ...(stream && {
      stream: (given: ModelRequest, mayContinue?: MayContinue) => {
        const { names, request } = renamed(given)
        const parts = stream(request, mayContinue)
        return names.size === 0
          ? parts
          : Stream.map(parts, (part) =>
              part.type === "tool_call" ? { ...part, call: original(part.call, names) } : part,
            )
      },
    }),
  }
}
