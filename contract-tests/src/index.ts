export type { FetchHandler } from './adapters/fetch-exchanger.ts';
export type {
  Handle,
  InProcessReply,
  InProcessRequest,
} from './adapters/in-process-exchanger.ts';
export { type RecordingProxy, startRecordingProxy } from './adapters/recording-proxy.ts';
export { type ListedRule, listRules, runConformance, unmatchedRulePatterns } from './conform.ts';
export type { Exchanger } from './definitions/ports.ts';
export type { Exchange } from './definitions/probe.ts';
export type { Budget, CredentialName, JobName, LiveModel, Target, TargetKind } from './definitions/target.ts';
export { checkExchanges } from './passive/index.ts';
export { readHar } from './recording/har.ts';
export { withComparison } from './report/compare.ts';
export { findingTexts, outcomeTexts } from './report/meanings.ts';
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
export { requirementOf } from './report/rule-texts.ts';
export { readUnobservable, renderTraceability, type Traced, traceabilityProblems } from './report/traceability.ts';
export { applyWaivers, parseWaivers, renderBaseline, type Waiver } from './report/waivers.ts';
export type { Deviation, StartSystem, SystemUnderTest } from './self-check/mutation-run.ts';
export {
  type FaultRun,
  isSound,
  renderSelfCheck,
  runSelfCheck,
  type SelfCheckReport,
} from './self-check/self-check.ts';
export { checkRecorded } from './supervision/check-recorded.ts';
export { conformToFolder, planConformanceRun } from './supervision/conform-to-folder.ts';
export { mergeFolders } from './supervision/merge-folders.ts';
export { fetchPorts } from './targets/fetch-ports.ts';
export { httpPorts } from './targets/http-ports.ts';
export { inProcessPorts } from './targets/in-process-ports.ts';
export { startMock } from './targets/mock.ts';
