export { type ListedRule, listRules, loadRules, runConformance } from './conform.ts';
export { decodeBody, readHeader, readMember } from './contract/evidence.ts';
export type { Exchange, Exchanger } from './contract/exchange.ts';
export {
  type CheckResult,
  type Finding,
  finding,
  findingTexts,
  notApplicable,
  observed,
  outcomeTexts,
} from './contract/finding.ts';
export { describeBasis, listReadings, type Rule, rule } from './contract/rule.ts';
export {
  type Answer,
  type CallOptions,
  type Client,
  type FreeContext,
  type Runnable,
  type Scenario,
  type ScenarioContext,
  scenario,
} from './contract/scenario.ts';
export { type Budget, findScheme, isJwt, type LiveModel, type Target, type TargetKind } from './contract/target.ts';
export { checkServers, combine, renderConforming } from './prove/conforming.ts';
export {
  checkRules,
  type DeclaredFault,
  type FaultRun,
  isSound,
  onThreads,
  renderSelfCheck,
  type SelfCheckReport,
} from './prove/self-check.ts';
export type { Deviation, StartSystem, SystemUnderTest } from './prove/worker.ts';
export {
  type CheckProgress,
  checkRecorded,
  conformToFolder,
  planCheck,
} from './record/conform-to-folder.ts';
export { type ReadHar, readHar } from './record/har.ts';
export { parseResult, withComparison } from './report/compare.ts';
export type { ReportFormat } from './report/formats.ts';
export { renderFiles } from './report/render-files.ts';
export { renderAnnotations, renderMarkdown } from './report/render-markdown.ts';
export { renderPlan } from './report/render-plan.ts';
export { renderText } from './report/render-text.ts';
export {
  type AppliedWaiver,
  type ConformanceReport,
  exitCodeOf,
  listFailures,
  type RuleResult,
  reasonOf,
  renderJson,
} from './report/report.ts';
export { computeShare } from './report/view.ts';
export { applyWaivers, parseWaivers, renderBaseline } from './report/waivers.ts';
export {
  anyOf,
  authentication,
  credential,
  hook,
  input,
  type JobName,
  job,
  ownerSettings,
  type Requisite,
  requisites,
  state,
  validation,
} from './requires.ts';
export * as expect from './rules/expect.ts';
export { unmatchedPatterns } from './run/plan.ts';
export { startMock } from './targets/mock.ts';
export { fetchPorts, httpPorts, inProcessPorts } from './targets/ports.ts';
export type {
  FetchHandler,
  Handle,
  InProcessReply,
  InProcessRequest,
} from './wire/in-process-exchanger.ts';
