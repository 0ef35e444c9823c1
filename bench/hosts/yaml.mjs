/** A host that reads and checks a workflow and runs it once. */
import { loadWorkflow } from "@planloom/embed"
import { account } from "./account.mjs"

const workflow = await loadWorkflow("noop.yaml")
const { outputs } = await workflow.run({})
if (outputs.n !== 11) throw new Error("wrong")
account()
