import { onJson, onReply, onRequest, refuse } from '../builders/changes.ts';
import { group, rowIn, type Variant, variant } from '../builders/fault.ts';
import { routerOperations } from '../builders/operations.ts';
import { categoryOf, isRefusal, isReplay, without } from '../builders/replies.ts';
import { isFrom, withHeaders } from '../builders/requests.ts';
import { changeEntries, changeLoc } from '../errors.ts';

const locVariant = rowIn(changeLoc);
const bodyVariant = rowIn(onJson);
const entryVariant = rowIn(changeEntries);
const replyVariant = rowIn(onReply);
const requestVariant = rowIn(onRequest);

const isUnusualTag = ({ headers }: { headers: Readonly<Record<string, string>> }): boolean =>
  /^(?:W\/|\*|$)/.test(headers['if-none-match'] ?? '');

const ownTypes = { type: 'image_too_small', ctx: { min: { width: 64 } }, input: null, url: 'about:blank' };
const refuseReplay = refuse(409, 'invalid_input', isReplay);

export const routerVariants: readonly Variant[] = [
  ...group({ id: 'schema-document.conditional', on: ['readSchemaDocument'], when: isUnusualTag }, [
    requestVariant('strong-comparison', 'MR-SCH-12', 'A weak tag and * never match (NS-28)', (request) =>
      withHeaders(request, { 'if-none-match': undefined }),
    ),
  ]),
  ...group({ id: 'run.credits', on: ['runModel'], status: 400 }, [
    replyVariant('answered-with-402', 'MR-CTG-09', 'Runs without credits get a 402 (C-11)', (reply, { context }) => {
      const isAboutCredits = categoryOf(reply, context) === 'insufficient_credits';
      return isAboutCredits ? { ...reply, status: 402 } : reply;
    }),
  ]),
  ...group({ id: 'errors.validation', on: ['runModel', 'submitRequest'], status: 422, subject: 'Entries of a 422' }, [
    locVariant('prefixed-loc', 'MR-ERR-13', 'have a loc that begins with body', (loc) => ['body', ...loc]),
    entryVariant('nothing-echoed', ['MR-ERR-20', 'MR-ERR-18'], 'echo no input and name no bound', (entry) =>
      without(entry, 'input', 'ctx'),
    ),
    entryVariant('own-types', ['MR-ERR-16', 'MR-ERR-17'], 'have types and bounds of the provider', (entry) => ({
      ...entry,
      ...ownTypes,
    })),
  ]),
  ...group({ id: 'errors.detail', on: routerOperations, status: (status) => isRefusal(status) && status !== 422 }, [
    bodyVariant('other-words', ['MR-ERR-02', 'MR-ERR-03'], 'Error details are in another language', (body) =>
      'detail' in body ? { ...body, detail: 'Das ging leider nicht.\nBitte prüfen. 請再試一次' } : body,
    ),
  ]),
  ...group({ id: 'idempotency.conflict', on: ['runModel'], status: 200 }, [
    variant('for-colleagues', 'MR-IDM-44', 'A key of a colleague conflicts in place of a replay', refuseReplay, {
      when: isFrom('colleague'),
    }),
  ]),
];
