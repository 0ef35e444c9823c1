/** The standard hooks. */
import type { AnyHook } from "@planloom/plugin/effect"
import { abTest } from "./abTest.ts"
import { audit } from "./audit.ts"
import { debug } from "./debug.ts"
import { glossary } from "./glossary.ts"
import { injectContext } from "./injectContext.ts"
import { language } from "./language.ts"
import { redactPii } from "./redactPii.ts"
import { segment } from "./segment.ts"
import { timePersona } from "./timePersona.ts"

export const standardHooks: ReadonlyArray<AnyHook> = [
  debug,
  timePersona,
  abTest,
  segment,
  language,
  glossary,
  injectContext,
  redactPii,
  audit,
]
