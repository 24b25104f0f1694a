import pMap from 'p-map';
import type { Answer, Silence } from './answer.ts';
import { NotAffordable, NotApplicable, Unanswered } from './endings.ts';
import { OutOfTime, SetupFailure } from './errors.ts';
import { readHint, selectStep } from './evidence.ts';
import type { Evidence, Exchange, Probe, Step } from './probe.ts';
import { type Cost, type Scenario, type ScenarioContext, scenario } from './scenario.ts';

export type StepList = Probe | ((context: ScenarioContext) => Probe);
/** `cut`: a call that had to be refused was accepted, and no further one was sent. */
export type Performed = { readonly evidence: Evidence; readonly cut: NotApplicable | undefined };

const known = new Map<StepList, Scenario<Performed>>();

/** Runs a list of steps as a scenario; the same one for the same list. */
export function scenarioOfSteps(steps: StepList, cost: Cost): Scenario<Performed> {
  const earlier = known.get(steps);
  if (earlier !== undefined) return earlier;
  const made = scenario({ cost }, (context) => performSteps(steps, context));
  known.set(steps, made);
  return made;
}

async function performSteps(list: StepList, context: ScenarioContext): Promise<Performed> {
  const steps = typeof list === 'function' ? list(context) : list;
  const evidence: Exchange[] = [];
  try {
    for (const group of groupSteps(steps)) {
      const perform = (step: Step) => performStep(step, context, evidence).catch((error: unknown) => ({ error }));
      const ended = await pMap(group, perform, { concurrency: 8 });
      for (const one of ended) if (one !== undefined) throw one.error;
    }
  } catch (error) {
    if (!(error instanceof NotApplicable) || error.why?.code !== 'distrusted') throw error;
    return { evidence, cut: error };
  }
  return { evidence, cut: undefined };
}

/** Steps that go out together: each with those that follow it `alongside`. */
function groupSteps(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.alongside && last !== undefined) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

async function performStep(step: Step, context: ScenarioContext, evidence: Exchange[]): Promise<undefined> {
  const { repeat } = step;
  const mayBeOmitted = (error: unknown): boolean =>
    step.mayBeLeftOut === true && (error instanceof NotAffordable || error instanceof OutOfTime);
  try {
    if (step.passMs !== undefined) await context.pass(step.passMs);
    if (step.script !== undefined) await context.script(step.script);
    const first = await context.after(Math.max(step.afterMs ?? 0, readHintOf(step, evidence)), () =>
      ask(step, context, evidence),
    );
    if (first === undefined || repeat === undefined) return;
    let next: Answer | Silence | undefined = first;
    const again = async (): Promise<Answer> => {
      const answer = next ?? (await ask(step, context, evidence));
      next = undefined;
      if (answer?.kind !== 'response') throw new SetupFailure(`step "${step.name}" was not answered`);
      return answer;
    };
    const until = ({ exchange }: Answer): boolean => repeat.until({ ...exchange, step: step.name }, evidence);
    await context.repeat(again, { ...repeat, until });
  } catch (error) {
    if (!mayBeOmitted(error)) throw error;
  }
}

async function ask(step: Step, context: ScenarioContext, evidence: Exchange[]): Promise<Answer | Silence | undefined> {
  const request = step.request(evidence);
  if (request === undefined) return undefined;
  const scripted = step.script && ('code' in step.script ? step.script.code : step.script.error_type);
  const toShow = step.toShow ?? scripted;
  const purpose = {
    name: step.name,
    ...(step.mustBeRejected && { rejected: true as const }),
    ...(step.sharedRun !== undefined && { share: step.sharedRun }),
    ...(toShow !== undefined && { toShow }),
    ...(step.states && { states: step.states }),
  };
  const attempt = selectStep(evidence, step.name).length + 1;
  const answer = await (step.mayStayUnanswered ? context.trySend : context.send)(request, purpose).catch((error) => {
    throw error instanceof Unanswered && step.mustAnswer !== undefined ? new SetupFailure(error.message) : error;
  });
  evidence.push({ ...answer.exchange, step: step.name, attempt, origin: answer.exchange });
  if (answer.kind === 'response' && step.mustAnswer !== undefined) await context.must(answer, ...step.mustAnswer);
  return answer;
}

const longestHintMs = 10_000;

function readHintOf({ afterHintOf }: Step, evidence: Evidence): number {
  const result = afterHintOf === undefined ? undefined : selectStep(evidence, afterHintOf).at(-1)?.result;
  return result?.kind === 'response' ? Math.min(readHint(result), longestHintMs) : 0;
}
