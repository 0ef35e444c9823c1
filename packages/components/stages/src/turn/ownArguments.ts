/** Arguments of a turn's plan that are for one of its tools. */
import { propertiesOf } from "@planloom/planning"
import type { PropertySchema } from "@planloom/planning"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"

/**
 * The arguments that the tool declares. A name may have the tool before it: `wifi_state` is `state` of `toggle_wifi`,
 * unless the plan has that, too. True and false are the choices `on` and `off`.
 */
export const ownArguments = (tool: Tool, given: JsonObject): JsonObject =>
  Object.fromEntries(
    propertiesOf(tool).flatMap(([name, param]) => {
      const written = Object.hasOwn(given, name) ? name : prefixedName(tool, name, given)
      return written === undefined ? [] : [[name, switched(given[written]!, param)] as const]
    }),
  )

const prefixedName = (tool: Tool, param: string, given: JsonObject): string | undefined => {
  const words = tool.name.split("_")
  const declared = new Set(propertiesOf(tool).map(([name]) => name))
  const found = Object.keys(given).filter((name) => {
    if (declared.has(name) || !name.endsWith(`_${param}`)) return false
    const before = name.slice(0, -param.length - 1).split("_")
    return before.every((word) => words.includes(word))
  })
  return found.length === 1 ? found[0] : undefined
}

const switched = (value: Json, { enum: choices }: PropertySchema): Json => {
  if (typeof value !== "boolean" || !Array.isArray(choices)) return value
  const isSwitch = choices.includes("on") && choices.includes("off")
  return isSwitch ? (value ? "on" : "off") : value
}
