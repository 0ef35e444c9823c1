/** Examples of all keys, by what they belong to. */
import { catalogExamples, shownExamples } from "./catalog.ts"
import { documentExamples } from "./documents.ts"
import { domainExamples } from "./domains.ts"
import { evaluationExamples } from "./evaluations.ts"
import { exampleRunExamples } from "./exampleRuns.ts"
import { pastExamples } from "./pasts.ts"
import { experimentExamples } from "./experiments.ts"
import { hookExamples } from "./hooks.ts"
import { hostExamples } from "./hosts.ts"
import { kindExamples } from "./kinds.ts"
import { modelExamples } from "./models.ts"
import { outputExamples } from "./outputs.ts"
import { planningExamples } from "./planning.ts"
import { planExamples } from "./plans.ts"
import { policyExamples } from "./policies.ts"
import { projectExamples } from "./project.ts"
import { recordExamples } from "./records.ts"
import { stageExamples } from "./stage.ts"
import { shadowExamples } from "./shadow.ts"
import { reflectExamples } from "./reflect.ts"
import { routeExamples } from "./route.ts"
import { limitExamples } from "./stageLimits.ts"
import { templateExamples } from "./templates.ts"
import { testExamples } from "./testFiles.ts"
import { triggerExamples } from "./triggers.ts"
import { vocabularyExamples } from "./vocabulary.ts"
import { workflowExamples } from "./workflow.ts"

export const groups = {
  workflows: workflowExamples,
  policies: policyExamples,
  stages: stageExamples,
  "limits of stages": limitExamples,
  models: modelExamples,
  "sessions and outputs": outputExamples,
  catalogs: catalogExamples,
  "files of examples": shownExamples,
  projects: projectExamples,
  "stage kinds": kindExamples,
  conversations: routeExamples,
  "libraries and their searches": documentExamples,
  "plans of a request": planExamples,
  tests: testExamples,
  evaluations: evaluationExamples,
  hooks: hookExamples,
  experiments: experimentExamples,
  reviews: shadowExamples,
  "embeddings and stores": recordExamples,
  planning: planningExamples,
  reflection: reflectExamples,
  "questions and answers": vocabularyExamples,
  "domains and confidence": domainExamples,
  "plan templates": templateExamples,
  hosts: hostExamples,
  triggers: triggerExamples,
  "runs of examples": exampleRunExamples,
  "given sessions": pastExamples,
} as const
