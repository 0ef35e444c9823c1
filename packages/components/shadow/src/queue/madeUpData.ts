/** Made-up data in place of personal data, for files that are committed. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { redactor } from "./redactText.ts"
import { mapTexts } from "./ReviewerReplies.ts"

/** A value whose personal data is replaced by made-up data of its kind. */
export const withMadeUpData: Effect.Effect<(value: Json) => Json> = Effect.map(redactor, (redact) =>
  mapTexts((text) => sampled(redact(text))),
)

/** Made-up data of each kind: a reviewer that finds personal data finds it again. */
const samples: ReadonlyMap<string, string> = new Map([
  ["email", "ada@example.com"],
  ["phone", "+1 212 555 0199"],
  ["iban", "GB82 WEST 1234 5698 7654 32"],
  ["clabe", "032-180-00011835971-9"],
  ["cbu", "28505909 40090418135201"],
  ["routing", "routing 021000021"],
  ["card", "4111 1111 1111 1111"],
  ["ssn", "219-09-9999"],
  ["cpf", "529.982.247-25"],
  ["dni", "12.345.678-Z"],
  ["nif", "NIF A58818501"],
  ["ip", "203.0.113.7"],
])

/** A redacted text with made-up data at its marks. */
export const sampled = (text: string): string =>
  text.replaceAll(/\[(\w+)\]/g, (mark, kind: string) => samples.get(kind) ?? mark)
