/** The shape of a model alias. */
import { outputForms, reasoningLevels } from "@planloom/plugin/facts"
import { cutPolicies, type ModelAlias } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { byType, jsonObject, list, map } from "./collections.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { boolean, number, oneOf, text } from "./scalars.ts"

const modelName = text("a model such as anthropic/claude-sonnet-5-5")

/** Seeds are 32-bit integers in Gemini's API, the narrowest of those that know one. */
const largestSeed = 2 ** 31 - 1

const plain: ModelAlias = {
  try: [],
  otherwise: "fail",
  temperature: undefined,
  top_k: undefined,
  seed: undefined,
  max_tokens: undefined,
  stop: undefined,
  reasoning: undefined,
  on_cut: undefined,
  options: undefined,
  structured: undefined,
  repair: undefined,
}

/** `provider/model`, or a list to try with what comes after. */
export const modelAlias: Shape<ModelAlias> = byType<ModelAlias>(
  {
    string: map(modelName, (only) => ({ ...plain, try: [only] })),
    mapping: object(
      {
        try: required(
          list(modelName),
          "provider/model, or an alias that lists some, first choice first.",
        ),
        otherwise: defaulted(
          oneOf("fail", "mechanical"),
          "fail",
          "What to do when every model fails.",
        ),
        temperature: optional(number({ minimum: 0, maximum: 2 }), "0 is the most repeatable."),
        top_k: optional(
          number({ integer: true, minimum: 1 }),
          "How many of the likeliest words it picks from; providers without it ignore it.",
        ),
        seed: optional(
          number({ integer: true, minimum: 0, maximum: largestSeed }),
          "The same seed asks for the same reply again, as far as the service can; providers without it ignore it.",
        ),
        max_tokens: optional(number({ integer: true, minimum: 1 }), "The longest reply."),
        stop: optional(
          list(text("a text that ends the reply"), { atLeast: 1 }),
          "Texts that end the reply where the model writes one of them.",
        ),
        reasoning: optional(
          oneOf(...reasoningLevels),
          "How much the model reasons before it answers; without it, as much as the model does by itself.",
        ),
        on_cut: optional(
          oneOf(...cutPolicies),
          "What to do with text that was cut at max_tokens: fail, note it in an event, or ask the model to continue.",
        ),
        options: optional(
          jsonObject,
          "Fields of the service's own, added to each request, such as { service_tier: flex }.",
        ),
        structured: optional(
          oneOf(...outputForms),
          "How JSON is asked for, where another way than is known of the model does better.",
        ),
        repair: optional(
          boolean,
          "false: a reply that does not match its schema is not sent back once for repair.",
        ),
      },
      {
        expected: "a model such as { try: [anthropic/claude-sonnet-5-5], otherwise: mechanical }",
        aliases: {
          model: "try",
          models: "try",
          fallback: "otherwise",
          else: "otherwise",
          maxtokens: "max_tokens",
          topk: "top_k",
          random_seed: "seed",
          stop_sequences: "stop",
          think: "reasoning",
          thinking: "reasoning",
          effort: "reasoning",
          reasoning_effort: "reasoning",
        },
      },
    ),
  },
  "provider/model, or { try, otherwise }",
  plain,
)
