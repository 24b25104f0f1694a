import { parseJson } from '../../parse-json.ts';
import { refuse } from '../builders/changes.ts';
import { group, type Variant, fault as variant } from '../builders/fault.ts';
import { posts } from '../builders/operations.ts';
import { isRefusal } from '../builders/replies.ts';
import { hasKey, readBodyText, readKey } from '../builders/requests.ts';

const badRequest = refuse(400, 'invalid_input');

/** Where a call is wrong in two ways, no order of the checks is given (NS-31). */
export const orderVariants: readonly Variant[] = group(
  { id: 'order', on: posts, status: isRefusal, subject: 'Of two reasons to refuse a run' },
  [
    variant('malformed-body-first', 'MR-CTG-01 MR-STC-01', 'a malformed body comes first', badRequest, {
      when: (request) => request.body !== 'too-large' && parseJson(readBodyText(request)) === undefined,
    }),
    variant('unusable-key-first', 'MR-CTG-04 MR-STC-01', 'an unusable key comes first', badRequest, {
      when: (request) => hasKey(request) && (readKey(request) === '' || readKey(request).length > 255),
    }),
  ],
);
