/** Vega-Lite encoding that distinguishes series by color. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Field } from "./Field.ts"
import { palette } from "./theme.ts"

/** Colors in the order of the names; empty for a single series. */
export const byColor = (
  color: Field | undefined,
  names: ReadonlyArray<string>,
  legend?: JsonObject,
): JsonObject =>
  color === undefined
    ? {}
    : {
        color: {
          field: color.name,
          type: "nominal",
          title: color.title,
          scale: { domain: names, range: palette.slice(0, names.length) },
          ...(legend === undefined ? {} : { legend }),
        },
      }
