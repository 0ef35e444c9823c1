/** Runs as resources: the record of each as JSON, and a report of it as text. */
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server"
import { type Api, ApiProblem } from "./Api.ts"
import { MAX_OUTPUT_CHARS } from "./callResult.ts"
import { runUri } from "./names.ts"
import { runReport } from "./runReport.ts"

/** Newest runs that are listed; older ones are read by their URI. */
const LISTED_RUNS = 50

const JSON_TYPE = "application/json"
const REPORT_TYPE = "text/markdown"

export const listRuns = async (api: Api): Promise<ListResourcesResult> => ({
  resources: (await api.runs(LISTED_RUNS)).map(({ run, startedAt, status, workflow }) => ({
    uri: runUri(run),
    name: run,
    title: `${workflow}, ${status}, ${new Date(startedAt).toISOString()}`,
    mimeType: JSON_TYPE,
  })),
})

export const runTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: "planloom://runs/{run}",
      name: "run",
      description: "The record of a run: its inputs, its result so far and its open questions",
      mimeType: JSON_TYPE,
    },
    {
      uriTemplate: "planloom://runs/{run}/report",
      name: "report",
      description: "The same as text for people",
      mimeType: REPORT_TYPE,
    },
  ],
}

const runPattern = /^planloom:\/\/runs\/([^/]+)(\/report)?$/

export const readRun = async (api: Api, uri: string): Promise<ReadResourceResult> => {
  const [, id, report] = runPattern.exec(uri) ?? []
  try {
    if (id === undefined) throw new ResourceNotFoundError(uri)
    const shown = await api.run(decodeURIComponent(id))
    const [mimeType, text] =
      report === undefined ? [JSON_TYPE, JSON.stringify(shown)] : [REPORT_TYPE, runReport(shown)]
    if (text.length > MAX_OUTPUT_CHARS) {
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `${uri} has ${text.length} characters, more than clients take: planloom runs show ${id}`,
      )
    }
    return { contents: [{ uri, mimeType, text }] }
  } catch (error) {
    const isUnknown =
      error instanceof URIError ||
      (error instanceof ApiProblem && error.code === "unknown_resource")
    throw isUnknown ? new ResourceNotFoundError(uri) : error
  }
}
