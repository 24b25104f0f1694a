import type { ProbeContext } from '../contract/context.ts';
import { decodeUtf8, readMember, readResponse, type StepResponse } from '../contract/evidence.ts';
import { finding, observed } from '../contract/finding.ts';
import type { Evidence, Probe } from '../contract/probe.ts';
import { type Check, defineFamily, type Family } from '../contract/rule.ts';
import { state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { notFoundRules } from './builders/not-found-rules.ts';
import * as send from './builders/send.ts';

const collect: Family = { cost: 'billed', requires: [state] };

/** The model was done before its result could be collected early. */
function cameTooLate(evidence: Evidence): boolean {
  const isCompleted = readMember(readResponse(evidence, 'status-early'), '/status') === 'COMPLETED';
  return isCompleted && readResponse(evidence, 'collect-early').status !== 202;
}

const toTheEnd = (context: ProbeContext): Probe => [
  send.submitted(context, 'submit', 'plain'),
  send.polled(),
  send.follow('collect', 'response_url'),
];
const bothWays = (context: ProbeContext): Probe => [...toTheEnd(context), send.sharedRun('run', context.authored)];
const collectedTwice = (context: ProbeContext): Probe => [...toTheEnd(context), send.follow('again', 'response_url')];

/** A file on both routes: of the scripted model, or of the catalog's own, whose submission may be refused. */
const bytesBothWays = ({ discovery, isScripted }: ProbeContext): Probe => {
  const file = { media_type: 'image/png' };
  if (isScripted)
    return [
      send.scriptedSubmit('submit', file),
      send.polled(),
      send.follow('collect', 'response_url'),
      send.scriptedRun('run', file),
    ];
  return [discovery.models.binary ?? []]
    .flat()
    .flatMap((model) => [
      send.submit('submit', model, {}, { sharedRun: 'plain request' }),
      send.followIfGiven('end', { of: 'submit', at: '/status_url', repeat: send.untilCompleted }),
      send.followIfGiven('collect', { of: 'submit', at: '/response_url' }),
      send.sharedRun('run', model),
    ]);
};

const expectResultLike =
  (as: string): expect.Expectation =>
  (response, _, evidence) =>
    expect.byteFindings(expect.withoutSignatures(response), expect.withoutSignatures(readResponse(evidence, as)));

/** A result that another rule has collected may be gone, or its request in a state that conflicts. */
const mayBeTaken = ({ status }: StepResponse): boolean => [404, 409, 410].includes(status);
const expectResult = expect.either(mayBeTaken, expect.asRead('OP-021', expect.status(200)), expect.status(200));

const resultRules = defineFamily({ ...collect, needs: ['collect.result.answers-with-200'], probe: bothWays })({
  'collect.pending.answers-with-202': {
    sentence: 'Collecting a request that is not completed answers 202.',
    requirements: ['MR-COL-09', 'MR-QUE-23'],
    needs: [],
    probe: send.wholeLife,
    check: expect.unless(
      cameTooLate,
      'completed before it could be collected early',
      expect.on('collect-early', expect.status(202)),
    ),
  },
  'collect.result.answers-with-200': {
    sentence: 'Collecting a completed request answers 200 with its result.',
    requirements: ['MR-COL-04', 'MR-QUE-23'],
    partReading: 'OP-021',
    probe: toTheEnd,
    // Rules share the request, so another one may have collected it.
    check: expect.ifSucceeded(expect.on('collect', expectResult)),
  },
  'collect.result.keeps-the-media-type': {
    sentence: "A collected result has the media type of the model's output.",
    requirements: ['MR-COL-05'],
    check: expect.unless(
      expect.notAllSucceeded('collect', 'run'),
      'the run or its queued request did not succeed',
      expect.on('collect', expect.sameType('run')),
    ),
  },
  'collect.result.equals-the-synchronous-bytes': {
    sentence: 'A collected result has the bytes that a run would have answered.',
    requirements: ['MR-COL-06'],
    probe: (context) => {
      context.needsEqualOutputs(context.authored);
      return bothWays(context);
    },
    check: expect.on('collect', expectResultLike('run')),
  },
  'collect.result.second-time': {
    sentence: 'What collecting a result twice gives is noted.',
    observes: true,
    requirements: ['MR-COL-04'],
    probe: collectedTwice,
    check: expect.noted('again', 'a second collect', 'OP-021'),
  },
  'collect.result.of-a-keyed-submission-is-the-same': {
    sentence: 'A submission with an idempotency key is collected as one without.',
    requirements: ['MR-COL-06'],
    probe: (context) => {
      context.needsEqualOutputs(context.authored);
      const submission = send.underOneKey(context, { route: 'submit', names: [] });
      const collected = send.follow('collect', 'response_url', { of: 'first' });
      return [...submission, send.polled('end', 'first'), collected, send.sharedRun('run', context.authored)];
    },
    check: expect.unless(
      expect.notAllSucceeded('collect', 'run'),
      'the run or its queued request did not succeed',
      expect.on('collect', expectResultLike('run')),
    ),
  },
  'collect.result.is-the-same-each-time': {
    sentence: 'Collecting a result again gives the same bytes.',
    requirements: ['MR-COL-06'],
    probe: collectedTwice,
    // Whether a result can be collected twice is open (OP-021).
    check: expect.unless(
      expect.notAllSucceeded('again', 'collect'),
      'it was not collected twice',
      expect.on('again', expectResultLike('collect')),
    ),
  },
  'collect.pending.until-the-result-is-there': {
    sentence: 'Collecting answers 202 until the result is there, then 200.',
    requirements: ['MR-COL-09', 'MR-COL-04'],
    needs: [],
    probe: send.wholeLife,
    check: expect.unless(
      // The early collect may have come late enough for the result.
      expect.answeredWith('collect-early', 200),
      'the request ended before it was collected early',
      expect.ifSucceeded(expect.on('collect', expect.status(200))),
    ),
  },
});

const ifBytes = (check: expect.FindingsCheck): Check =>
  expect.unless(
    (evidence) => evidence.length === 0,
    'no model that returns bytes was found',
    // The queue may refuse models that return bytes.
    expect.unless(expect.notAllSucceeded('collect', 'run'), observed('the queue gave no bytes to compare'), check),
  );

const replacement = '\u{fffd}';

/** Bytes that were read as text: what is no character has become U+FFFD. */
const expectNoText: expect.Expectation = ({ body, step }, _, evidence) => {
  const isBytes = decodeUtf8(readResponse(evidence, 'run').body) === undefined;
  if (!isBytes || !decodeUtf8(body)?.includes(replacement)) return [];
  return [finding('body-malformed', { step }, 'bytes, as on the synchronous route', 'text with U+FFFD in their place')];
};

const binary: Family = { ...collect, probe: bytesBothWays };

const binaryRules = defineFamily(binary)({
  'collect.binary.keeps-the-media-type': {
    sentence: 'A collected file has the media type of the synchronous run.',
    requirements: ['MR-COL-05'],
    check: ifBytes(expect.on('collect', expect.sameType('run'))),
  },
  'collect.binary.is-not-read-as-text': {
    sentence: 'A collected file is bytes, not text in which they were lost.',
    requirements: ['MR-COL-06'],
    check: ifBytes(expect.on('collect', expectNoText)),
  },
  'collect.binary.equals-the-synchronous-bytes': {
    sentence: 'A collected file equals that of the synchronous run, byte for byte.',
    requirements: ['MR-COL-06'],
    probe: (context) => {
      const { binary } = context.discovery.models;
      if (!context.isScripted && binary !== undefined) context.needsEqualOutputs(binary);
      return bytesBothWays(context);
    },
    check: ifBytes(expect.on('collect', expectResultLike('run'))),
  },
});

const accessRules = defineFamily(collect)(notFoundRules('collect', 'MR-COL-15'));

export const collectRules = [...resultRules, ...binaryRules, ...accessRules];
