export { httpExchange } from './adapters/http-exchanger.ts';
export {
  type InProcessOptions,
  inProcessExchanger,
  inProcessPorts,
  type MovableClock,
  type WireOf,
} from './adapters/in-process-exchanger.ts';
export type { ConformanceInput, OnResult } from './conformance.ts';
export type { ProbeContext, ServiceHeaders } from './context.ts';
export { defaultLimits, type Limits } from './engine/limits.ts';
export { HarnessError, SetupFailure } from './errors.ts';
export {
  allResponses,
  exchangesOf,
  headerOf,
  headerValues,
  jsonOf,
  mediaTypeOf,
  memberOf,
  responseOf,
  responsesOf,
  type StepResponse,
  textOf,
  wasAnswered,
} from './evidence.ts';
export {
  type CheckResult,
  type Finding,
  type FindingCode,
  type Outcome,
  type OutcomeKind,
  outcomeKinds,
  type RuleFinding,
} from './finding.ts';
export {
  applicabilityOf,
  type ListedRule,
  listRules,
  requiredRules,
  runConformance,
  runWithVitest,
  unmatchedRulePatterns,
} from './gate.ts';
export { type Mock, type MockOptions, startMock } from './mock/start-mock.ts';
export { checkExchanges } from './passive/index.ts';
export type { Clock, Exchanger, Ports } from './ports.ts';
export type { Evidence, Exchange, NoResponse, Probe, ProbeRequest, Step, WireRequest, WireResponse } from './probe.ts';
export { renderJson } from './report/render-json.ts';
export { renderJunit } from './report/render-junit.ts';
export { renderText } from './report/render-text.ts';
export { type ConformanceReport, exitCodeOf, type OutcomeRecord, type RuleResult, reasonOf } from './report/report.ts';
export { defineRule, type Rule, type RuleId } from './rule.ts';
export type { RunnerOptions } from './runner/run-with-vitest.ts';
export { runSelfCheck, type SelfCheckOptions } from './self-check/run-self-check.ts';
export {
  type DeclaredFault,
  type DeclaredVariant,
  isSound,
  type Progress,
  renderSelfCheck,
  type SelfCheckReport,
} from './self-check/self-check.ts';
export type { Deviation, OpenSubject, Subject } from './self-check/trial.ts';
export type { ModelKind, Survey, SurveyedModel } from './survey.ts';
export type { Applicability, Capability, CredentialName, Credentials, JobName, Target, TargetKind } from './target.ts';
export { renderTraceability, type Traced, traceabilityProblems } from './traceability/traceability.ts';
export { type Reason, readUnobservable } from './traceability/unobservable.ts';
