/** The least severe messages of a server's log that are asked for. */
import type { LoggingLevel } from "@modelcontextprotocol/client"

export const LOG_LEVEL: LoggingLevel = "warning"
