/** One thing the doctor looked at. */

export interface Finding {
  /** What was looked at. */
  readonly what: string
  /** `trouble` keeps things from working; `note` may be as it should be. */
  readonly state: "good" | "note" | "trouble"
  /** What was found. */
  readonly said: string
  /** What to do about it. */
  readonly help?: string
}

export const good = (what: string, said: string): Finding => ({ what, state: "good", said })

export const note = (what: string, said: string, help?: string): Finding => ({
  what,
  state: "note",
  said,
  ...(help === undefined ? {} : { help }),
})

export const trouble = (what: string, said: string, help?: string): Finding => ({
  what,
  state: "trouble",
  said,
  ...(help === undefined ? {} : { help }),
})
