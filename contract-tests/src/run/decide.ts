import type { ProbeContext } from '../contract/context.ts';
import { NotApplicable, Unanswered } from '../contract/endings.ts';
import { SetupFailure } from '../contract/errors.ts';
import { decodeBody, readMediaType, readMember } from '../contract/evidence.ts';
import {
  type CheckResult,
  excerpt,
  type Finding,
  finding,
  type NonEmpty,
  type Outcome,
  type RuleFinding,
} from '../contract/finding.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import { areRequired, findChoice, readingsBehind } from '../contract/readings.ts';
import type { Rule } from '../contract/rule.ts';
import { isProxyPage } from '../wire/outage-signs.ts';

/** The end of a scenario: its result, or the error that ended it. */
export type ScenarioRun = {
  readonly evidence: Evidence;
  readonly inconclusive?: string | undefined;
} & ({ readonly responses: unknown } | { readonly error: unknown });

/** The outcome of a rule by the run of its scenario. A rule that throws is an error of ours (`errored`), never a failure of the target. */
export function decideRule(rule: Rule, run: ScenarioRun, context: ProbeContext): Outcome {
  const { evidence, inconclusive } = run;
  const foreign = explainForeignAnswer(evidence, context);
  if (foreign !== undefined) return { ...foreign, evidence };
  const outcome =
    'error' in run
      ? explainError(rule, run.error, evidence)
      : conclude(rule, () => rule.check(run.responses, context), { evidence, context });
  const isAgainst = outcome.kind === 'failed' || outcome.kind === 'setup-failed';
  return isAgainst && inconclusive !== undefined
    ? { kind: 'not-applicable', because: inconclusive, evidence }
    : outcome;
}

/** An answer that is not the target's own decides nothing. */
function explainForeignAnswer(evidence: Evidence, { kind }: ProbeContext) {
  const page = evidence.find(isProxyPage);
  if (page?.result.kind === 'response') {
    const because = `step "${page.step}" was answered ${page.result.status} by something in front of the router`;
    return { kind: 'not-applicable', because } as const;
  }
  const problem = kind === 'mock' ? evidence.find(({ result }) => isMockProblem(result)) : undefined;
  if (problem?.result.kind !== 'response') return undefined;
  const because = `the mock answered step "${problem.step}" for itself: ${excerpt(decodeBody(problem.result))}`;
  return { kind: 'not-observable', because } as const;
}

/** A problem document of the mock itself (unknown route, wrong method, undocumented code), which proves nothing about the contract. */
function isMockProblem(result: Exchange['result']): boolean {
  if (result.kind === 'no-response' || readMediaType(result) !== 'application/problem+json') return false;
  const type = readMember(result, '/type');
  return typeof type === 'string' && type.includes('stoplight.io/prism/errors');
}

// A target that cannot be reached broke no rule; one that accepts a request and never responds did.
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

/** The one place where an error of a scenario or a check becomes an outcome. */
function explainError(rule: Rule, error: unknown, evidence: Evidence): Outcome {
  if (error instanceof NotApplicable)
    return { kind: 'not-applicable', because: error.message, ...(error.why && { why: error.why }), evidence };
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message, evidence };
  if (error instanceof Unanswered) {
    const { because, detail } = error.result;
    if (unreachable.has(because))
      return { kind: 'setup-failed', reason: `the target was not reached: ${detail}`, evidence };
    return fail(rule, [finding('no-response', { step: error.step }, 'an answer', `${because}: ${detail}`)], evidence);
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'errored', message, evidence };
}

const maxFindings = 200; // a target can be wrong in a million places, and a report has to be readable

type Decided = { readonly evidence: Evidence; readonly context: ProbeContext };

function conclude(rule: Rule, check: () => CheckResult, { evidence, context }: Decided): Outcome {
  try {
    const result = check();
    if ('kind' in result) return { ...result, evidence };
    const [first, ...rest] = result.filter((one) => areRequired(readingsBehind(rule, one), context));
    const foundAt = result.map(({ at }) => at.step);
    if (first !== undefined) return { ...fail(rule, [first, ...rest], evidence), foundAt };
    const [departure] = result;
    if (departure === undefined) return { kind: 'passed', evidence };
    const readings = [...new Set(result.flatMap((one) => readingsBehind(rule, one)))];
    const ours = readings.map((id) => `${findChoice(id)} (${id})`).join(' ');
    const observation = `the text leaves this open; we read it as: ${ours} Here: ${departure.actual} in place of ${departure.expected}`;
    return { kind: 'observed', observation, readings, evidence, foundAt };
  } catch (error) {
    return explainError(rule, error, evidence);
  }
}

function fail(rule: Rule, all: NonEmpty<Finding>, evidence: Evidence): Outcome {
  const [first, ...rest] = all;
  const ofRule = (one: Finding): RuleFinding => ({ ruleId: rule.id, ...one });
  const findings = [ofRule(first), ...rest.slice(0, maxFindings - 1).map(ofRule)] as const;
  return { kind: 'failed', findings, evidence, foundAt: all.map(({ at }) => at.step) };
}

/** Exchanges with a finding, and the requirements of the rules that found it: the findings are attributed to those. */
export type Attributions = Map<Exchange, Set<string>>;

export const originOf = (exchange: Exchange): Exchange => exchange.origin ?? exchange;

export function attribute(rule: Rule, outcome: Outcome, attributions: Attributions): void {
  for (const exchange of selectSteps(outcome.foundAt ?? [], outcome.evidence)) {
    const sent = originOf(exchange);
    attributions.set(sent, new Set([...(attributions.get(sent) ?? []), ...rule.requirements]));
  }
}

function selectSteps(steps: readonly string[], evidence: Evidence): Evidence {
  const chosen = new Set(steps);
  return evidence.filter(({ step }) => chosen.has(step));
}

/** The exchanges of a check under distinct step names: a scenario's own are unique within the scenario only. */
export function numbered(log: Evidence): Evidence {
  return log.map((exchange, index) => ({
    ...exchange,
    step: `${index + 1} ${exchange.step}`,
    origin: originOf(exchange),
  }));
}

/**
 * Exchanges that a rule over the whole check reads. An exchange with a finding for another requirement is left out: what else is
 * odd about it may follow from that.
 */
export function selectEvidence(rule: Rule, all: Evidence, attributions: Attributions): Evidence {
  // The same list for most rules: what is read from it is read once.
  if (rule.readsAttributed || attributions.size === 0) return all;
  return all.filter((exchange) => {
    const attributed = attributions.get(originOf(exchange));
    return attributed === undefined || rule.requirements.some((one) => attributed.has(one));
  });
}

/** Like the outcome of any rule; of the evidence only exchanges with findings are kept, or each rule would repeat the whole check. */
export function decideWholeCheck(rule: Rule, all: Evidence, context: ProbeContext): Outcome {
  const own = all.filter((one) => !isProxyPage(one));
  const evidence = context.kind === 'mock' ? own.filter(({ result }) => !isMockProblem(result)) : own;
  const outcome = conclude(rule, () => rule.check(evidence, context), { evidence, context });
  const steps = outcome.kind === 'failed' ? outcome.findings.map(({ at }) => at.step) : [];
  return { ...outcome, evidence: selectSteps(steps, evidence) };
}
