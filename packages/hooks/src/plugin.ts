/** The plugin of `use.plugins` for the key `hooks`. */
import { definePlugin } from "@planloom/plugin/effect"
import { hooksSection } from "./hooksSection.ts"

export default definePlugin({
  id: "hooks",
  summary: "The key `hooks` of workflows and stages.",
  components: { sections: [hooksSection("workflow"), hooksSection("stage")] },
})
