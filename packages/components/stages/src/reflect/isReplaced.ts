/** Whether the request needs no result of a call that failed: other calls found for the same thing what it asks for. */
import { isToolAmong, type Json, type Tool } from "@planloom/plugin/effect"
import type { StepResultCall, Wish } from "./Reflection.ts"
import { wishesIn } from "./wishes/wishes.ts"

type Call = Pick<StepResultCall, "entities" | "ok" | "params" | "tool">

/** For each wish of the request that its tool answers, of which there is one at least: what has no word is not known. */
export const isReplaced = (
  call: Call,
  calls: ReadonlyArray<Call>,
  wishes: { readonly [wish: string]: Wish },
  request: string,
  tools: ReadonlyArray<Pick<Tool, "name" | "params">>,
): boolean => {
  const answering = wishesIn(request, wishes, calls)
    .map((wish) => wishes[wish]!.tools)
    .filter((names) => isToolAmong(call.tool, names))
  const subject = subjectOf(call, tools)
  const others = calls.filter((other) => other.ok && isAbout(other, subject))
  return (
    answering.length > 0 &&
    answering.every((names) => others.some(({ tool }) => isToolAmong(tool, names)))
  )
}

/** Texts of the params that the tool requires. */
const subjectOf = (
  { params, tool }: Call,
  tools: ReadonlyArray<Pick<Tool, "name" | "params">>,
): ReadonlyArray<string> => {
  const schema = (tools.find(({ name }) => name === tool)?.params ?? {}) as {
    readonly required?: ReadonlyArray<string>
  }
  return (schema.required ?? []).flatMap((name) => textsOf(params[name]))
}

/** By its params or by what it found. */
const isAbout = ({ entities = [], params }: Call, subject: ReadonlyArray<string>): boolean => {
  const found = entities.flatMap(({ id, name }) => [id, name])
  const texts = [...Object.values(params), ...found].flatMap(textsOf)
  return subject.length > 0 && subject.every((text) => texts.includes(text))
}

const textsOf = (value: Json | undefined): ReadonlyArray<string> =>
  typeof value === "string" ? [value.toLowerCase()] : []
