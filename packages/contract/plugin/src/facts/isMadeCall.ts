/** Whether a tool was called: the call was not refused before it, and no equal call of the run has answered it. */
import type { RunEvent } from "../run/Event.ts"

type ToolCalled = Extract<RunEvent, { readonly type: "ToolCalled" }>

export const isMadeCall = ({ from, refused }: Pick<ToolCalled, "from" | "refused">): boolean =>
  refused !== true && from === undefined
