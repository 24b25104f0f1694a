import {
  extensionKey,
  findMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  findMembers as listMembers,
  readModelOperation,
  SpecError,
} from '../../../../specs/src/index.ts';
import type { TargetContext } from '../../contract/context.ts';
import { decodeBody, findMembers, matchesMediaType, once, readHeader, readMediaType } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { state } from '../../requires.ts';
import { listOutputs } from '../../run/discovered-model.ts';
import * as expect from '../expect.ts';
import { checkBody } from './bodies.ts';
import type { ObservedResponse, ResponseCheck, TraceCheck } from './passive-rule.ts';
import { isOperation, isResponseTo, isResult, nameModel, responseRule, traceRule } from './passive-rule.ts';

const checkDocument: ResponseCheck = (observed, { specs }) => {
  const { parsed, step } = observed;
  if (parsed.kind !== 'json' || !isJsonObject(parsed.value)) return [];
  const document = parsed.value;
  const key = extensionKey(specs.settings.brand, 'input-schema-authored');
  const wrong = (pointer: string, expected: string, actual: JsonValue | undefined): readonly Finding[] =>
    expect.wrongAt(step, pointer, expected, expect.jsonText(actual));
  const version = document['openapi'];
  const isOpenApi = typeof version === 'string' && version.startsWith('3.');
  const outward = findMembers(
    document,
    (name, target) => name === '$ref' && typeof target === 'string' && !target.startsWith('#'),
  );
  const flag = readModelOperation(document, nameModel(observed))?.extension(key);
  return [
    ...(isOpenApi ? [] : wrong('/openapi', 'an OpenAPI 3 version', version)),
    ...outward.flatMap(({ pointer, value }) => wrong(pointer, 'a reference inside the document', value)),
    ...(hasInput(document) ? [] : wrong('/paths', 'an operation with a request body schema', undefined)),
    // OP-027: the documents don't define where the flag is.
    ...(flag === undefined || typeof flag === 'boolean' ? [] : wrong(`/${key}`, 'a boolean', flag)),
  ];
};

function hasInput(document: JsonObject): boolean {
  return findMembers(document, (name) => name === 'requestBody').some(({ value }) => {
    const body = findMember(document, { value: { value }, pointer: '' }, 'value');
    return [...listMembers(document, body, 'content').values()].some((media) => media.value['schema'] !== undefined);
  });
}

const isDocument = isResponseTo('readSchemaDocument 200');

/** Returns results in the model's own format, which a result of another provider may not have (MR-RUN-25). */
function listNativeResults(responses: readonly ObservedResponse[], { headers }: TargetContext) {
  const converted = new Set(responses.filter(selectsProvider).map(nameModel));
  return responses.filter((observed) => {
    if (!isResult(observed) || readHeader(observed, headers.fallbackProvider) !== undefined) return false;
    return isOperation(observed, 'runModel') ? !selectsProvider(observed) : !converted.has(nameModel(observed));
  });
}

const selectsProvider = ({ query }: ObservedResponse): boolean =>
  query.has('model_provider') || query.has('fallback_provider');

/** Accepts a result that is valid for at least one version of its model's document. */
const checkResults: TraceCheck = (responses, context) => {
  const results = listNativeResults(responses, context);
  const documents = Map.groupBy(results.length === 0 ? [] : responses.filter(isDocument), nameModel);
  const key = extensionKey(context.specs.settings.brand, 'output-schema-authored');
  const checked = results.flatMap((observed) => {
    const id = nameModel(observed);
    // A document may change during the check, so use all versions. Equal bytes are parsed to the same object.
    const versions = new Set(documents.get(id)?.map(({ parsed }) => (parsed.kind === 'json' ? parsed.value : null)));
    const comparable = [...versions].filter(isJsonObject).filter(
      // Without an OpenAPI version, the meaning of a document's schemas is undefined.
      (one) => typeof one['openapi'] === 'string' && readModelOperation(one, id)?.extension(key) !== false,
    );
    return comparable.length === 0 ? [] : [comparable.map((document) => checkResult(observed, document))];
  });
  if (checked.length === 0) return undefined;
  return checked.flatMap((findings) =>
    findings.some((ofVersion) => ofVersion.length === 0) ? [] : (findings.at(-1) ?? []),
  );
};

function checkResult(observed: ObservedResponse, document: JsonObject): readonly Finding[] {
  const outputs = Object.entries(listOutputs(document));
  const actual = readMediaType(observed);
  const [, schema] = outputs.find(([type]) => matchesMediaType(type, actual)) ?? [];
  if (schema === undefined)
    return outputs.length === 0
      ? []
      : expect.wrongMediaType(observed.step, outputs.map(([type]) => type).join(' or '), actual);
  if (!/[/+]json$/.test(actual ?? '')) return [];
  try {
    return checkBody(observed, { schema, root: document });
  } catch (error) {
    // Some published schemas cannot be compiled, so their results cannot be checked.
    if (error instanceof SpecError) return [];
    throw error;
  }
}

export const schemaDocumentRules = [
  responseRule('passive.schema-document.stands-by-itself', {
    concern: 'discovery',
    sentence: 'A schema document is an OpenAPI 3 document that describes an input and has no external references.',
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-30'],
    requiredOf: ['mock', 'sandbox'],
    about: isDocument,
    check: checkDocument,
  }),
  traceRule('trace.entity-tag.stands-for-the-bytes', {
    concern: 'discovery',
    sentence: 'An entity tag always identifies the same bytes of a schema document.',
    requirements: ['MR-SCH-09'],
    requiredOf: ['sandbox', 'live'],
    requires: [state],
    // Each version of a document has exactly one tag, and no two versions share one.
    check: (responses) => {
      const documents = responses.filter(isDocument);
      if (documents.length === 0) return undefined;
      const [tagOfText, textOfTag] = [new Map<string, string>(), new Map<string, string>()];
      return documents.flatMap((response) => {
        const tag = readHeader(response, 'ETag')?.trim();
        if (tag === undefined) return [];
        const [model, text] = [nameModel(response), decodeBody(response)];
        // A different content coding produces different bytes.
        const coding = readHeader(response, 'Content-Encoding') ?? 'identity';
        const firstTag = once(tagOfText, `${model} ${coding} ${text}`, () => tag);
        const firstText = once(textOfTag, `${model} ${tag}`, () => text);
        const at = { step: response.step, header: 'ETag' };
        if (firstTag !== tag) return [finding('values-differ', at, `${firstTag} for the same bytes`, tag)];
        if (firstText === text) return [];
        return [finding('values-differ', at, 'a different tag, because the bytes differ', excerpt(tag))];
      });
    },
  }),
  traceRule('trace.result.fits-its-document', {
    sentence: 'Every result has a media type that its model documents, and is valid for the schema of its output.',
    requirements: ['MR-RUN-23', 'MR-SCH-28', 'MR-SCH-29', 'MR-SCH-35', 'MR-COL-04', 'MR-COL-05'],
    reading: 'OP-110',
    check: checkResults,
  }),
];
