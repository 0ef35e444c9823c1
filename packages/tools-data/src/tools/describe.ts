/** Opens a file a user named and says what is in it. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin"
import type { DataFailed } from "../DataFailed.ts"
import type { DataTool } from "../DataTool.ts"
import { evaluate, type Opened } from "../duckdb/evaluate.ts"
import { withSession, type Session } from "../duckdb/Session.ts"
import { dataFile, type DataFile } from "../file/DataFile.ts"
import { inspect, samples } from "../profile/inspect.ts"
import { profile, type DataProfile } from "../profile/profile.ts"
import { dayFirst, refine } from "../profile/refine.ts"

/** Dates whose days all fit a month number may have been read the wrong way round. */
const ambiguousDates = (
  opened: Opened,
  { columns }: DataProfile,
): ReadonlyArray<string> => {
  const format = opened.lineage.source.dialect?.date_format ?? ""
  if (!/^%[dm][/.-]%[dm]/.test(format)) return []
  return columns.flatMap(({ name, type, days }) =>
    type === "date" && days !== undefined && days <= 12 ? [dayFirst(name)] : [],
  )
}

const look = Effect.fnUntraced(function* (session: Session, file: DataFile, rows: number) {
  const inspected = yield* inspect(session, file, rows)
  const raw: Opened = { session, file, lineage: { source: inspected.source, ops: [] } }
  const refinement = yield* refine(raw)
  const opened: Opened = { ...raw, lineage: { ...raw.lineage, ops: refinement.ops } }
  const found = yield* profile(opened)
  const notes = [...inspected.notes, ...refinement.notes, ...ambiguousDates(opened, found)]
  const table = yield* evaluate(opened, { notes })
  return {
    type: "profile",
    columns: found.columns.map(({ days: _, ...column }) => column),
    rows: found.rows,
    ...(notes.length === 0 ? {} : { notes }),
    table,
  } as unknown as Json
})

/** First by a sample; when the rest of the file does not fit what the sample promised, by all of it. */
const describeFile = (file: DataFile): Effect.Effect<Json, DataFailed> =>
  withSession([file.real], (session) =>
    look(session, file, samples.first).pipe(
      Effect.catch((first) =>
        file.format === "parquet"
          ? Effect.fail(first)
          : look(session, file, samples.all).pipe(Effect.catch(() => Effect.fail(first))),
      ),
    ),
  )

export const describe: DataTool = {
  tool: {
    name: "describe",
    summary: "Opens a data file and profiles its columns: types, ranges, missing values, categories.",
    capabilities: ["profile"],
    inputs: {},
    params: {
      type: "object",
      properties: {
        path: {
          type: "string",
          minLength: 1,
          role: "path",
          description:
            "The file, as the user named it. Relative paths start at the process's current directory. Never written by a model.",
        },
      },
      required: ["path"],
      additionalProperties: false,
    },
    outputs: ["profile", "table"],
    group: "source",
  },
  run: (invocation) =>
    Effect.flatMap(dataFile(String(invocation.params["path"] ?? "")), describeFile),
}
