/** The plugin of `use.plugins` for the deterministic validators. */
import { definePlugin } from "@planloom/plugin/effect"
import { injection } from "./validators/injection.ts"
import { language } from "./validators/language.ts"
import { length } from "./validators/length.ts"
import { numbers } from "./validators/numbers.ts"
import { pii } from "./validators/pii.ts"
import { promises } from "./validators/promises.ts"
import { readability } from "./validators/readability.ts"
import { secrets } from "./validators/secrets.ts"
import { urls } from "./validators/urls.ts"

export default definePlugin({
  id: "validators",
  summary: "Deterministic checks of texts, without a model.",
  components: {
    validators: [pii, secrets, urls, promises, numbers, injection, length, readability],
    subagents: [language],
  },
})
