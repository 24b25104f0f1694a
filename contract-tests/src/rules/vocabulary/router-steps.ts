import { headerOf, memberOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { SetupFailure } from '../../errors.ts';
import type { Evidence, ProbeRequest, Repeat, Step } from '../../probe.ts';
import { get, post, step, stepFrom, urlFrom } from '../../steps.ts';
import type { ModelKind, SurveyedModel } from '../../survey.ts';

type RequestParts = Omit<ProbeRequest, 'api' | 'method' | 'to'>;
type StepOptions = Omit<Step, 'name' | 'request'>;

export const unknownModelPath = '/v2/models/no-such-provider/no-such-model';
/** Well-formed, so that only its being unknown can be the reason of a refusal. */
export const unknownRequestId = '00000000-0000-4000-8000-000000000000';

export function list(name: string, query = '', parts: RequestParts = {}): Step {
  return step(name, get('router', `/v2/models${query}`, parts));
}

/** A model that its provider, which is known, does not have. */
export function unknownModelOf({ provider }: Pick<SurveyedModel, 'provider'>): string {
  return `/v2/models/${encodeURIComponent(provider)}/no-such-model`;
}

/** Any model at all, also when none could be made sense of. */
export function anyModelPath({ survey }: ProbeContext): string {
  const first = survey.listed.find((id) => id.includes('/'));
  const known = survey.models.authored ?? survey.models.unauthored ?? survey.models.binary;
  if (known !== undefined) return known.path;
  if (first === undefined) throw new SetupFailure('the catalog lists no model');
  return modelPath(first);
}

/** A listed model that is not this one; what it takes and gives is not known. */
export function otherModelPath({ survey }: ProbeContext, than: Pick<SurveyedModel, 'id'>): string {
  const other = survey.listed.find((id) => id.includes('/') && id !== than.id);
  if (other === undefined) throw new SetupFailure('the catalog lists no second model');
  return modelPath(other);
}

/** `/v2/models/{provider}/{model}`, segments percent-encoded. */
export function modelPath(id: string): string {
  return `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;
}

export function schemaDocumentPath(model: Pick<SurveyedModel, 'path'>): string {
  return `${model.path}/openapi.json`;
}

export function run(name: string, model: SurveyedModel, parts: RequestParts = {}): Step {
  return step(name, post('router', model.path, { body: { kind: 'json', value: model.input }, ...parts }));
}

export function submit(name: string, model: SurveyedModel, parts: RequestParts = {}): Step {
  return step(name, post('router', `${model.path}/requests`, { body: { kind: 'json', value: model.input }, ...parts }));
}

/** Submits the model's valid input; any answer but 201 is no matter of the rule that only needs a request. */
export function submitted(context: ProbeContext, kind: ModelKind = 'authored'): Step {
  return { ...submit('submit', context.model(kind)), mustAnswer: [201] };
}

/** Twenty seconds at most: far beyond any model of a sandbox, short for a run that hangs. */
const patience: Pick<Repeat, 'atMost' | 'everyMs'> = { atMost: 80, everyMs: 250 };

export function follow(name: string, member: 'status_url' | 'response_url', options: StepOptions = {}): Step {
  return stepFrom(name, (earlier) => get('router', urlFrom(earlier, 'submit', `/${member}`)), options);
}

export function followCancel(name: string, options: StepOptions = {}): Step {
  const request = (earlier: Evidence): ProbeRequest => ({
    api: 'router',
    method: 'PUT',
    to: urlFrom(earlier, 'submit', '/cancel_url'),
  });
  return stepFrom(name, request, options);
}

/** Polls the status until COMPLETED; a rule that comes after the end means nothing before it. */
export function polled(name = 'end'): Step {
  const until: Repeat['until'] = ({ result }) =>
    result.kind === 'response' && (result.status !== 200 || memberOf(result, '/status') === 'COMPLETED');
  return follow(name, 'status_url', { repeat: { until, ...patience }, mustAnswer: [200] });
}

/** A first free call; its answer's request id makes `freshKey` differ from run to run without a random source. */
export const seed: Step = list('seed', '?limit=1');

export function freshKey(earlier: Evidence, context: ProbeContext, label: string): string {
  const [first] = earlier;
  if (first === undefined) throw new SetupFailure('no call was made from which a key could be made');
  const id = first.result.kind === 'response' ? (headerOf(first.result, context.headers.requestId) ?? '') : '';
  return `${label}-${Math.trunc(first.timing.startedAtMs)}-${id.replace(/[^A-Za-z0-9-]/g, '')}`.slice(0, 200);
}

type Keyed = { readonly label: string; readonly to: string; readonly value: unknown; readonly parts?: RequestParts };

/** A POST that carries the rule's own idempotency key. */
export function keyed(name: string, context: ProbeContext, call: Keyed, options: StepOptions = {}): Step {
  const request = (earlier: Evidence): ProbeRequest => {
    const key = freshKey(earlier, context, call.label);
    const headers = [['Idempotency-Key', key] as const];
    return post('router', call.to, { body: { kind: 'json', value: call.value }, ...call.parts, headers });
  };
  return stepFrom(name, request, options);
}
