/** The plugin of `use.plugins` for the key `shadow`. */
import { definePlugin } from "@planloom/plugin/effect"
import { shadowSection } from "./shadowSection.ts"

export default definePlugin({
  id: "shadow",
  summary:
    "The key `shadow` of workflows and stages: reviews of replies by subagents and validators.",
  components: { sections: [shadowSection("workflow"), shadowSection("stage")] },
})
