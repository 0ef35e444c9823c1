/** The shape of `telemetry:`: where a host exports the spans and metrics of runs. */
import type { Definition } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { object, required } from "./object.ts"
import { text } from "./scalars.ts"

const expected = "the URL of a collector such as http://127.0.0.1:4318"

const url: Shape<string> = {
  ...text(expected),
  decode: (value, context) => {
    const given = text(expected).decode(value, context)
    if (given === "") return given
    const parsed = URL.canParse(given) ? new URL(given) : undefined
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
      context.problem({ code: "PL0103", message: `expected ${expected}, found "${given}"` })
    } else if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "") {
      context.problem({
        code: "PL0103",
        message: "the URL of a collector has no credentials and no query",
        help: "give credentials to the process as OTEL_EXPORTER_OTLP_HEADERS",
      })
    }
    return given
  },
}

export const telemetry: Shape<NonNullable<Definition["telemetry"]>> = object(
  { otlp: required(url, "Base URL of an OpenTelemetry collector, for OTLP over HTTP.") },
  { expected: "telemetry such as { otlp: http://127.0.0.1:4318 }" },
)
