/** Series told apart by colour, as a part of Vega-Lite's `encoding`. */
import type { JsonObject } from "@planloom/plugin"
import type { Field } from "./Field.ts"
import { palette } from "./theme.ts"

/** Colours in the order of the names; nothing where there is one series. */
export const byColour = (
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
