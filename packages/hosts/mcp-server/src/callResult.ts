/** The result of a tool call: what a run gave, why it gave nothing, or what it waits for. */
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { JsonObject, Wait } from "@planloom/plugin/effect"
import type { ApiProblem, ShownRun } from "./Api.ts"
import { questionText } from "./questionText.ts"
import { ANSWER_TOOL, runUri } from "./names.ts"

/** Clients close a connection with a message of 10 MB, and a result has its outputs twice. */
export const MAX_OUTPUT_CHARS = 2_000_000

/** Of a run that has ended. */
export const endedResult = ({ result, run, status }: ShownRun): CallToolResult => {
  if (result === null || result.status !== "succeeded") {
    const failure = result?.failure
    const why = failure === undefined ? "" : `: ${failure.message} (${failure.class})`
    return errorResult(`The run ${run} ended as ${result?.status ?? status}${why}`)
  }
  const size = JSON.stringify(result.outputs).length
  if (size > MAX_OUTPUT_CHARS) {
    return errorResult(
      `The run ${run} succeeded, but its outputs have ${size} characters, more than clients take: planloom runs show ${run}, or GET /runs/${run}`,
    )
  }
  const notes = result.notes.map(({ text }) => text)
  const degraded = result.degraded.map(({ path, reason }) => `${path}: ${reason}`)
  return {
    content: [textOf(outputsText(result.outputs)), ...notes.map((note) => textOf(`Note: ${note}`))],
    structuredContent: {
      run,
      status: "succeeded",
      outputs: result.outputs,
      ...(notes.length === 0 ? {} : { notes }),
      ...(degraded.length === 0 ? {} : { degraded }),
    },
  }
}

/** Of a run that waits: not an error, since an answer lets it continue. `because` says why no person was asked here. */
export const waitingResult = (shown: ShownRun, because?: string): CallToolResult => {
  const { result, run, waits } = shown
  const outputs = result?.outputs ?? {}
  const text = [
    `The run ${run} waits for ${waits.length === 1 ? "an answer" : `${waits.length} answers`}${because === undefined ? "" : `: ${because}`}.`,
    ...waits.flatMap((wait) => [
      `Question ${wait.name}: ${questionText(wait)}`,
      howToAnswer(run, wait),
    ]),
    `It continues with the answer; read ${runUri(run)} for its state.`,
  ].join("\n")
  return {
    content: [textOf(text)],
    structuredContent: {
      run,
      status: "waiting",
      ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
      questions: waits.map(({ kind, message, name, options, schema }) => ({
        question: name,
        kind,
        message,
        schema,
        ...(options === undefined ? {} : { options }),
      })),
    },
  }
}

/** A model must not approve what it asked for itself. */
const howToAnswer = (run: string, { kind, name }: Wait): string => {
  if (kind === "timer") return "It ends by itself."
  const elsewhere = `planloom runs answer ${run} --name '${name}', or POST /runs/${run}/answers/${name}`
  return kind === "approval"
    ? `Only a person may approve it: ${elsewhere}.`
    : `To answer, call the tool ${ANSWER_TOOL} with this run and question; or ${elsewhere}.`
}

/** A rejection by the API, in a form that lets a model correct its call. */
export const problemResult = ({
  code,
  issues,
  message,
  retryAfter,
}: ApiProblem): CallToolResult => {
  const later = retryAfter === undefined ? "" : `; try again in ${retryAfter} s`
  const text = issues.length === 0 ? message : issues.map(issueText).join("; ")
  return errorResult(`${text}${later} (${code})`)
}

/** The inputs of the workflow are the arguments of the call. */
const issueText = ({ message, path }: ApiProblem["issues"][number]): string => {
  const place = path.replace(/^\/inputs(?=\/|$)/, "").slice(1)
  return `${place === "" ? "the arguments" : place} ${message}`
}

export const errorResult = (text: string): CallToolResult => ({
  content: [textOf(text)],
  isError: true,
})

/** A single text unchanged, else JSON: what a model reads best. */
const outputsText = (outputs: JsonObject): string => {
  const [value, ...others] = Object.values(outputs)
  return typeof value === "string" && others.length === 0 ? value : JSON.stringify(outputs)
}

const textOf = (text: string) => ({ type: "text" as const, text })
