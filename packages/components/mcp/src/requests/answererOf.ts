/** Answers what a server asks while it works on a call: by the person and the model of the call, and its roots. */
import type { Effect } from "effect/Effect"
import { pathToFileURL } from "node:url"
import type { JsonObject, ToolInvocation } from "@planloom/plugin/effect"
import { cleanLine } from "@planloom/plugin/clean"
import { McpFailed } from "../McpFailed.ts"
import { isCommand, type Server } from "../servers/Server.ts"
import { answerElicitation } from "./answerElicitation.ts"
import type { Answerer } from "./Answerer.ts"
import { answerSampling } from "./answerSampling.ts"

type Run = <A, E>(work: Effect<A, E>) => Promise<A>

export const answererOf =
  ({ askNow, model, roots }: ToolInvocation, server: Server, run: Run): Answerer =>
  async ({ method, params }): Promise<JsonObject> => {
    switch (method) {
      case "elicitation/create":
        return answerElicitation(params, server.name, (question) => run(askNow(question)))
      case "sampling/createMessage":
        if (!server.sampling || model === undefined) {
          throw new McpFailed("invalid_request", `the server "${server.name}" may not ask a model`)
        }
        return answerSampling(params, (ask) => run(model.text(ask)))
      case "roots/list":
        return {
          roots: isCommand(server.reach)
            ? roots.map((path) => ({ uri: pathToFileURL(path).href }))
            : [],
        }
      default:
        throw new McpFailed(
          "invalid_request",
          `the server "${server.name}" asks for "${cleanLine(method, 60)}", which is not supported`,
        )
    }
  }
