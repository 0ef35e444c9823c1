/** The plugin that contributes the built-in stage kinds and plan templates. */
import { definePlugin } from "@planloom/plugin/effect"
import { act } from "./kinds/act.ts"
import { adapt } from "./kinds/adapt.ts"
import { agent } from "./kinds/agent.ts"
import { approve } from "./kinds/approve.ts"
import { call } from "./kinds/call.ts"
import { cover } from "./kinds/cover.ts"
import { execute } from "./kinds/execute.ts"
import { generate } from "./kinds/generate.ts"
import { narrow } from "./kinds/narrow.ts"
import { plan } from "./kinds/plan.ts"
import { plan_turn } from "./kinds/plan_turn.ts"
import { reflect } from "./kinds/reflect.ts"
import { route } from "./kinds/route.ts"
import { emit } from "./kinds/emit.ts"
import { set } from "./kinds/set.ts"
import { wait } from "./kinds/wait.ts"
import { workflow } from "./kinds/workflow.ts"
import { planTemplate } from "./planTemplate.ts"

export default definePlugin({
  id: "stages",
  summary: "The built-in stage kinds, and plan templates.",
  components: {
    fileKinds: [planTemplate],
    stages: [
      agent,
      narrow,
      adapt,
      cover,
      execute,
      generate,
      call,
      approve,
      workflow,
      set,
      wait,
      emit,
      reflect,
      plan,
      plan_turn,
      act,
      route,
    ],
  },
})
