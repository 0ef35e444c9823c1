/** Decodes a plugin's config by its schema into a value or issues with paths. */
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
 * Bundled into the plugin, because a schema works only with the copy of Effect that created it, and a bundled host has
 * a separate copy. Loads the schema module on first use.
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
