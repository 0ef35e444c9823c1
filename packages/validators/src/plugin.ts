/** The plugin of `use.plugins` for the deterministic validators. */
import { definePlugin } from "@planloom/plugin/effect"
import { pii } from "./validators/pii.ts"

export default definePlugin({
  id: "validators",
  summary: "Deterministic checks of texts, without a model.",
  components: { validators: [pii] },
})
