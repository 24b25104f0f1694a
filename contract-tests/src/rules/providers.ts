import type { JsonObject } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import { NotApplicable } from '../contract/endings.ts';
import { parseJson, readHeader, readResponse, textsIn, wasAnswered } from '../contract/evidence.ts';
import type { Evidence, Probe } from '../contract/probe.ts';
import { defineFamily, type Rule, type Shown } from '../contract/rule.ts';
import type { LiveModel } from '../contract/target.ts';
import { anyOf, hook, type InputName, input } from '../requires.ts';
import * as expect from './builders/expect.ts';
import * as send from './builders/send.ts';

const providers = { ...send.scripted, requires: hook('outcomes', 'alternate') } as const;

const byAlternate = { query: `?model_provider=${send.alternate}` };
const strictly = { query: `${byAlternate.query}&strict_mode=true` };
const nativeText = '{ "outcome":\t"echo", "note": "caf\\u00e9" }';
const alternateText = '{  "alternate_outcome": "echo",\n "prompt": "\\u00e9" }';
/** The alternate knows the first member, not the note, and accepts no prompt of more than 200 characters. */
const mixed = { alternate_outcome: 'echo', note: 'only here', prompt: 'x'.repeat(201) };

const converted = [
  send.scriptedRun('converted', mixed, byAlternate),
  send.scriptedRun('whole', { alternate_outcome: 'echo', prompt: 'short' }, byAlternate, send.completed),
  send.scriptedRun('native', { outcome: 'echo' }, {}, send.completed),
  send.scriptedRun('not-strict', mixed, { query: `${byAlternate.query}&strict_mode=false` }),
];

/** A run of a model by what the owner of a live target states of it. */
type OwnRun = { readonly name: string; readonly path: string; readonly input: JsonObject };

/** The first has to be sent; the others are, if budget and time allow. */
function runEach(runs: readonly OwnRun[], states: InputName): Probe {
  if (runs.length === 0) throw new NotApplicable(`no model of conform.live.models has what this needs: ${states}`);
  return runs.map((one, index) => send.run(one.name, one, {}, { states, ...(index > 0 && { mayBeLeftOut: true }) }));
}

const nameRun = (name: string, { id }: Pick<LiveModel, 'id'>): string => `${name} ${id}`;

/** A run by the other provider that is named, whose conversion drops what the owner says. */
function listConverted({ owned }: ProbeContext): readonly (OwnRun & { readonly drops: readonly string[] })[] {
  return owned.flatMap((model) => {
    if (model.alternate === undefined) return [];
    const { provider, input, drops } = model.alternate;
    const path = `${send.modelPath(model.id)}?model_provider=${send.encodeText(provider)}`;
    return [{ name: nameRun('converted', model), path, input, drops }];
  });
}

function conversionProbe(context: ProbeContext): Probe {
  if (context.isScripted) return converted;
  const { authored } = context.discovery.models;
  const hasNative = context.owned.some(({ id, alternate }) => alternate !== undefined && id === authored?.id);
  const native = authored !== undefined && hasNative ? [send.sharedRun('native', authored)] : [];
  return [...runEach(listConverted(context), 'alternate'), ...native];
}

const convertedRuns = (context: ProbeContext): readonly string[] =>
  context.isScripted ? ['converted'] : listConverted(context).map(({ name }) => name);

/** Only the scripted model shows what its provider received. */
const whereScripted = (...expectations: readonly expect.Expectation[]): expect.Expectation =>
  expect.where((_, { isScripted }) => isScripted, ...expectations);

/** One sentence for each dropped field, which names the field and says more than its name. */
const expectDisclosed = (...fields: readonly string[]): expect.Expectation =>
  expect.header('droppedParams', {
    expected: `a JSON array with a sentence for each of ${fields.join(', ')}`,
    is: (value) => {
      const sentences = textsIn(value) ?? [];
      const isNamed = (field: string): boolean => sentences.some((one) => one.includes(field) && one.includes(' '));
      return sentences.length === fields.length && fields.every(isNamed);
    },
  });

/** An empty list says the same as no header. */
const expectNothingDropped = expect.where(
  (response, { headers }) => textsIn(readHeader(response, headers.droppedParams) ?? '')?.length !== 0,
  expect.noHeader('droppedParams'),
);

const expectAlternateBody = expect.member('/received/text', {
  expected: 'the one member that the alternate knows',
  is: (text) => typeof text === 'string' && JSON.stringify(parseJson(text)) === '{"alternate_outcome":"echo"}',
});

const expectNativeResult = expect.members({ '/outcome': 'echo', '/engine': expect.absent });
/** The owner's alternate does as well. */
const orOwn = { requires: [anyOf(hook('alternate'), input('alternate'))] } as const;

const alternateRules = defineFamily({ ...providers, probe: conversionProbe })({
  'providers.alternate.serves': {
    sentence: 'A provider that the query names serves the run.',
    requirements: ['MR-RUN-06'],
    ...orOwn,
    check: expect.ifSent(
      convertedRuns,
      expect.status(200, whereScripted(expect.received({ provider: send.alternate }))),
    ),
  },
  'providers.default.serves-without-the-parameter': {
    sentence: 'Without a provider in the query the default one serves the run.',
    requirements: ['MR-RUN-06', 'MR-RUN-23'],
    check: expect.on('native', expect.received({ provider: 'sandbox' })),
  },
  'providers.default.result-is-native': {
    sentence: "The default provider's result has the model's own form.",
    requirements: ['MR-RUN-23'],
    check: expect.on('native', expectNativeResult),
  },
  'providers.alternate.unknown-is-refused': {
    sentence: 'A provider that the model does not list is refused with 400.',
    requirements: ['MR-RUN-38'],
    reading: 'OP-004',
    probe: [send.scriptedRun('nowhere', {}, { query: '?model_provider=no-such-provider' })],
    // Which names exist is not documented (OP-004), only that no other provider serves the call instead.
    check: expect.on('nowhere', expect.status([400, 404, 422])),
  },
});

const conversionRules = defineFamily({ ...providers, needs: ['providers.alternate.serves'], probe: conversionProbe })({
  'providers.converted.body-is-the-alternates-own': {
    sentence: 'The body is converted to the form of the alternate provider.',
    requirements: ['MR-RUN-20', 'MR-RUN-21'],
    check: expect.on('converted', expectAlternateBody),
  },
  'providers.converted.drops-are-disclosed': {
    sentence: 'Fields that a conversion drops are named in the header of dropped fields.',
    requirements: ['MR-RUN-22', 'MR-RUN-33', 'MR-HDR-06', 'MR-HDR-08', 'MR-HDR-09'],
    ...orOwn,
    check: (evidence, context) => {
      const scripted = [{ name: 'converted', drops: ['note', 'prompt'] }];
      return (context.isScripted ? scripted : listConverted(context)).flatMap(({ name, drops }) => {
        const expected = drops.length === 0 ? expectNothingDropped : expectDisclosed(...drops);
        return expect.ifSent(name, expected)(evidence, context);
      });
    },
  },
  'providers.converted.nothing-dropped-is-nothing-told': {
    sentence: 'A conversion that drops nothing names no dropped fields.',
    requirements: ['MR-HDR-09'],
    ...orOwn,
    check: expect.ifSent(['whole', 'native'], expectNothingDropped),
  },
  'providers.converted.when-strict-mode-is-false': {
    sentence: 'A conversion takes place when strict mode is false.',
    requirements: ['MR-RUN-20', 'MR-RUN-24'],
    check: expect.on('not-strict', expect.status(200, expectNativeResult)),
  },
  'providers.converted.result-is-native-again': {
    sentence: "The result of a converted run has the model's own form.",
    requirements: ['MR-RUN-24'],
    check: expect.on('converted', expectNativeResult),
  },
  'providers.converted.odd-result-comes-raw': {
    sentence: 'A result that cannot be converted comes as the provider gave it.',
    requirements: ['MR-RUN-25'],
    probe: [send.scriptedRun('odd', { alternate_outcome: 'odd_output' }, byAlternate)],
    check: expect.on('odd', expect.status(200, expect.members({ '/engine': 'second', '/state': 'odd' }))),
  },
});

/** Runs with an input in the form of the other provider that is named. */
function listStrict({ owned }: ProbeContext): readonly OwnRun[] {
  return owned.flatMap((model) => {
    const { id, alternate, strictInput } = model;
    if (alternate === undefined || strictInput === undefined) return [];
    const query = `?model_provider=${send.encodeText(alternate.provider)}&strict_mode=true`;
    return [{ name: nameRun('strict', model), path: send.modelPath(id) + query, input: strictInput }];
  });
}

function strictProbe(context: ProbeContext): Probe {
  if (!context.isScripted) return runEach(listStrict(context), 'strictInput');
  return [send.scriptedRun('strict', {}, { ...strictly, ...send.literalBody(alternateText) })];
}

const strictRuns = (context: ProbeContext): readonly string[] =>
  context.isScripted ? ['strict'] : listStrict(context).map(({ name }) => name);

const orStrictInput = { requires: [anyOf(hook('alternate'), input('strictInput'))] } as const;

const strictRules = defineFamily({
  ...providers,
  needs: ['providers.strict.body-is-unchanged'],
  probe: strictProbe,
})({
  'providers.strict.body-is-unchanged': {
    sentence: 'In strict mode the body reaches the alternate provider unchanged.',
    requirements: ['MR-RUN-18'],
    ...orStrictInput,
    check: expect.ifSent(
      strictRuns,
      expect.status(200, whereScripted(expect.received({ provider: send.alternate, text: alternateText }))),
    ),
  },
  'providers.strict.result-is-unchanged': {
    sentence: 'In strict mode the result of the alternate provider comes unchanged.',
    requirements: ['MR-RUN-27'],
    check: expect.on('strict', expect.member('/engine', 'second')),
  },
  'providers.strict.drops-nothing': {
    sentence: 'Strict mode drops no field.',
    requirements: ['MR-HDR-09'],
    ...orStrictInput,
    check: expect.ifSent(strictRuns, expect.noHeader('droppedParams')),
  },
  'providers.strict.alone-changes-nothing': {
    sentence: 'Strict mode without a provider in the query changes nothing.',
    requirements: ['MR-RUN-08', 'MR-RUN-17'],
    needs: [],
    probe: [send.scriptedRun('alone', {}, { query: '?strict_mode=true', ...send.literalBody(nativeText) })],
    check: expect.on('alone', expect.status(200, expect.received({ provider: 'sandbox', text: nativeText }))),
  },
});

const automatic = { query: '?fallback_provider=auto' };
/** Failures of the provider and of the router: the caller is not to blame. */
const blameless = ['provider_error', 'internal_error'] as const;

const fallenBack = [
  ...blameless.map((outcome) => send.scriptedRun(outcome, { outcome, alternate_outcome: 'echo' }, automatic)),
  send.scriptedRun('healthy', { outcome: 'succeed' }, automatic),
];

type ReadInput = (model: LiveModel) => JsonObject | undefined;

/** Runs with a retry that the owner knows to work; only the owner knows a value of `fallback_provider` (OP-004). */
function listFallbacks({ owned }: ProbeContext, name: string, readInput: ReadInput): readonly OwnRun[] {
  return owned.flatMap((model) => {
    const input = readInput(model);
    if (model.fallback === undefined || input === undefined) return [];
    const path = `${send.modelPath(model.id)}?fallback_provider=${send.encodeText(model.fallback.value)}`;
    return [{ name: nameRun(name, model), path, input }];
  });
}

const listFailing = (context: ProbeContext): readonly OwnRun[] =>
  listFallbacks(context, 'failing', ({ fallback }) => fallback?.input);
const listRejected = (context: ProbeContext): readonly OwnRun[] =>
  listFallbacks(context, 'rejected', ({ rejectedInput }) => rejectedInput);

function fallbackProbe(context: ProbeContext): Probe {
  return context.isScripted ? fallenBack : runEach(listFailing(context), 'fallback');
}

const fellBack = (context: ProbeContext): readonly string[] =>
  context.isScripted ? blameless : listFailing(context).map(({ name }) => name);
const orFallback = { requires: [anyOf(hook('alternate'), input('fallback'))] } as const;

const fallbackRules = defineFamily({ ...providers, needs: ['providers.fallback.serves'], probe: fallbackProbe })({
  'providers.fallback.serves': {
    sentence: 'The fallback provider serves the run after a failure of the first.',
    requirements: ['MR-RUN-10', 'MR-RUN-11'],
    ...orFallback,
    check: expect.ifSent(fellBack, expect.status(200, whereScripted(expect.received({ provider: send.alternate })))),
  },
  'providers.fallback.is-named': {
    sentence: 'A run that a fallback provider served names it.',
    requirements: ['MR-HDR-11', 'MR-HDR-12', 'MR-RUN-32'],
    ...orFallback,
    check: expect.ifSent(
      fellBack,
      expect.header('fallbackProvider', expect.filled),
      whereScripted(expect.header('fallbackProvider', send.alternate)),
    ),
  },
  'providers.fallback.drops-are-disclosed': {
    sentence: 'Fields that the conversion for a fallback drops are named.',
    requirements: ['MR-HDR-10', 'MR-RUN-22', 'MR-HDR-08'],
    check: expect.on(blameless, expectDisclosed('outcome')),
  },
  'providers.fallback.needs-a-failure': {
    sentence: 'Without a failure of the first provider no fallback serves.',
    requirements: ['MR-HDR-11', 'MR-RUN-10'],
    needs: [],
    check: expect.on(
      'healthy',
      expect.status(200, expect.received({ provider: 'sandbox' }), expect.noHeader('fallbackProvider')),
    ),
  },
});

/** A success that names a fallback provider does not come from the provider that had to refuse. */
function listFinal(context: ProbeContext, evidence: Evidence): readonly string[] {
  if (context.isScripted) return ['run'];
  const sent = listRejected(context).filter(({ name }) => wasAnswered(evidence, name));
  return sent.flatMap(({ name }) => {
    const run = readResponse(evidence, name);
    const isAccepted = run.status === 200 && readHeader(run, context.headers.fallbackProvider) === undefined;
    return isAccepted ? [] : [name];
  });
}

function refusedFinally(input: JsonObject, error: readonly expect.Expectation[], parts = automatic): Shown {
  return {
    probe: (context) =>
      context.isScripted ? [send.scriptedRun('run', input, parts)] : runEach(listRejected(context), 'fallback'),
    check: expect.unless(
      (evidence, context) => listFinal(context, evidence).length === 0,
      'the input that was given for it succeeded',
      expect.on(
        (context, evidence) => listFinal(context, evidence),
        ...error,
        expect.noHeader('fallbackProvider'),
        expect.noHeader('droppedParams'),
      ),
    ),
  };
}

const callersFault = ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13', 'MR-HDR-11'];

const noFallbackRules = defineFamily(providers)({
  'providers.fallback.none.policy': {
    sentence: 'A policy rejection is final; no fallback is tried.',
    requirements: callersFault,
    partReading: 'OP-018',
    // A fallback of the owner, and an input that its provider refuses, do as well.
    requires: [anyOf(hook('alternate'), input('fallback')), anyOf(hook('outcomes'), input('rejectedInput'))],
    ...refusedFinally({ outcome: 'content_policy_violation' }, [
      expect.asRead('OP-018', expect.status(400)),
      expect.category('content_policy_violation'),
    ]),
  },
  'providers.fallback.none.refused-input': {
    sentence: 'An input that the provider refuses is final; no fallback is tried.',
    requirements: callersFault,
    partReading: 'OP-107',
    ...refusedFinally({ outcome: 'refused_input' }, [expect.asRead('OP-107', expect.error(422, 'invalid_input'))]),
  },
  'providers.fallback.none.refused-request': {
    sentence: 'A request that the provider refuses is final; no fallback is tried.',
    requirements: callersFault,
    partReading: 'OP-096',
    ...refusedFinally({ outcome: 'refused_request' }, [expect.asRead('OP-096', expect.error(400, 'invalid_input'))]),
  },
  'providers.fallback.none.not-asked-for': {
    sentence: "Without the caller's wish no fallback is tried.",
    requirements: ['MR-RUN-10', 'MR-RUN-13', 'MR-HDR-11'],
    reading: 'OP-049',
    ...refusedFinally({ outcome: 'provider_error' }, [expect.error(502, 'provider_error')], { query: '' }),
  },
  'providers.fallback.none.failing-too': {
    sentence: 'Where the fallback fails too, the failure is answered and no fallback named.',
    requirements: ['MR-RUN-13', 'MR-HDR-11'],
    partReading: 'OP-106',
    ...refusedFinally({ outcome: 'provider_error', alternate_outcome: 'provider_timeout' }, [
      expect.asRead('OP-106', expect.error(502, 'provider_error')),
    ]),
  },
});

const groups = [alternateRules, conversionRules, strictRules, fallbackRules, noFallbackRules];

export const providerRules: readonly Rule[] = groups.flat();
