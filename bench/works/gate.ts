/** A streamed reply of 400 words behind a gate of two validators. */
import shadow from "@planloom/shadow"
import validators from "@planloom/validators"
import { replies } from "./words.ts"

export const start = () => replies("shadow: { gate: [pii, secrets] }", [shadow, validators])
