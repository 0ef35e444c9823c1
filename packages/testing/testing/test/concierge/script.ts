/** A conversation of forty messages with the concierge. */
import { limits } from "./limits.ts"
import type { Scripted } from "./Scripted.ts"
import { sending } from "./sending.ts"
import { spanish } from "./spanish.ts"

export const conversation: ReadonlyArray<Scripted> = [...sending, ...spanish, ...limits]
