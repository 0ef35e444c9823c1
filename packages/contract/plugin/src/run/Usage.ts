/** Tokens used by a model call. */

/** Tokens of one call. */
export interface Usage {
  readonly input: number
  readonly output: number
  /** The part of `input` that was read from the provider's cache. */
  readonly cached?: number
  /** The part of `input` that was written into the provider's cache. */
  readonly written?: number
  /**
   * From a provider: the service reported only this, but may have used more, for example for a cut-off reply. From the
   * engine: missing numbers are counted from the texts.
   */
  readonly estimated?: true
  /**
   * Of a reply that its service paused: what each request took before the last one. The other fields are sums. Set by the
   * engine.
   */
  readonly earlier?: ReadonlyArray<Usage>
}
