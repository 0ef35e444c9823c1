/** The tool calls of a run as assertions read them. */
import type { Json, JsonObject, RunEvent } from "@planloom/plugin/effect"

/** In the order in which they ended, refused ones too. What a call lacks is empty, so that every condition has a value. */
export const callsOf = (events: ReadonlyArray<RunEvent>): ReadonlyArray<JsonObject> =>
  events.flatMap((event) => {
    if (event.type !== "ToolCalled") return []
    const { failure, key, ms, params, path, stage, summary, tool } = event
    return [
      {
        stage,
        path,
        tool,
        key,
        params,
        ok: failure === undefined,
        summary,
        identity: event.identity ?? "",
        from: event.from ?? "",
        refused: event.refused === true,
        class: failure?.class ?? "",
        error: failure?.message ?? "",
        entities: (event.entities ?? []) as Json,
        repairs: (event.repairs ?? []) as unknown as Json,
        notes: event.notes ?? [],
        ms,
      },
    ]
  })
