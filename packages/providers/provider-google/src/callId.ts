/** Generates ids for tool calls: the service sends none. */
import { randomUUID } from "node:crypto"

const prefix = "planloom_"

export const newCallId = (): string => prefix + randomUUID()

export const isGeneratedCallId = (id: string): boolean => id.startsWith(prefix)
