import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, headerOf, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Probe } from '../../probe.ts';
import { absent, finding, forbidHeader, requireHeader, requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { completed } from '../vocabulary/keyed-calls.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { alternate, literally, receivedIn, requireReceived, tell, toldRule } from '../vocabulary/told-runs.ts';

const family = 'providers';
const byAlternate = `?model_provider=${alternate}`;
const strictly = `${byAlternate}&strict_mode=true`;

const nativeText = '{ "outcome":\t"echo", "note": "caf\\u00e9" }';
const foreignText = '{  "alternate_outcome": "echo",\n "prompt": "\\u00e9" }';
/** The alternate knows the first member, not the note, and takes no prompt of more than 200 characters. */
const mixed = { alternate_outcome: 'echo', note: 'only here', prompt: 'x'.repeat(201) };
const dropped = ['note', 'prompt'] as const;

const converted = (): Probe => ({
  steps: [
    tell('converted', mixed, { query: byAlternate }),
    tell('whole', { alternate_outcome: 'echo', prompt: 'short' }, { query: byAlternate }, completed),
    tell('native', { outcome: 'echo' }, {}, completed),
    tell('not-strict', mixed, { query: `${byAlternate}&strict_mode=false` }),
  ],
});
const strict = (): Probe => ({ steps: [tell('strict', {}, { query: strictly, body: literally(foreignText) })] });
const serves = 'providers.alternate.serves';

/** An array of strings, told in one layer of JSON or two (C-26); undefined for anything else. */
function sentencesIn(answer: Answer, { headers }: ProbeContext): readonly string[] | undefined {
  const once = parsed(headerOf(answer, headers.droppedParams) ?? '');
  const value = typeof once === 'string' ? parsed(once) : once;
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((one) => typeof one === 'string');
  return texts.length === value.length ? texts : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One sentence for each field, which names it and says more than its name. */
export function requireDisclosed(answer: Answer, context: ProbeContext, fields: readonly string[]): readonly Draft[] {
  const name = context.headers.droppedParams;
  const missing = requireHeader(answer, name);
  if (missing.length > 0) return missing;
  const at = { step: answer.step, header: name };
  const actual = headerOf(answer, name) ?? '';
  const sentences = sentencesIn(answer, context);
  if (sentences === undefined)
    return [finding('header-malformed', at, { expected: 'a JSON array of strings', actual })];
  const named = fields.filter((field) => sentences.some((one) => one.includes(field) && one.includes(' ')));
  if (named.length === fields.length && sentences.length === fields.length) return [];
  return [finding('value-unexpected', at, { expected: `a sentence for each of ${fields.join(', ')}`, actual })];
}

export const alternateRules: readonly Rule[] = [
  toldRule({
    id: serves,
    family,
    requirements: ['MR-RUN-06'],
    probe: converted,
    judge: (evidence) => {
      const status = requireStatus(responseOf(evidence, 'converted'), 200);
      return status.length > 0 ? status : requireReceived(evidence, 'converted', { provider: alternate });
    },
  }),
  toldRule({
    id: 'providers.default.serves-without-the-parameter',
    family,
    requirements: ['MR-RUN-06', 'MR-RUN-23'],
    probe: converted,
    judge: (evidence) => requireReceived(evidence, 'native', { provider: 'sandbox' }),
  }),
  toldRule({
    id: 'providers.alternate.unknown-is-refused',
    family,
    requirements: ['MR-RUN-38'],
    probe: () => ({ steps: [tell('nowhere', {}, { query: '?model_provider=no-such-provider' })] }),
    // Which names exist is not documented (NS-04): only that nobody else serves the call as if it had been named.
    judge: (evidence) => requireStatus(responseOf(evidence, 'nowhere'), 400, 404, 422),
  }),
  toldRule({
    id: 'providers.converted.body-is-the-alternates-own',
    family,
    requirements: ['MR-RUN-20', 'MR-RUN-21'],
    needs: [serves],
    probe: converted,
    judge: (evidence) => {
      const { text } = receivedIn(evidence, 'converted');
      const body = typeof text === 'string' ? parsed(text) : undefined;
      const at = { step: 'converted', pointer: '/received/text' };
      const expected = 'the one member that the alternate knows';
      const isOwn = isJsonObject(body) && JSON.stringify(body) === '{"alternate_outcome":"echo"}';
      return isOwn ? [] : [finding('values-differ', at, { expected, actual: String(text) })];
    },
  }),
  toldRule({
    id: 'providers.converted.drops-are-disclosed',
    family,
    requirements: ['MR-RUN-22', 'MR-RUN-33', 'MR-HDR-06', 'MR-HDR-08', 'MR-HDR-09'],
    needs: [serves],
    probe: converted,
    judge: (evidence, context) => requireDisclosed(responseOf(evidence, 'converted'), context, dropped),
  }),
  toldRule({
    id: 'providers.converted.nothing-dropped-is-nothing-told',
    family,
    requirements: ['MR-HDR-09'],
    needs: [serves],
    probe: converted,
    judge: (evidence, context) =>
      ['whole', 'native'].flatMap((name) => {
        const answer = responseOf(evidence, name);
        // An empty list says the same as no header.
        return sentencesIn(answer, context)?.length === 0 ? [] : forbidHeader(answer, context.headers.droppedParams);
      }),
  }),
  toldRule({
    id: 'providers.converted.when-strict-mode-is-false',
    family,
    requirements: ['MR-RUN-20', 'MR-RUN-24'],
    needs: [serves],
    probe: converted,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'not-strict');
      const status = requireStatus(answer, 200);
      if (status.length > 0) return status;
      return [...requireMember(answer, '/outcome', exactly('echo')), ...requireMember(answer, '/engine', absent)];
    },
  }),
  toldRule({
    id: 'providers.converted.result-is-native-again',
    family,
    requirements: ['MR-RUN-24'],
    needs: [serves],
    probe: converted,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'converted');
      return [...requireMember(answer, '/outcome', exactly('echo')), ...requireMember(answer, '/engine', absent)];
    },
  }),
  toldRule({
    id: 'providers.converted.odd-result-comes-raw',
    family,
    requirements: ['MR-RUN-25'],
    needs: [serves],
    probe: () => ({ steps: [tell('odd', { alternate_outcome: 'odd_output' }, { query: byAlternate })] }),
    judge: (evidence) => {
      const answer = responseOf(evidence, 'odd');
      const status = requireStatus(answer, 200);
      if (status.length > 0) return status;
      return [
        ...requireMember(answer, '/engine', exactly('second')),
        ...requireMember(answer, '/state', exactly('odd')),
      ];
    },
  }),
  toldRule({
    id: 'providers.strict.body-is-unchanged',
    family,
    requirements: ['MR-RUN-18'],
    probe: strict,
    judge: (evidence) => {
      const status = requireStatus(responseOf(evidence, 'strict'), 200);
      return status.length > 0
        ? status
        : requireReceived(evidence, 'strict', { provider: alternate, text: foreignText });
    },
  }),
  toldRule({
    id: 'providers.strict.result-is-unchanged',
    family,
    requirements: ['MR-RUN-27'],
    needs: ['providers.strict.body-is-unchanged'],
    probe: strict,
    judge: (evidence) => requireMember(responseOf(evidence, 'strict'), '/engine', exactly('second')),
  }),
  toldRule({
    id: 'providers.strict.drops-nothing',
    family,
    requirements: ['MR-HDR-09'],
    needs: ['providers.strict.body-is-unchanged'],
    probe: strict,
    judge: (evidence, { headers }) => forbidHeader(responseOf(evidence, 'strict'), headers.droppedParams),
  }),
  toldRule({
    id: 'providers.strict.alone-changes-nothing',
    family,
    requirements: ['MR-RUN-08', 'MR-RUN-17'],
    probe: () => ({ steps: [tell('alone', {}, { query: '?strict_mode=true', body: literally(nativeText) })] }),
    judge: (evidence) => {
      const status = requireStatus(responseOf(evidence, 'alone'), 200);
      return status.length > 0 ? status : requireReceived(evidence, 'alone', { provider: 'sandbox', text: nativeText });
    },
  }),
  toldRule({
    id: 'providers.default.result-is-native',
    family,
    requirements: ['MR-RUN-23'],
    probe: converted,
    judge: (evidence) => {
      const outcome = memberOf(responseOf(evidence, 'native'), '/outcome');
      const at = { step: 'native', pointer: '/outcome' };
      return outcome === 'echo'
        ? requireMember(responseOf(evidence, 'native'), '/engine', absent)
        : [finding('value-unexpected', at, { expected: '"echo"', actual: JSON.stringify(outcome) ?? 'absent' })];
    },
  }),
];
