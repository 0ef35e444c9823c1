/** Plugin options of every command: the bundled plugins, others if their folder is trusted, the secrets they may read, and the variables of flags. */
import type { LoadOptions } from "@planloom/language"
import * as Effect from "effect/Effect"
import { mayLoad } from "../trust/mayLoad.ts"
import { maySend } from "../trust/maySend.ts"
import { mayStart } from "../trust/mayStart.ts"
import { mayTrust } from "../trust/mayTrust.ts"
import { TrustChoice } from "../trust/TrustChoice.ts"
import { bundledManifests } from "./bundledManifests.ts"
import { bundledPlugins } from "./bundledPlugins.ts"
import { missingPackages } from "./optionalPackages.ts"
import { namedValue } from "./namedValue.ts"

export const pluginOptions: Effect.Effect<
  Required<
    Pick<
      LoadOptions,
      | "plugins"
      | "manifests"
      | "mayLoad"
      | "maySend"
      | "mayStart"
      | "mayTrust"
      | "missing"
      | "secret"
      | "variable"
    >
  >
> = Effect.map(TrustChoice, (choice) => ({
  plugins: bundledPlugins,
  manifests: bundledManifests,
  mayLoad: mayLoad(choice),
  maySend: maySend(choice),
  mayStart: mayStart(choice),
  mayTrust: mayTrust(choice),
  missing: missingPackages,
  secret: namedValue,
  variable: namedValue,
}))
