// The entry point of `import … from 'openapi-switchyard/rules'`: rules of your own, which `conform` checks together with those of the gate.
export type { Answer } from '../contract-tests/src/contract/answer.ts';
export { decodeBody, readHeader, readMember } from '../contract-tests/src/contract/evidence.ts';
export {
  type CheckResult,
  type Finding,
  finding,
  notApplicable,
  observed,
} from '../contract-tests/src/contract/finding.ts';
export { type Rule, rule } from '../contract-tests/src/contract/rule.ts';
export {
  type CallOptions,
  type Client,
  type Runnable,
  type Scenario,
  type ScenarioContext,
  scenario,
} from '../contract-tests/src/contract/scenario.ts';
export {
  anyOf,
  authentication,
  credential,
  hook,
  input,
  job,
  state,
  validation,
} from '../contract-tests/src/requires.ts';
export * as expect from '../contract-tests/src/rules/expect.ts';
