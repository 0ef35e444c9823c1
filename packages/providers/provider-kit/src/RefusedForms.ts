/** Requests JSON in the best form that a service accepts, and remembers the forms it refused. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  ModelFailed,
  ModelPart,
  ModelReply,
  ModelRequest,
  RefusedForm,
} from "@planloom/plugin/effect"

type Reply = Omit<ModelReply, "model">

interface Tried<F extends string> {
  readonly form: F
  readonly message: string
}

/** Refusals remembered per provider; of more, the oldest are tried again. */
const MAX_REFUSALS = 1000

/** Terms in error messages about a form or its schema. */
const formTerms =
  /response_?format|response_?mime|response_?schema|response_?json|output_config|output_format|json_schema|json_object|json schema|schema|grammar|guided|structured/i
const toolTerms = /tool|function|schema/i

/** Terms about the content of a schema, apart from the names of forms and fields. */
const isAboutSchema = (message: string): boolean =>
  /schema|grammar|too many states/i.test(
    message.replace(/(json|response)_?(json_?)?schema|response_?format/gi, ""),
  )

export interface FormNames<F extends string> {
  /** Requests JSON in the prompt only; used if all others are known to be refused. */
  readonly plain: F
  /** Forces the call of a tool. */
  readonly tool: F
}

export class RefusedForms<F extends string> {
  /** The service's reasons, by model and form, or by model, form and schema. */
  private readonly refused = new Map<string, string>()
  private readonly names: FormNames<F>

  constructor(names: FormNames<F>) {
    this.names = names
  }

  /** `forms`: those that suit the request, best first. */
  generate(
    request: ModelRequest,
    forms: ReadonlyArray<F>,
    ask: (form: F) => Effect.Effect<Reply, ModelFailed>,
  ): Effect.Effect<Reply, ModelFailed> {
    const from = (tried: ReadonlyArray<Tried<F>>): Effect.Effect<Reply, ModelFailed> =>
      Effect.suspend(() => {
        const form = this.bestOf(request, forms, tried) ?? this.names.plain
        return Effect.matchEffect(ask(form), {
          onSuccess: (reply) =>
            Effect.succeed({ ...reply, ...this.accept(request, forms, form, tried) }),
          onFailure: (failure) => {
            const next = [...tried, { form, message: failure.message }]
            return this.isRefusal(form, failure) && this.bestOf(request, forms, next) !== undefined
              ? from(next)
              : Effect.fail(failure)
          },
        })
      })
    return from([])
  }

  stream(
    request: ModelRequest,
    forms: ReadonlyArray<F>,
    ask: (form: F) => Stream.Stream<ModelPart, ModelFailed>,
  ): Stream.Stream<ModelPart, ModelFailed> {
    const from = (tried: ReadonlyArray<Tried<F>>): Stream.Stream<ModelPart, ModelFailed> =>
      Stream.suspend(() => {
        const form = this.bestOf(request, forms, tried) ?? this.names.plain
        const parts = Stream.map(ask(form), (part) =>
          part.type === "finish" ? { ...part, ...this.accept(request, forms, form, tried) } : part,
        )
        return Stream.catch(parts, (failure) => {
          const next = [...tried, { form, message: failure.message }]
          return this.isRefusal(form, failure) && this.bestOf(request, forms, next) !== undefined
            ? from(next)
            : Stream.fail(failure)
        })
      })
    return from([])
  }

  /** The best form that is neither known to be refused nor refused now. */
  private bestOf(
    request: ModelRequest,
    forms: ReadonlyArray<F>,
    tried: ReadonlyArray<Tried<F>>,
  ): F | undefined {
    return forms.find(
      (form) =>
        tried.every((other) => other.form !== form) && this.reason(request, form) === undefined,
    )
  }

  /** Whether the service refused the form, not something else of the request. */
  private isRefusal(form: F, { class: failure, message }: ModelFailed): boolean {
    const { plain, tool } = this.names
    return (
      form !== plain &&
      failure === "invalid_request" &&
      (form === tool ? toolTerms : formTerms).test(message)
    )
  }

  /** Remembers the refusals now that another form was answered: the errors were about the form indeed. */
  private accept(
    request: ModelRequest,
    forms: ReadonlyArray<F>,
    used: F,
    tried: ReadonlyArray<Tried<F>>,
  ): { readonly refused?: RefusedForm } {
    for (const { form, message } of tried) {
      const key = isAboutSchema(message) ? schemaKey(request, form) : modelKey(request, form)
      this.refused.set(key, message)
    }
    for (const oldest of this.refused.keys()) {
      if (this.refused.size <= MAX_REFUSALS) break
      this.refused.delete(oldest)
    }
    const [best] = forms
    const message = best === undefined || best === used ? undefined : this.reason(request, best)
    return message === undefined ? {} : { refused: { form: best!, used, message } }
  }

  private reason(request: ModelRequest, form: F): string | undefined {
    return this.refused.get(modelKey(request, form)) ?? this.refused.get(schemaKey(request, form))
  }
}

const modelKey = ({ model }: ModelRequest, form: string): string => `${form} ${model}`
const schemaKey = ({ model, output }: ModelRequest, form: string): string =>
  `${form} ${model} ${JSON.stringify(output?.schema)}`
