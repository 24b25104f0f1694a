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
export type { ConformanceInput, OnResult } from './conformance.ts';
export type { ProbeContext, ServiceHeaders } from './context.ts';
export { HarnessError, SetupFailure } from './errors.ts';
export type { Draft, Finding, FindingCode, Outcome, OutcomeKind, Verdict } from './finding.ts';
export type { Evidence, Exchange, NoResponse, Probe, ProbeRequest, Step, WireRequest, WireResponse } from './probe.ts';
export { defineRule, type Rule, type RuleId } from './rule.ts';
export type { ModelKind, Survey, SurveyedModel } from './survey.ts';
export type { Applicability, Capability, CredentialName, Credentials, JobName, Target, TargetKind } from './target.ts';
