/** Long runs as tasks of the extension `io.modelcontextprotocol/tasks`: a task is a run, which the client looks at later. */
import {
  type CallToolResult,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "@planloom/plugin/effect"
import { type Api, ApiProblem, type ShownRun } from "./Api.ts"
import type { AskedQuestions } from "./AskedQuestions.ts"
import { endedResult, waitingResult } from "./callResult.ts"
import { formRequest, giveAnswer } from "./elicit.ts"

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks"

/** A call of a client with tasks that has not ended by then becomes one. */
export const TASK_AFTER_MS = 500

const POLL_INTERVAL_MS = 1000

/** The result of a call whose run continues: the client asks for the task. */
export const createdTask = (shown: ShownRun): CallToolResult =>
  ({ resultType: "task", ...taskOf(shown, "working"), content: [] }) as CallToolResult

const taskOf = ({ finishedAt, result, run, startedAt }: ShownRun, status: string): JsonObject => {
  const running = Object.entries(result?.stages ?? {}).flatMap(([path, { outcome }]) =>
    outcome === "running" ? [path] : [],
  )
  return {
    taskId: run,
    status,
    ...(status === "working" && running.length > 0
      ? { statusMessage: `at ${running.join(", ")}` }
      : {}),
    createdAt: new Date(startedAt).toISOString(),
    lastUpdatedAt: new Date(finishedAt ?? Date.now()).toISOString(),
    // How long runs are kept is a policy of the project.
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  }
}

export interface TaskOptions {
  readonly api: Api
  readonly asked: AskedQuestions
  readonly elicits: (ctx: ServerContext) => boolean
  /** Whether the client of the request takes tasks. */
  readonly takesTasks: (ctx: ServerContext) => boolean
  readonly guarded: <A>(reply: Promise<A>) => Promise<A>
}

/** Registers the methods of the extension. */
export const serveTasks = (server: Server, options: TaskOptions): void => {
  const { api, asked, elicits, guarded, takesTasks } = options
  const on = (
    method: string,
    answer: (shown: ShownRun, ctx: ServerContext) => Promise<JsonObject>,
  ) =>
    server.setRequestHandler(method, { params: taskParams }, ({ taskId }, ctx) => {
      if (!takesTasks(ctx)) {
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        })
      }
      return guarded(runOf(api, taskId).then((shown) => answer(shown, ctx)))
    })
  on("tasks/get", async (shown, ctx) => detailOf(shown, asked, elicits(ctx)))
  on("tasks/update", async ({ run, waits }, ctx) => {
    for (const wait of waits) {
      const response = inputResponse(ctx.mcpReq.inputResponses, asked.keyOf(run, wait))
      const open = await giveAnswer(api, run, wait, response)
      if (open !== undefined) asked.add(run, wait, open)
    }
    return {}
  })
  on("tasks/cancel", async ({ run }) => {
    try {
      await api.cancel(run, "cancelled by the MCP client")
    } catch (error) {
      // It has ended.
      if (!(error instanceof ApiProblem) || error.code !== "conflict") throw error
    }
    return {}
  })
}

/** A run that waits for what the client cannot be asked has the result of such a call: nothing comes of it here. */
const detailOf = (shown: ShownRun, asked: AskedQuestions, elicits: boolean): JsonObject => {
  const { finishedAt, run, status, waits } = shown
  if (status === "cancelled") return taskOf(shown, "cancelled")
  const completed = (result: CallToolResult): JsonObject => ({
    ...taskOf(shown, "completed"),
    result: result as JsonObject,
  })
  if (finishedAt !== undefined) return completed(endedResult(shown))
  const questions = waits.filter(({ kind }) => kind !== "timer")
  const forms = questions.flatMap((wait) => {
    const { left, rejected } = asked.of(run, wait)
    const request = elicits && left === undefined ? formRequest(wait, rejected) : undefined
    return request === undefined ? [] : [[asked.keyOf(run, wait), request] as const]
  })
  if (forms.length > 0) {
    return {
      ...taskOf(shown, "input_required"),
      inputRequests: Object.fromEntries(forms) as unknown as JsonObject,
    }
  }
  // Answered in part, a run works for a moment, until it waits for the rest.
  if (status !== "suspended" || questions.length === 0) return taskOf(shown, "working")
  const left = questions.map((wait) => asked.of(run, wait).left).find((why) => why !== undefined)
  return completed(waitingResult(shown, left))
}

const runOf = async (api: Api, taskId: string): Promise<ShownRun> => {
  try {
    return await api.run(taskId)
  } catch (error) {
    const isUnknown = error instanceof ApiProblem && error.code === "unknown_resource"
    throw isUnknown
      ? new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task "${taskId}"`)
      : error
  }
}

/** Other members are those of the protocol, or of no meaning. */
const taskParams: StandardSchemaV1<unknown, { readonly taskId: string }> = {
  "~standard": {
    version: 1,
    vendor: "planloom",
    validate: (value) => {
      const taskId = (value as JsonObject | undefined)?.["taskId"]
      return typeof taskId === "string"
        ? { value: { taskId } }
        : { issues: [{ message: "taskId must be a string" }] }
    },
  },
}
