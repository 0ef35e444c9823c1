/** Plugin that contributes the tool source. */
import { definePlugin } from "@planloom/plugin/effect"
import { source } from "./source.ts"

export default definePlugin({
  id: "tools_data",
  summary: "Table tools on DuckDB and charts with Vega-Lite.",
  components: { tools: [source] },
})
