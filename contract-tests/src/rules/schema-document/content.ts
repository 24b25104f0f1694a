import { extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { jsonOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft, Place } from '../../finding.ts';
import type { Evidence } from '../../probe.ts';
import { excerpt, finding } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, step } from '../../steps.ts';
import { schemaDocumentPath } from '../vocabulary/router-steps.ts';

const family = 'schema-document';
const api = 'router';
const needs = ['schema-document.read.is-a-json-object'];
const kinds = ['authored', 'unauthored', 'binary'] as const;

const readSeveral = (context: ProbeContext) => ({
  steps: kinds.flatMap((kind) => {
    const model = context.survey.models[kind];
    return model === undefined ? [] : [step(model.id, get('router', schemaDocumentPath(model)))];
  }),
});

type Read = { readonly step: string; readonly document: JsonObject };

function documentsIn(evidence: Evidence): readonly Read[] {
  return evidence.flatMap((exchange) => {
    const answer = responseOf(evidence, exchange.step);
    const parsed = jsonOf(answer);
    if (answer.status !== 200 || parsed.kind !== 'json' || !isJsonObject(parsed.value)) return [];
    return [{ step: exchange.step, document: parsed.value }];
  });
}

function unlike(at: Place, expected: string, actual: JsonValue | undefined): Draft {
  return finding('value-unexpected', at, {
    expected,
    actual: actual === undefined ? 'absent' : excerpt(JSON.stringify(actual)),
  });
}

function operationsOf(document: JsonObject): readonly JsonObject[] {
  const paths = isJsonObject(document['paths']) ? Object.values(document['paths']) : [];
  return paths.filter(isJsonObject).flatMap((item) => Object.values(item).filter(isJsonObject));
}

/** All that a document lacks to be read by itself. */
export function documentFindings(document: JsonObject, step: string, key: string): readonly Draft[] {
  const references = outwardReferences(document, '').map(({ pointer, target }) =>
    unlike({ step, pointer }, 'a reference inside the document', target),
  );
  const hasInput = operationsOf(document).some((operation) => bodySchemaOf(operation) !== undefined);
  const input = hasInput
    ? []
    : [unlike({ step, pointer: '/paths' }, 'an operation with a request body schema', undefined)];
  const flags = authoredFlags(document, key)
    .filter((flag) => typeof flag !== 'boolean')
    .map((flag) => unlike({ step, pointer: `/${key}` }, 'a boolean', flag));
  return [...references, ...input, ...flags];
}

/** References that lead out of the document, which is to stand alone (MR-SCH-25). */
function outwardReferences(value: JsonValue, pointer: string): readonly { pointer: string; target: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isOutward = name === '$ref' && typeof inner === 'string' && !inner.startsWith('#');
    return isOutward ? [{ pointer: `${pointer}/$ref`, target: inner }] : outwardReferences(inner, `${pointer}/${name}`);
  });
}

function bodySchemaOf(operation: JsonObject): JsonValue | undefined {
  const body = operation['requestBody'];
  const content = isJsonObject(body) ? body['content'] : undefined;
  const media = isJsonObject(content) ? Object.values(content)[0] : undefined;
  return isJsonObject(media) ? media['schema'] : undefined;
}

/** NS-27: where the key stands is open, so it is looked for at the root, in info and on the operations. */
function authoredFlags(document: JsonObject, key: string): readonly JsonValue[] {
  const places = [document, document['info'], ...operationsOf(document)];
  return places.flatMap((place) => (isJsonObject(place) && place[key] !== undefined ? [place[key]] : []));
}

export const schemaContentRules: readonly Rule[] = [
  defineRule({
    id: 'schema-document.content.is-openapi',
    family,
    requirements: ['MR-SCH-25'],
    needs,
    api,
    probe: readSeveral,
    judge: (evidence) =>
      documentsIn(evidence)
        .filter(({ document }) => typeof document['openapi'] !== 'string' || !document['openapi'].startsWith('3.'))
        .map(({ step: name, document }) =>
          unlike({ step: name, pointer: '/openapi' }, 'an OpenAPI 3 version', document['openapi']),
        ),
  }),
  defineRule({
    id: 'schema-document.content.stands-alone',
    family,
    requirements: ['MR-SCH-25'],
    needs,
    api,
    probe: readSeveral,
    judge: (evidence) =>
      documentsIn(evidence).flatMap(({ step: name, document }) =>
        outwardReferences(document, '').map(({ pointer, target }) =>
          unlike({ step: name, pointer }, 'a reference inside the document', target),
        ),
      ),
  }),
  defineRule({
    id: 'schema-document.content.describes-the-input',
    family,
    requirements: ['MR-SCH-26'],
    needs,
    api,
    probe: readSeveral,
    judge: (evidence) =>
      documentsIn(evidence)
        .filter(({ document }) => operationsOf(document).every((operation) => bodySchemaOf(operation) === undefined))
        .map(({ step: name }) =>
          unlike({ step: name, pointer: '/paths' }, 'an operation with a request body schema', undefined),
        ),
  }),
  defineRule({
    id: 'schema-document.content.authored-flag-is-boolean',
    family,
    requirements: ['MR-SCH-30'],
    needs,
    api,
    probe: readSeveral,
    judge: (evidence, { specs }) => {
      const key = extensionKey(specs.settings.brand, 'input-schema-authored');
      return documentsIn(evidence).flatMap(({ step: name, document }) =>
        authoredFlags(document, key)
          .filter((flag) => typeof flag !== 'boolean')
          .map((flag) => unlike({ step: name, pointer: `/${key}` }, 'a boolean', flag)),
      );
    },
  }),
];
