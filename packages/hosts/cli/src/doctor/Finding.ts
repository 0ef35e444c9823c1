/** Result of one check of `planloom doctor`. */

export interface Finding {
  /** The subject of the check. */
  readonly what: string
  /** `error` prevents a run; `note` may be intended. */
  readonly state: "good" | "note" | "error"
  /** The result. */
  readonly detail: string
  /** How to fix it. */
  readonly help?: string
}

export const good = (what: string, detail: string): Finding => ({ what, state: "good", detail })

export const note = (what: string, detail: string, help?: string): Finding => ({
  what,
  state: "note",
  detail,
  ...(help === undefined ? {} : { help }),
})

export const failing = (what: string, detail: string, help?: string): Finding => ({
  what,
  state: "error",
  detail,
  ...(help === undefined ? {} : { help }),
})
