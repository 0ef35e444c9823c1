/** Workers: resume runnable runs of a store until a scope closes, or once. */
export type { Ended, Worker, WorkerOptions } from "./Worker.ts"
export { worker } from "./startWorker.ts"
export { failRunOf } from "./OnHand.ts"
export type { Ready } from "./claim.ts"
export { resumeDue, type ResumeDueOptions, type ResumedRun } from "./resumeDue.ts"
export type { GivenValues } from "./Unrecorded.ts"
export { enqueue, type EnqueuedRun } from "./enqueue.ts"
