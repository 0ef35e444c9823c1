/** Opens and profiles a file named by the user. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { optional, type DataTool } from "../DataTool.ts"
import { dataFile } from "../file/DataFile.ts"
import { openFile } from "../profile/openFile.ts"
import type { OpenedFile } from "../profile/readTyped.ts"
import { fileParams } from "./params.ts"

const toJson = ({ notes, ...opened }: OpenedFile): Json =>
  ({ type: "profile", ...opened, ...(notes.length === 0 ? {} : { notes }) }) as unknown as Json

export const describe: DataTool = {
  tool: {
    name: "describe",
    summary:
      "Opens a data file and profiles its columns: types, ranges, missing values, categories.",
    capabilities: ["profile"],
    notes: "has(result.notes) ? result.notes : []",
    inputs: {},
    params: {
      type: "object",
      properties: fileParams,
      required: ["path"],
      additionalProperties: false,
    },
    outputs: ["profile", "table"],
    group: "source",
  },
  run: (invocation) =>
    dataFile(String(invocation.params["path"] ?? "")).pipe(
      Effect.flatMap((file) =>
        openFile(file, {
          encoding: optional(invocation, "encoding"),
          sheet: optional(invocation, "sheet"),
        }),
      ),
      Effect.map(toJson),
    ),
}
