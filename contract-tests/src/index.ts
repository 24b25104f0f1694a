export { type ListedRule, listRules, runConformance, unmatchedRulePatterns } from './conform.ts';
export type { Exchanger } from './contract/ports.ts';
export type { Exchange } from './contract/probe.ts';
export type { Budget, LiveModel, Target, TargetKind } from './contract/target.ts';
export type { Deviation, StartSystem, SystemUnderTest } from './prove/mutation-run.ts';
export {
  type FaultRun,
  isSound,
  renderSelfCheck,
  runSelfCheck,
  type SelfCheckReport,
} from './prove/self-check.ts';
export { checkRecorded } from './record/check-recorded.ts';
export { conformToFolder, planConformanceRun } from './record/conform-to-folder.ts';
export { readHar } from './record/har.ts';
export { mergeFolders } from './record/merge-folders.ts';
export { withComparison } from './report/compare.ts';
export { findingTexts, outcomeTexts, requirementOf } from './report/meanings.ts';
export { parseResult, withExchanges } from './report/parse-report.ts';
export { percentOf } from './report/render-coverage.ts';
export { renderFiles } from './report/render-files.ts';
export { renderAnnotations } from './report/render-github.ts';
export { renderMarkdown } from './report/render-markdown.ts';
export { renderPlan } from './report/render-plan.ts';
export { renderText } from './report/render-text.ts';
export {
  type AppliedWaiver,
  type ConformanceReport,
  exitCodeOf,
  failuresOf,
  type ResultFile,
  type RuleResult,
  reasonOf,
  renderJson,
} from './report/report.ts';
export { readUnobservable, renderTraceability, type Traced, traceabilityProblems } from './report/traceability.ts';
export { applyWaivers, parseWaivers, renderBaseline, type Waiver } from './report/waivers.ts';
export { type CredentialName, type JobName, ownerSettings, type Requisite, requisites } from './requires.ts';
export { checkExchanges } from './rules/passive/index.ts';
export { fetchPorts } from './targets/fetch-ports.ts';
export { httpPorts } from './targets/http-ports.ts';
export { inProcessPorts } from './targets/in-process-ports.ts';
export { startMock } from './targets/mock.ts';
export type { FetchHandler } from './wire/fetch-exchanger.ts';
export type {
  Handle,
  InProcessReply,
  InProcessRequest,
} from './wire/in-process-exchanger.ts';
export { type RecordingProxy, startRecordingProxy } from './wire/recording-proxy.ts';
