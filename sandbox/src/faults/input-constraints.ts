import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { errorType } from '../http/messages.ts';
import { resend, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import type { OperationId } from './builders/operations.ts';
import { readObject } from './builders/replies.ts';
import { asEmptyRun, isOfModel } from './builders/requests.ts';
import { firstEntryOnly } from './errors.ts';

function areAllOf(types: readonly string[], { detail }: JsonObject): boolean {
  const isOf = (entry: JsonValue): boolean => isJsonObject(entry) && types.includes(String(entry['type']));
  return Array.isArray(detail) && detail.length > 0 && detail.every(isOf);
}

/** Accepts an input that breaks constraints of this kind only: it is run as an empty input of a model that takes one. */
const overlooked = (...types: readonly string[]): Change =>
  only({ status: 422, reply: (reply) => areAllOf(types, readObject(reply)) }, resend(asEmptyRun));

const kinds: readonly { name: string; types: readonly string[] }[] = [
  { name: 'enumerations', types: ['enum', 'union_mismatch'] },
  { name: 'upper-bounds', types: ['less_than_equal', 'less_than'] },
  { name: 'lower-bounds', types: ['greater_than_equal', 'greater_than'] },
  { name: 'longest-texts', types: ['string_too_long'] },
  { name: 'shortest-texts', types: ['string_too_short'] },
  { name: 'patterns', types: ['string_pattern_mismatch'] },
  { name: 'further-members', types: ['extra_forbidden'] },
  { name: 'longest-lists', types: ['too_long'] },
];

const operations: readonly { on: OperationId; name: string; requirements: string }[] = [
  { on: 'runModel', name: 'run', requirements: 'MR-SCH-27 MR-RUN-49' },
  { on: 'submitRequest', name: 'submit', requirements: 'MR-SUB-07 MR-SUB-08' },
];

const oneModel = overlooked('missing', 'string_type', 'less_than_equal');

export const inputConstraintFaults: readonly Fault[] = [
  ...operations.flatMap(({ on, name, requirements }) =>
    group(
      { id: `${name}.constraints`, on: [on] },
      kinds.map((kind) => fault(`${kind.name}-overlooked`, requirements, overlooked(...kind.types))),
    ),
  ),
  ...group({ id: 'submit.invalid', on: ['submitRequest'], status: 422, subject: 'The 422 of a submission' }, [
    fault('of-one-model-admitted', 'MR-SUB-07 MR-SUB-08', oneModel, { when: isOfModel('text-provider/embed') }),
    fault('wrong-category', 'MR-CTG-03', set.header(errorType, 'validation_error')),
    fault('first-field-only', 'MR-SUB-09 MR-ERR-11', firstEntryOnly),
  ]),
];
