/** An example of a key: a world without it, and two values that each change what can be seen. */
import type { Json } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { observe, type World } from "./World.ts"
import { textOf, type Observation } from "./Observation.ts"

export interface KeyExample {
  /** As the enumeration writes it. */
  readonly key: string
  readonly world: World
  /** Where the key stands, such as `stages.0.timeout`, in `flow.yaml` unless `file` is given. */
  readonly at: string
  readonly file?: string
  readonly with: Json
  readonly other: Json | Default
}

/** The value that holds when the key is not written: with it the same is seen as without it. Undefined for a key with one value. */
export class Default {
  readonly value: Json | undefined
  constructor(value: Json | undefined) {
    this.value = value
  }
}

/** Why the key does not act; undefined if it does. A refusal with PL4004 at the key is honest, too. */
export const fault = async (example: KeyExample): Promise<string | undefined> => {
  const { other: written } = example
  const isDefault = written instanceof Default
  const seen: Array<Observation> = []
  for (const value of [undefined, example.with, isDefault ? written.value : written]) {
    seen.push(await observed(example, value))
  }
  const [base, one, other] = seen as [Observation, Observation, Observation]
  if ([one, other].every(({ refused }) => refused?.some((text) => text.startsWith("PL4004")))) {
    return undefined
  }
  for (const [name, { refused }] of Object.entries({ with: one, other })) {
    if (refused !== undefined) return `"${name}" is refused: ${refused.join("; ")}`
  }
  const [without, shown, otherwise] = [base, one, other].map(textOf) as [string, string, string]
  if (shown === without) return `it changes nothing: ${shown}`
  if (shown === otherwise) return `its two values have the same effect: ${shown}`
  if (isDefault === (otherwise === without)) return undefined
  return isDefault
    ? `its default differs from its absence: ${otherwise}`
    : `its other value changes nothing: ${otherwise}`
}

/** Examples share worlds, and most of them are seen without their key. */
const seenBefore = new WeakMap<World, Map<string, Promise<Observation>>>()

const observed = (example: KeyExample, value: Json | undefined): Promise<Observation> => {
  const world = worldWith(example, value)
  const known = seenBefore.get(example.world) ?? new Map<string, Promise<Observation>>()
  seenBefore.set(example.world, known)
  const files = JSON.stringify(world.files)
  const observation = known.get(files) ?? observe(world)
  known.set(files, observation)
  return observation
}

export const worldWith = (
  { at, file = "flow.yaml", world }: KeyExample,
  value: Json | undefined,
): World => {
  const content = world.files[file]
  if (content === undefined) throw new Error(`the world has no ${file}`)
  return {
    ...world,
    files: { ...world.files, [file]: withValue(content, at.split("."), value) },
  }
}

/** A number in the path is an entry of a list; what is missing on the way is made. */
const withValue = (
  content: Json,
  [step, ...rest]: ReadonlyArray<string>,
  value: Json | undefined,
): Json => {
  if (step === undefined) throw new Error("a path needs a step")
  if (Array.isArray(content)) {
    return content.flatMap((entry: Json, index) =>
      String(index) !== step
        ? [entry]
        : rest.length > 0
          ? [withValue(entry, rest, value)]
          : value === undefined
            ? []
            : [value],
    )
  }
  const { [step]: before, ...others } = isObject(content) ? content : {}
  if (rest.length > 0) {
    return value === undefined && before === undefined
      ? others
      : { ...(content as object), [step]: withValue(before ?? {}, rest, value) }
  }
  return value === undefined ? others : { ...(content as object), [step]: value }
}
