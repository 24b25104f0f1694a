import { type Brand, brandWords, isJsonObject, recogniseBrand } from '../../../specs/src/index.ts';
import type { Evidence } from '../definitions/probe.ts';
import { documentOf } from './document-cache.ts';

/** The brand that the router shows in these exchanges instead of the one of the run; undefined when it shows no other. */
export function otherBrandIn(exchanges: Evidence, assumed: Brand): Brand | undefined {
  const answered = exchanges.flatMap(({ api, request, result }) =>
    api === 'router' && result.kind === 'response' ? [{ request, result }] : [],
  );
  const documents = answered.flatMap(({ request, result }) => {
    if (result.status !== 200 || !request.url.endsWith('/openapi.json')) return [];
    const parsed = documentOf(result);
    return parsed.kind === 'json' && isJsonObject(parsed.value) ? [brandWords(parsed.value)] : [];
  });
  const headers = answered.flatMap(({ result }) => result.headers.map(([name]) => name));
  return recogniseBrand({ documents, headers }, assumed);
}
