/** The plugin of `use.plugins` for the keys `hooks` and `experiments`. */
import { definePlugin } from "@planloom/plugin/effect"
import { experimentsSection } from "./experimentsSection.ts"
import { hooksSection } from "./hooksSection.ts"

export default definePlugin({
  id: "hooks",
  summary: "The key `hooks` of workflows and stages, and `experiments` of workflows.",
  components: { sections: [hooksSection("workflow"), hooksSection("stage"), experimentsSection] },
})
