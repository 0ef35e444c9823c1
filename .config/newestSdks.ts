/** Resolves the SDKs of providers in a workspace of its own, which has the newest of them instead of the oldest that are supported. */
import { join } from "node:path"
import type { Plugin } from "vitest/config"
import { installOnce } from "../.ci/installOnce.ts"

const workspace = join(import.meta.dirname, "../checks/sdks")
const SDKS = /^(?:openai|@anthropic-ai\/sdk|@google\/genai)(?:\/|$)/

export const newestSdks: Plugin = {
  name: "newest-sdks",
  enforce: "pre",
  buildStart: () => installOnce(workspace),
  resolveId(source) {
    return SDKS.test(source)
      ? this.resolve(source, join(workspace, "package.json"), { skipSelf: true })
      : null
  },
}
