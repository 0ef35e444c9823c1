/** Keys whose examples are still to be written. The list may only shrink. */
export const pending: ReadonlySet<string> = new Set([])
