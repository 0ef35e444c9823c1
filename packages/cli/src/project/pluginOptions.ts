/** Plugin options of every command: the bundled plugins, and others if their folder is trusted. */
import type { LoadOptions } from "@planloom/language"
import * as Effect from "effect/Effect"
import { mayLoad } from "../trust/mayLoad.ts"
import { TrustChoice } from "../trust/TrustChoice.ts"
import { bundledManifests } from "./bundledManifests.ts"
import { bundledPlugins } from "./bundledPlugins.ts"

export const pluginOptions: Effect.Effect<
  Required<Pick<LoadOptions, "plugins" | "manifests" | "mayLoad">>
> = Effect.map(TrustChoice, (choice) => ({
  plugins: bundledPlugins,
  manifests: bundledManifests,
  mayLoad: mayLoad(choice),
}))
