/** Reads a plugin's config by its schema: values, or what is wrong and where. */
import type { Codec } from "effect/Schema"
import type { JsonObject } from "./Json.ts"

export type ConfigRead =
  | { readonly value: unknown }
  | {
      readonly issues: ReadonlyArray<{
        readonly path: ReadonlyArray<string | number>
        readonly message: string
      }>
    }

/**
 * A schema is understood only by the copy of Effect that made it, and a bundled host has a copy of its own: a plugin
 * brings this function with its config. The schema module is loaded with the first call.
 */
export const configReader =
  (config: Codec<unknown, any>) =>
  async (given: JsonObject): Promise<ConfigRead> => {
    const [Schema, SchemaIssue, Result] = await Promise.all([
      import("effect/Schema"),
      import("effect/SchemaIssue"),
      import("effect/Result"),
    ])
    const decoded = Schema.decodeUnknownResult(config, {
      errors: "all",
      onExcessProperty: "error",
    })(given)
    if (Result.isSuccess(decoded)) return { value: decoded.success }
    const format = SchemaIssue.makeFormatterStandardSchemaV1()
    return {
      issues: format(decoded.failure.issue).issues.map(({ message, path = [] }) => ({
        message,
        path: path.map((segment) =>
          typeof segment === "object" ? String(segment.key) : (segment as string | number),
        ),
      })),
    }
  }
