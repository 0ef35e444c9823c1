/** The one order of keys in workflow files, as shapes list them. */
import { formatYaml } from "../source/format.ts"
import type { Formatted, KeyOrder } from "../source/format.ts"
import type { SourceFile } from "../source/SourceFile.ts"
import { sessionKeys } from "./shape/session.ts"
import { stageKeys } from "./shape/stage.ts"
import { workflowKeys } from "./shape/workflow.ts"

const orders: ReadonlyArray<KeyOrder> = [
  { keys: workflowKeys, at: (path) => path.length === 0 },
  { keys: sessionKeys, at: (path) => path.length === 1 && path[0] === "session" },
  {
    keys: stageKeys,
    // `stages[0]`, `finally[1]`, `stages[0].stages[2]`.
    at: (path) =>
      path.length > 0 &&
      path.length % 2 === 0 &&
      path.every((segment, index) =>
        index % 2 === 1
          ? typeof segment === "number"
          : segment === "stages" || (index === 0 && segment === "finally"),
      ),
  },
]

/** Formats a workflow file. Other kinds of file keep their order and get the spacing. */
export const format = (file: SourceFile): Formatted =>
  formatYaml(file, /^kind:\s*["']?Workflow["']?\s*(#.*)?$/m.test(file.text) ? orders : [])
