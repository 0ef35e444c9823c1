/** All rules by code. Generated from the files of this folder by `run docs`. */
import { unreadableFile } from "./unreadable_file.ts"
import { emptyFile } from "./empty_file.ts"
import { yamlSyntax } from "./yaml_syntax.ts"
import { duplicateKey } from "./duplicate_key.ts"
import { yamlTag } from "./yaml_tag.ts"
import { aliasBomb } from "./alias_bomb.ts"
import { unsafeNumber } from "./unsafe_number.ts"
import { manyDocuments } from "./many_documents.ts"
import { unknownKey } from "./unknown_key.ts"
import { missingKey } from "./missing_key.ts"
import { wrongType } from "./wrong_type.ts"
import { unknownValue } from "./unknown_value.ts"
import { badDuration } from "./bad_duration.ts"
import { outOfRange } from "./out_of_range.ts"
import { badName } from "./bad_name.ts"
import { badSchema } from "./bad_schema.ts"
import { conflictingKeys } from "./conflicting_keys.ts"
import { wrongKind } from "./wrong_kind.ts"
import { unsupportedPattern } from "./unsupported_pattern.ts"
import { expressionSyntax } from "./expression_syntax.ts"
import { unclosedExpression } from "./unclosed_expression.ts"
import { textCondition } from "./text_condition.ts"
import { foreignTemplate } from "./foreign_template.ts"
import { curlyQuotes } from "./curly_quotes.ts"
import { unknownName } from "./unknown_name.ts"
import { unknownFunction } from "./unknown_function.ts"
import { unknownField } from "./unknown_field.ts"
import { wrongOperand } from "./wrong_operand.ts"
import { wrongArgument } from "./wrong_argument.ts"
import { wrongResult } from "./wrong_result.ts"
import { neverEqual } from "./never_equal.ts"
import { maybeMissing } from "./maybe_missing.ts"
import { untypedValue } from "./untyped_value.ts"
import { unsafeRegex } from "./unsafe_regex.ts"
import { deepComprehension } from "./deep_comprehension.ts"
import { constantCondition } from "./constant_condition.ts"
import { duplicateId } from "./duplicate_id.ts"
import { unknownStage } from "./unknown_stage.ts"
import { notYetRun } from "./not_yet_run.ts"
import { notNeeded } from "./not_needed.ts"
import { needsCycle } from "./needs_cycle.ts"
import { maybeNoOutput } from "./maybe_no_output.ts"
import { unreachableStage } from "./unreachable_stage.ts"
import { badRerun } from "./bad_rerun.ts"
import { unboundedLoop } from "./unbounded_loop.ts"
import { unsteadyFold } from "./unsteady_fold.ts"
import { unusedInput } from "./unused_input.ts"
import { unusedPrompt } from "./unused_prompt.ts"
import { badRow } from "./bad_row.ts"
import { unreachableCase } from "./unreachable_case.ts"
import { missingCase } from "./missing_case.ts"
import { unsaidText } from "./unsaid_text.ts"
import { lateUntil } from "./late_until.ts"
import { unknownPolicy } from "./unknown_policy.ts"
import { unusedPolicy } from "./unused_policy.ts"
import { contradictoryTimes } from "./contradictory_times.ts"
import { unknownRate } from "./unknown_rate.ts"
import { badTrigger } from "./bad_trigger.ts"
import { unknownPlugin } from "./unknown_plugin.ts"
import { pluginConfig } from "./plugin_config.ts"
import { unknownStageKind } from "./unknown_stage_kind.ts"
import { notSupported } from "./not_supported.ts"
import { unknownWithKey } from "./unknown_with_key.ts"
import { missingWithKey } from "./missing_with_key.ts"
import { wrongWithValue } from "./wrong_with_value.ts"
import { unknownTool } from "./unknown_tool.ts"
import { unknownModel } from "./unknown_model.ts"
import { missingFile } from "./missing_file.ts"
import { workflowCycle } from "./workflow_cycle.ts"
import { silentToolSource } from "./silent_tool_source.ts"
import { unknownEnvironment } from "./unknown_environment.ts"
import { unknownFlag } from "./unknown_flag.ts"
import { unknownSetting } from "./unknown_setting.ts"
import { unlistedModel } from "./unlisted_model.ts"
import { beyondModel } from "./beyond_model.ts"
import { refusedSetting } from "./refused_setting.ts"
import { withheldPlugin } from "./withheld_plugin.ts"
import { unknownReference } from "./unknown_reference.ts"
import { nestedUser } from "./nested_user.ts"
import { misplacedHook } from "./misplaced_hook.ts"
import { hookOrder } from "./hook_order.ts"
import { unknownStore } from "./unknown_store.ts"
import { unknownEmbedder } from "./unknown_embedder.ts"
import { ignoredProject } from "./ignored_project.ts"
import { unsupportedReasoningLevel } from "./unsupported_reasoning.ts"
import { reservedOption } from "./reserved_option.ts"
import { unsupportedImages } from "./unsupported_images.ts"
import { overriddenParams } from "./overridden_params.ts"
import { strayFilter } from "./stray_filter.ts"
import { unusableSource } from "./unusable_source.ts"
import { missingPackage } from "./missing_package.ts"
import { missingIndex } from "./missing_index.ts"
import { unlistedTool } from "./unlisted_tool.ts"
import { outdatedTools } from "./outdated_tools.ts"
import { toolConcern } from "./tool_concern.ts"
import { writingDocument } from "./writing_document.ts"
import { unknownIndex } from "./unknown_index.ts"
import { replacedText } from "./replaced_text.ts"
import { unknownPrompt } from "./unknown_prompt.ts"
import { unknownMode } from "./unknown_mode.ts"
import { unknownSection } from "./unknown_section.ts"
import { badExample } from "./bad_example.ts"
import { unstreamableOutput } from "./unstreamable_output.ts"
import { hookOnStream } from "./hook_on_stream.ts"
import { uncachedSection } from "./uncached_section.ts"
import { badTruncation } from "./bad_truncation.ts"
import { secretInExpression } from "./secret_in_expression.ts"
import { hardcodedSecret } from "./hardcoded_secret.ts"
import type { Rule } from "./Rule.ts"

export const rules: ReadonlyArray<Rule> = [
  unreadableFile,
  emptyFile,
  yamlSyntax,
  duplicateKey,
  yamlTag,
  aliasBomb,
  unsafeNumber,
  manyDocuments,
  unknownKey,
  missingKey,
  wrongType,
  unknownValue,
  badDuration,
  outOfRange,
  badName,
  badSchema,
  conflictingKeys,
  wrongKind,
  unsupportedPattern,
  expressionSyntax,
  unclosedExpression,
  textCondition,
  foreignTemplate,
  curlyQuotes,
  unknownName,
  unknownFunction,
  unknownField,
  wrongOperand,
  wrongArgument,
  wrongResult,
  neverEqual,
  maybeMissing,
  untypedValue,
  unsafeRegex,
  deepComprehension,
  constantCondition,
  duplicateId,
  unknownStage,
  notYetRun,
  notNeeded,
  needsCycle,
  maybeNoOutput,
  unreachableStage,
  badRerun,
  unboundedLoop,
  unsteadyFold,
  unusedInput,
  unusedPrompt,
  badRow,
  unreachableCase,
  missingCase,
  unsaidText,
  lateUntil,
  unknownPolicy,
  unusedPolicy,
  contradictoryTimes,
  unknownRate,
  badTrigger,
  unknownPlugin,
  pluginConfig,
  unknownStageKind,
  notSupported,
  unknownWithKey,
  missingWithKey,
  wrongWithValue,
  unknownTool,
  unknownModel,
  missingFile,
  workflowCycle,
  silentToolSource,
  unknownEnvironment,
  unknownFlag,
  unknownSetting,
  unlistedModel,
  beyondModel,
  refusedSetting,
  withheldPlugin,
  unknownReference,
  nestedUser,
  misplacedHook,
  hookOrder,
  unknownStore,
  unknownEmbedder,
  ignoredProject,
  unsupportedReasoningLevel,
  reservedOption,
  unsupportedImages,
  overriddenParams,
  strayFilter,
  unusableSource,
  missingPackage,
  missingIndex,
  unlistedTool,
  outdatedTools,
  toolConcern,
  writingDocument,
  unknownIndex,
  replacedText,
  unknownPrompt,
  unknownMode,
  unknownSection,
  badExample,
  unstreamableOutput,
  hookOnStream,
  uncachedSection,
  badTruncation,
  secretInExpression,
  hardcodedSecret,
]
