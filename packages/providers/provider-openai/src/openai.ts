/** Model provider for any server with OpenAI's protocol, on OpenAI's SDK. */
import * as Effect from "effect/Effect"
import type { ModelFailed, ModelRequest, Provider } from "@planloom/plugin/effect"
import {
  replySizeLimit,
  RefusedForms,
  withServiceNames,
  type RequestOptions,
} from "@planloom/provider-kit"
import { checkAvailable } from "./checkAvailable.ts"
import { listsModel } from "./listsModel.ts"
import { chatApi } from "./chatApi.ts"
import { clientFor } from "./client.ts"
import { modesFor } from "./modesFor.ts"
import type { ServerOptions } from "./options.ts"
import { isRequestSetting, structuredModes, type StructuredMode } from "./Setting.ts"
import { ollamaApi } from "./ollama/ollamaApi.ts"
import { responsesApi } from "./responses/responsesApi.ts"
import { requestOptions } from "./requestOptions.ts"

export interface OpenAiProvider extends Provider {
  /** Requests one token, so that a local server has the model loaded when it is needed. */
  readonly load: (model: string) => Effect.Effect<void, ModelFailed>
}

export const openai = (server: ServerOptions): OpenAiProvider => {
  const client = clientFor(server)
  const forms = new RefusedForms<StructuredMode>({ plain: "none", tool: "tool" })
  const name = ({ model }: ModelRequest) => `${server.id}/${model}`
  const originOf = ({ model }: ModelRequest) => ({ service: server.id, model })
  const requestOptionsFor = ({ model }: ModelRequest): RequestOptions =>
    requestOptions(server, model)

  const context = { client, name, originOf, requestOptionsFor, server }
  const apis = {
    chat: chatApi(context),
    responses: responsesApi(context),
    ollama: ollamaApi(context),
  }
  const apiOf = ({ model }: ModelRequest) => apis[server.model(model).api]

  const load = (model: string) =>
    Effect.asVoid(
      apis[server.model(model).api].generate(
        { model, system: [], messages: [{ role: "user", content: "hi" }], maxTokens: 1 },
        "none",
      ),
    )

  return withServiceNames({
    id: server.id,
    summary: server.summary,
    ...replySizeLimit(server.limits),
    forms: structuredModes.length,
    omits: (model) => server.model(model).omit.filter(isRequestSetting),
    available: checkAvailable(server),
    lists: listsModel(server),
    generate: (request) =>
      forms.generate(request, modesFor(request, server), (mode) =>
        apiOf(request).generate(request, mode),
      ),
    stream: (request) =>
      forms.stream(request, modesFor(request, server), (mode) =>
        apiOf(request).stream(request, mode),
      ),
    load,
    // A service with a key charges for requests.
    ...(server.key === undefined ? { warm: load } : {}),
  })
}
