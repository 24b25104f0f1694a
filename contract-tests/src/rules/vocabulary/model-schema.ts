import { compileSchema, type JsonObject, type Schema } from '../../../../specs/src/index.ts';
import { type Answer, jsonOf, mediaTypeOf } from '../../answer.ts';
import { matchesMediaType } from '../../documented.ts';
import type { Draft } from '../../finding.ts';
import { excerpt, finding, requireJson } from '../../require.ts';
import type { SurveyedModel } from '../../survey.ts';

/** A JSON result against the output schema of the model's own document; other media types give no finding. */
export function modelViolations(answer: Answer, model: SurveyedModel): readonly Draft[] {
  const mediaType = mediaTypeOf(answer);
  if (mediaType === undefined || !/json$/.test(mediaType)) return [];
  const documented = Object.entries(model.outputs).find(([type]) => matchesMediaType(type, mediaType));
  if (documented === undefined) return [];
  const parsed = jsonOf(answer);
  if (parsed.kind === 'malformed') return requireJson(answer);
  return violationsIn(documented[1], model.document, parsed.value).map(({ pointer, message }) =>
    finding(
      'schema-violated',
      { step: answer.step, pointer },
      { expected: message, actual: excerpt(JSON.stringify(parsed.value)) },
    ),
  );
}

function violationsIn(schema: Schema, document: JsonObject, value: unknown) {
  const openapi = String(document['openapi']).startsWith('3.0') ? '3.0' : '3.1';
  return compileSchema(schema, { root: document, openapi })(value);
}
