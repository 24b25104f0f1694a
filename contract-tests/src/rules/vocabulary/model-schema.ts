import { compileSchema, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, jsonOf, mediaTypeOf } from '../../answer.ts';
import { matchesMediaType } from '../../documented.ts';
import { SetupFailure } from '../../errors.ts';
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
  return compileSchema(documented[1], { root: model.document })(parsed.value).map(({ pointer, message }) =>
    finding(
      'schema-violated',
      { step: answer.step, pointer },
      { expected: message, actual: excerpt(JSON.stringify(parsed.value)) },
    ),
  );
}

/** Another valid input of the model. Throws SetupFailure when none of a few small changes gives one. */
export function otherInputOf(model: SurveyedModel): JsonObject {
  const changed = Object.entries(model.input).flatMap(([name, value]) => {
    const other = otherScalar(value);
    return other === undefined ? [] : [{ ...model.input, [name]: other }];
  });
  const candidates = [...changed, { ...model.input, note_of_another_call: 'changed' }];
  const check = compileSchema(model.inputSchema, { root: model.document });
  const found = candidates.find((candidate) => check(candidate).length === 0);
  if (found === undefined) throw new SetupFailure(`no second input of ${model.id} could be made`);
  return found;
}

function otherScalar(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return `${value} again`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : undefined;
}
