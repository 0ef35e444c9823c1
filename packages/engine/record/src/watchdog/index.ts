/** The watchdog of a process that executes runs of others. */
export { STALLED_EXIT_CODE, watchdog, type WatchdogOptions } from "./watchdog.ts"
