/** Names of functions in a request, in the formats of all services. */
import { isObject } from "@planloom/schema"
import type { Json, JsonObject } from "@planloom/plugin/effect"

export interface NamedFunctions {
  /** Of those that the request declares, in its order. */
  readonly declared: ReadonlyArray<string>
  /** Of those that were called before. */
  readonly called: ReadonlyArray<string>
}

export const namedFunctions = (body: JsonObject): NamedFunctions => ({
  declared: objects(body["tools"]).flatMap((tool) => [
    ...nameIn(tool["function"]),
    ...objects(tool["functionDeclarations"]).flatMap(nameIn),
    // A tool that the service itself runs has a type with a version, and a name of the service.
    ...(tool["type"] === undefined || tool["type"] === "function" || tool["type"] === "custom"
      ? nameIn(tool)
      : []),
  ]),
  called: ["messages", "input", "contents"].flatMap((key) =>
    objects(body[key]).flatMap((message) => [
      ...(message["type"] === "function_call" ? nameIn(message) : []),
      ...objects(message["tool_calls"]).flatMap((call) => nameIn(call["function"])),
      ...objects(message["content"]).flatMap((block) =>
        block["type"] === "tool_use" ? nameIn(block) : [],
      ),
      ...objects(message["parts"]).flatMap((part) => [
        ...nameIn(part["functionCall"]),
        ...nameIn(part["functionResponse"]),
      ]),
    ]),
  ),
})

/** The first name that services refuse; undefined if they take all. */
export const refusedName = ({ called, declared }: NamedFunctions): string | undefined =>
  [...declared, ...called].find((name) => !/^[a-zA-Z_][\w-]{0,63}$/.test(name))

const objects = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isObject) : []

const nameIn = (value: Json | undefined): ReadonlyArray<string> =>
  isObject(value) && typeof value["name"] === "string" ? [value["name"]] : []
