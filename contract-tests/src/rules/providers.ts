import { NotApplicable } from '../contract/endings.ts';
import { parseJson, parseStringArray, readHeader } from '../contract/evidence.ts';
import { encodeText, modelPath } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import type { Answer, CallOptions, ScenarioContext } from '../contract/scenario.ts';
import { scenario } from '../contract/scenario.ts';
import { type LiveModel, outcomesModel } from '../contract/target.ts';
import { anyOf, hook, type InputName, input } from '../requires.ts';
import { alternate, json, literalBody, outcomesModelWith, received } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('providers');
const hooks = hook('outcomes', 'alternate');
const hookRule = ruleIn('providers', { requires: hooks });
/** Requires the hook `alternate`, or a live model with this configured input. */
const hooksOrInput = (name: InputName) => [anyOf(hook('alternate'), input(name))];
const hooked = { cost: 'hooked', requires: hooks } as const;

const atProvider = (provider: string): string => `?model_provider=${encodeText(provider)}`;
const withFallback = (value: string): string => `?fallback_provider=${encodeText(value)}`;
const byAlternate = atProvider(alternate);
const automatic = withFallback('auto');

const runOutcomesModel = (input: object, query = '') =>
  scenario(hooked, async ({ run }) => ({ run: await run(outcomesModelWith(input), { query }) }));

const unknownProvider = scenario(hooked, async ({ run, values }) => ({
  run: await run(outcomesModelWith({}), { query: atProvider(values.text('no-such-provider')) }),
}));

type RunVariants = {
  readonly testsSetting: InputName;
  readonly callsOfOutcomesModel: Readonly<Record<string, CallOptions>>;
  /** Returns undefined if the configuration of the model lacks an input or provider that the run needs. */
  readonly forLiveModel: (model: LiveModel) => CallOptions | undefined;
};
type Runs = Readonly<Record<string, Answer>>;

/** Returns the responses by name or model. Runs other than the first are only sent if budget and time allow. */
async function runEach(
  { isScripted, owned, run, ifPossible }: ScenarioContext,
  { testsSetting, callsOfOutcomesModel: scripted, forLiveModel }: RunVariants,
): Promise<Runs> {
  const responses: Record<string, Answer> = {};
  const calls = isScripted
    ? Object.entries(scripted).map(([name, options]) => ({ name, id: outcomesModel, options }))
    : owned.map((model) => ({ name: model.id, id: model.id, options: forLiveModel(model) }));
  for (const { name, id, options } of calls) {
    if (options === undefined) continue;
    const call = () => run({ path: modelPath(id), input: {} }, { testsSetting, ...options });
    const response = Object.keys(responses).length === 0 ? await call() : await ifPossible(call);
    if (response !== undefined) responses[name] = response;
  }
  if (Object.keys(responses).length > 0) return responses;
  throw new NotApplicable(`no model in conform.live.models has all settings that a run with ${testsSetting} needs`);
}

const expectOnEach = (runs: Runs, ...expectations: readonly expect.Expectation[]) =>
  expect.on(Object.values(runs), ...expectations);

/** Only the outcomes model reports what its provider received. */
const receivedIfScripted = (wanted: Readonly<Record<string, string>>): expect.Expectation =>
  expect.where((_, { isScripted }) => isScripted, received(wanted));

const conversions = scenario({ cost: 'hooked' }, async (server) => {
  const { run, isScripted } = server;
  const { text, number } = server.values;
  // The alternate provider drops the note, and accepts at most 200 characters of prompt.
  const long = 'x'.repeat(number(201, 201, 400));
  const mixed = { alternate_outcome: 'echo', note: text('only here'), prompt: long };
  const converted = await runEach(server, {
    testsSetting: 'alternate',
    callsOfOutcomesModel: { scripted: { query: byAlternate, ...json(mixed) } },
    forLiveModel: ({ alternate }) => alternate && { query: atProvider(alternate.provider), ...json(alternate.input) },
  });
  if (!isScripted) return { converted };
  return { converted, notStrict: await run(outcomesModelWith(mixed), { query: `${byAlternate}&strict_mode=false` }) };
});

/** Expects exactly one sentence for each dropped field, which contains its name and at least one more word. */
function expectDisclosed(fields: readonly string[]): expect.Expectation {
  const isDisclosed = (value: string): boolean => {
    const sentences = parseStringArray(value) ?? [];
    const isNamed = (field: string): boolean => sentences.some((one) => one.includes(field) && one.includes(' '));
    return sentences.length === fields.length && fields.every(isNamed);
  };
  const disclosed = { expected: `a JSON array with a sentence for each of ${fields.join(', ')}`, is: isDisclosed };
  // A missing header means the same as an empty list.
  return expect.where(
    (response, { headers }) => !isDisclosed(readHeader(response, headers.droppedParams) ?? '[]'),
    expect.header('droppedParams', disclosed),
  );
}

const onlySupported = expect.matching(
  'only the member that the alternate provider supports',
  (text) => typeof text === 'string' && JSON.stringify(parseJson(text)) === '{"alternate_outcome":"echo"}',
);
const expectNativeResult = expect.members({ '/outcome': 'echo', '/engine': expect.absent });

const conversionRule = ruleIn('providers', { requires: hooks, needs: ['providers.alternate.serves'] });

const nativeText = '{ "outcome":\t"echo", "note": "caf\\u00e9" }';
const alternateText = '{  "alternate_outcome": "echo",\n "prompt": "\\u00e9" }';

const strictRuns = scenario({ cost: 'hooked' }, async (server) => ({
  strict: await runEach(server, {
    testsSetting: 'strictInput',
    callsOfOutcomesModel: { scripted: { query: `${byAlternate}&strict_mode=true`, ...literalBody(alternateText) } },
    forLiveModel: ({ alternate, strictInput }) =>
      alternate && strictInput && { query: `${atProvider(alternate.provider)}&strict_mode=true`, ...json(strictInput) },
  }),
}));

const strictWithoutProvider = scenario(hooked, async ({ run }) => ({
  run: await run(outcomesModelWith({}), { query: '?strict_mode=true', ...literalBody(nativeText) }),
}));

const failThenEcho = (outcome: string) => ({ query: automatic, ...json({ outcome, alternate_outcome: 'echo' }) });

const fallbacks = scenario({ cost: 'hooked' }, async (server) => {
  const failing = await runEach(server, {
    testsSetting: 'fallback',
    // Failures of the provider or the router, for which the caller is not responsible.
    callsOfOutcomesModel: {
      provider_error: failThenEcho('provider_error'),
      internal_error: failThenEcho('internal_error'),
    },
    // Values of `fallback_provider` are undocumented, so the owner must configure one (OP-004).
    forLiveModel: ({ fallback }) => fallback && { query: withFallback(fallback.value), ...json(fallback.input) },
  });
  if (!server.isScripted) return { failing };
  return { failing, healthy: await server.run(outcomesModelWith({ outcome: 'succeed' }), { query: automatic }) };
});

const rejections = scenario({ cost: 'hooked' }, async (server) => ({
  rejected: await runEach(server, {
    testsSetting: 'fallback',
    callsOfOutcomesModel: { scripted: { query: automatic, ...json({ outcome: 'content_policy_violation' }) } },
    forLiveModel: ({ fallback, rejectedInput }) =>
      fallback && rejectedInput && { query: withFallback(fallback.value), ...json(rejectedInput) },
  }),
}));

const rejectedByProvider = scenario(hooked, async ({ run }) => ({
  input: await run(outcomesModelWith({ outcome: 'refused_input' }), { query: automatic }),
  request: await run(outcomesModelWith({ outcome: 'refused_request' }), { query: automatic }),
}));

const expectNoFallback = [expect.noHeader('fallbackProvider'), expect.noHeader('droppedParams')] as const;
const callerErrorRequirements = ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13', 'MR-HDR-11'];

export const providerRules = [
  rule('providers.alternate.serves', conversions, {
    requires: hooksOrInput('alternate'),
    sentence: 'The provider that the query selects serves the run.',
    requirements: ['MR-RUN-06'],
    check: ({ converted }) => expectOnEach(converted, expect.status(200, receivedIfScripted({ provider: alternate }))),
  }),
  rule('providers.alternate.unknown-is-refused', unknownProvider, {
    sentence: 'A provider that the model does not list is rejected.',
    requirements: ['MR-RUN-38'],
    reading: 'OP-004',
    // The API text doesn't list valid names (OP-004); it only states that no other provider serves the call.
    check: ({ run }) => expect.on(run, expect.status([400, 404, 422])),
  }),
  conversionRule('providers.converted.body-is-the-alternates-own', conversions, {
    sentence: 'The body is converted to the format of the alternate provider.',
    requirements: ['MR-RUN-20', 'MR-RUN-21'],
    check: ({ converted }) => expectOnEach(converted, expect.member('/received/text', onlySupported)),
  }),
  rule('providers.converted.drops-are-disclosed', conversions, {
    requires: hooksOrInput('alternate'),
    needs: ['providers.alternate.serves'],
    sentence: 'The dropped-params header lists the fields that a conversion drops.',
    requirements: ['MR-RUN-22', 'MR-RUN-33', 'MR-HDR-06', 'MR-HDR-08', 'MR-HDR-09'],
    check: ({ converted }, { isScripted, owned }) => {
      const dropped = isScripted ? ['note', 'prompt'] : [];
      return Object.entries(converted).flatMap(([name, run]) =>
        expect.on(run, expectDisclosed(owned.find(({ id }) => id === name)?.alternate?.drops ?? dropped)),
      );
    },
  }),
  conversionRule('providers.converted.result-is-native-again', conversions, {
    sentence: 'The result of a converted run has the native format of the model, also if strict mode is false.',
    requirements: ['MR-RUN-20', 'MR-RUN-24'],
    check: ({ converted, notStrict }) =>
      expect.on([...Object.values(converted), notStrict], expect.status(200, expectNativeResult)),
  }),
  rule('providers.converted.odd-result-comes-raw', runOutcomesModel({ alternate_outcome: 'odd_output' }, byAlternate), {
    sentence: 'A result that cannot be converted is returned unchanged.',
    requirements: ['MR-RUN-25'],
    needs: ['providers.alternate.serves'],
    check: ({ run }) => expect.on(run, expect.status(200, expect.members({ '/engine': 'second', '/state': 'odd' }))),
  }),
  rule('providers.strict.body-is-unchanged', strictRuns, {
    requires: hooksOrInput('strictInput'),
    sentence: 'In strict mode, the body reaches the alternate provider unchanged, without a dropped field.',
    requirements: ['MR-RUN-18', 'MR-HDR-09'],
    check: ({ strict }) =>
      expectOnEach(
        strict,
        expect.status(200, receivedIfScripted({ provider: alternate, text: alternateText })),
        expect.noHeader('droppedParams'),
      ),
  }),
  hookRule('providers.strict.result-is-unchanged', strictRuns, {
    needs: ['providers.strict.body-is-unchanged'],
    sentence: 'In strict mode, the result of the alternate provider is returned unchanged.',
    requirements: ['MR-RUN-27'],
    check: ({ strict }) => expectOnEach(strict, expect.member('/engine', 'second')),
  }),
  rule('providers.strict.alone-changes-nothing', strictWithoutProvider, {
    sentence: 'Strict mode without a provider in the query has no effect.',
    requirements: ['MR-RUN-08', 'MR-RUN-17'],
    check: ({ run }) => expect.on(run, expect.status(200, received({ provider: 'sandbox', text: nativeText }))),
  }),
  rule('providers.fallback.serves', fallbacks, {
    requires: hooksOrInput('fallback'),
    sentence: 'If the first provider fails, the fallback provider serves the run.',
    requirements: ['MR-RUN-10', 'MR-RUN-11'],
    check: ({ failing }) => expectOnEach(failing, expect.status(200, receivedIfScripted({ provider: alternate }))),
  }),
  rule('providers.fallback.is-named', fallbacks, {
    requires: hooksOrInput('fallback'),
    needs: ['providers.fallback.serves'],
    sentence: 'If a fallback provider serves a run, a header of the response contains the name of that provider.',
    requirements: ['MR-HDR-11', 'MR-HDR-12', 'MR-RUN-32'],
    check: ({ failing }, { isScripted }) => [
      ...expectOnEach(failing, expect.header('fallbackProvider', expect.nonEmpty)),
      ...(isScripted ? expectOnEach(failing, expect.header('fallbackProvider', alternate)) : []),
    ],
  }),
  hookRule('providers.fallback.drops-are-disclosed', fallbacks, {
    needs: ['providers.fallback.serves'],
    sentence: 'The dropped-params header lists the fields that were dropped for the fallback provider.',
    requirements: ['MR-HDR-10', 'MR-RUN-22', 'MR-HDR-08'],
    check: ({ failing }) => expectOnEach(failing, expectDisclosed(['outcome'])),
  }),
  hookRule('providers.fallback.needs-a-failure', fallbacks, {
    sentence: 'No fallback is tried after a policy rejection.',
    requirements: ['MR-HDR-11', 'MR-RUN-10'],
    check: ({ healthy }) =>
      expect.on(healthy, expect.status(200, received({ provider: 'sandbox' }), expect.noHeader('fallbackProvider'))),
  }),
  rule('providers.fallback.none.policy', rejections, {
    sentence: 'A fallback provider only serves a run if the first provider failed.',
    requirements: callerErrorRequirements,
    partReading: 'OP-018',
    // Configured inputs can replace the hooks: one with a fallback, and one that the provider rejects.
    requires: [...hooksOrInput('fallback'), anyOf(hook('outcomes'), input('rejectedInput'))],
    check: ({ rejected }, { isScripted, headers }) => {
      // Without a fallback, a success comes from the provider that should have rejected the configured input.
      const isAccepted = (run: Answer): boolean =>
        !isScripted && run.status === 200 && readHeader(run, headers.fallbackProvider) === undefined;
      const final = Object.values(rejected).filter((run) => !isAccepted(run));
      const refusal = expect.withReading('OP-018', expect.status(400));
      return expect.on(final, refusal, expect.category('content_policy_violation'), ...expectNoFallback);
    },
  }),
  rule('providers.fallback.none.refused-input', rejectedByProvider, {
    sentence: 'No fallback is tried after the provider rejected the input or the request.',
    requirements: callerErrorRequirements,
    partReading: ['OP-096', 'OP-107'],
    check: ({ input, request }) => [
      ...expect.on(input, expect.withReading('OP-107', expect.error(422, 'invalid_input')), ...expectNoFallback),
      ...expect.on(request, expect.withReading('OP-096', expect.error(400, 'invalid_input')), ...expectNoFallback),
    ],
  }),
  rule('providers.fallback.none.not-asked-for', runOutcomesModel({ outcome: 'provider_error' }), {
    sentence: 'No fallback is tried unless the caller requests it.',
    requirements: ['MR-RUN-10', 'MR-RUN-13', 'MR-HDR-11'],
    reading: 'OP-049',
    check: ({ run }) => expect.on(run, expect.error(502, 'provider_error'), ...expectNoFallback),
  }),
];
