export { httpExchange } from './adapters/http-exchanger.ts';
export {
  type Handle,
  type InProcessOptions,
  type InProcessReply,
  type InProcessRequest,
  inProcessExchanger,
  inProcessPorts,
  type MovableClock,
} from './adapters/in-process-exchanger.ts';
export {
  type Answer,
  allResponses,
  exchangesOf,
  headerOf,
  headerValues,
  jsonOf,
  mediaTypeOf,
  memberOf,
  responseOf,
  responsesOf,
  textOf,
  wasAnswered,
} from './answer.ts';
export {
  applicabilityOf,
  type ConformanceInput,
  conformToFolder,
  type ListedRule,
  listRules,
  runConformance,
  unmatchedRulePatterns,
} from './conform.ts';
export type { ProbeContext, ServiceHeaders } from './context.ts';
export type { Limits } from './engine/session.ts';
export { HarnessError, SetupFailure } from './errors.ts';
export {
  type Draft,
  type Finding,
  type FindingCode,
  type Outcome,
  type OutcomeKind,
  outcomeKinds,
  type Verdict,
} from './finding.ts';
export { judgeExchanges, type ToJudge } from './passive/judge-exchanges.ts';
export type { Clock, Exchanger, Ports } from './ports.ts';
export type { Evidence, Exchange, NoResponse, Probe, ProbeRequest, Step, WireRequest, WireResponse } from './probe.ts';
export { renderJunit } from './report/render-junit.ts';
export { renderText } from './report/render-text.ts';
export {
  type ConformanceReport,
  exitCodeOf,
  type OutcomeRecord,
  type RuleResult,
  reasonOf,
  renderJson,
} from './report/report.ts';
export { type RequiredRules, readRequiredRules } from './report/required-rules.ts';
export {
  type Reason,
  readUnobservable,
  renderTraceability,
  type Traced,
  traceabilityProblems,
} from './report/traceability.ts';
export { defineRule, type Rule, type RuleId } from './rule.ts';
export type { Deviation, StartSystem, SystemUnderTest } from './self-check/mutation-run.ts';
export {
  type DeclaredFault,
  type DeclaredVariant,
  isSound,
  type Progress,
  renderSelfCheck,
  runSelfCheck,
  type SelfCheckOptions,
  type SelfCheckReport,
} from './self-check/self-check.ts';
export type { ModelKind, Survey, SurveyedModel } from './survey.ts';
export type { Applicability, Capability, CredentialName, Credentials, JobName, Target, TargetKind } from './target.ts';
export { httpPorts } from './targets/http-ports.ts';
export { type Mock, type MockOptions, startMock } from './targets/mock.ts';
