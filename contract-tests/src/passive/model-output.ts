import { extensionKey, isJsonObject, type JsonObject, SpecError } from '../../../specs/src/index.ts';
import { headerOf, mediaTypeOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import { matchesMediaType } from '../documented.ts';
import { outputsOf } from '../engine/surveyed-model.ts';
import type { Draft } from '../finding.ts';
import { finding } from '../require.ts';
import type { Rule } from '../rule.ts';
import { traceRule } from './passive-rule.ts';
import { requireBody } from './schema-findings.ts';
import { isOf, type Sighting } from './sighting.ts';

type Result = { readonly sighting: Sighting; readonly documents: readonly JsonObject[] };
type Judge = (sighting: Sighting, document: JsonObject) => readonly Draft[];

const modelOf = ({ parameters }: Sighting): string => `${parameters['provider']}/${parameters['model']}`;

/** Every version of each model's schema document that the run brought: a document may change while the server runs. */
function documentsByModel(sightings: readonly Sighting[]): ReadonlyMap<string, readonly JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const sighting of sightings) {
    if (!isOf(sighting, 'readSchemaDocument') || sighting.answer.status !== 200) continue;
    if (sighting.body.kind !== 'json' || !isJsonObject(sighting.body.value)) continue;
    const earlier = found.get(modelOf(sighting)) ?? [];
    const text = JSON.stringify(sighting.body.value);
    if (!earlier.some((one) => JSON.stringify(one) === text)) earlier.push(sighting.body.value);
    found.set(modelOf(sighting), earlier);
  }
  return found;
}

/** Results in the model's own shape: a conversion that failed may leave another provider's (MR-RUN-25). */
function nativeResults(sightings: readonly Sighting[], context: ProbeContext): readonly Result[] {
  const converted = new Set(sightings.filter(asksForAnotherProvider).map(modelOf));
  const documents = documentsByModel(sightings);
  return sightings
    .filter((sighting) => {
      if (!isOf(sighting, 'runModel', 'collectRequest') || sighting.answer.status !== 200) return false;
      if (headerOf(sighting.answer, context.headers.fallbackProvider) !== undefined) return false;
      return isOf(sighting, 'runModel') ? !asksForAnotherProvider(sighting) : !converted.has(modelOf(sighting));
    })
    .flatMap((sighting) => {
      const own = documents.get(modelOf(sighting))?.filter((document) => isOutputAuthored(document, context));
      return own === undefined || own.length === 0 ? [] : [{ sighting, documents: own }];
    });
}

function asksForAnotherProvider({ query }: Sighting): boolean {
  return query.has('model_provider') || query.has('fallback_provider');
}

function isOutputAuthored(document: JsonObject, { specs }: ProbeContext): boolean {
  // Without its version nobody knows how to read its schemas.
  if (typeof document['openapi'] !== 'string') return false;
  return document[extensionKey(specs.settings.brand, 'output-schema-authored')] !== false;
}

/** Fine when any version of the document allows it. */
function againstDocuments(judge: Judge) {
  return (sightings: readonly Sighting[], context: ProbeContext): readonly Draft[] | undefined => {
    const results = nativeResults(sightings, context);
    if (results.length === 0) return undefined;
    return results.flatMap(({ sighting, documents }) => {
      const verdicts = documents.map((document) => judge(sighting, document));
      return verdicts.some((drafts) => drafts.length === 0) ? [] : (verdicts.at(-1) ?? []);
    });
  };
}

const outputFor = ({ answer }: Sighting, document: JsonObject) =>
  Object.entries(outputsOf(document)).find(([type]) => matchesMediaType(type, mediaTypeOf(answer)));

const requireOutput: Judge = (sighting, document) => {
  const [, schema] = outputFor(sighting, document) ?? [];
  if (schema === undefined || !/[/+]json$/.test(mediaTypeOf(sighting.answer) ?? '')) return [];
  try {
    return requireBody(sighting, { schema, root: document });
  } catch (error) {
    // Published documents hold schemas that nothing can compile; they promise nothing.
    if (error instanceof SpecError) return [];
    throw error;
  }
};

const requireOutputType: Judge = (sighting, document) => {
  const types = Object.keys(outputsOf(document));
  if (types.length === 0 || outputFor(sighting, document) !== undefined) return [];
  const at = { step: sighting.answer.step, header: 'Content-Type' };
  const actual = mediaTypeOf(sighting.answer) ?? 'absent';
  return [finding('media-type-unexpected', at, { expected: types.join(' or '), actual })];
};

export const modelOutputRules: readonly Rule[] = [
  traceRule({
    id: 'result.fits-the-output-schema',
    requirements: ['MR-RUN-23', 'MR-SCH-28', 'MR-COL-04'],
    judge: againstDocuments(requireOutput),
  }),
  traceRule({
    id: 'result.has-the-documented-media-type',
    requirements: ['MR-SCH-29', 'MR-SCH-35', 'MR-COL-05'],
    judge: againstDocuments(requireOutputType),
  }),
];
