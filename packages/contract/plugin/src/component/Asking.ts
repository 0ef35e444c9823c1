/** Questions to a model, as a dry run counts them. */

/** Questions to a model that are put in one way. A number that is unknown before the run is `Infinity`. */
export interface Asking {
  /** The function of `ModelClient` that asks. */
  readonly way: "text" | "json" | "agent"
  /** The most questions of one attempt; 1 unless given. */
  readonly times?: number
  /** Of `agent`: the most turns of its loop. */
  readonly turns?: number
  /** Whether it asks with `parts: "reply"`, so that gates review what is written. */
  readonly isReply?: boolean
  /** Of `text`: whether the model is offered tools, whose texts are among `adds`. */
  readonly tools?: boolean
  /** `maxTokens` of the question, if it has its own. */
  readonly maxTokens?: number
  /**
   * Texts that the first request adds to the values of `with`, at most: instructions, the schema of the reply, tools. Absent
   * if a request may also hold other texts, such as results of tools: its size is then limited by the model alone.
   */
  readonly adds?: ReadonlyArray<string>
}
