import { createHash, randomUUID } from 'node:crypto';
import { type Answer, json, Refusal } from './answers.ts';
import { type Model, models, printDocument } from './models.ts';
import { type Call, mayUse, requireModel } from './world.ts';

/** Returns a page of the table of models. Retired and private models of the page are omitted, so it may be short or even empty. */
export function listModels({ world, account, query }: Call): Answer {
  const { has, cursors } = world;
  const cursor = query.get('cursor');
  const start = cursor === null ? 0 : cursors.get(cursor);
  if (start === undefined) throw new Refusal(400, 'invalid_input', 'The cursor is malformed or has expired.');
  const limit = readLimit(query.get('limit'));
  const end = start + limit;
  const isListed = (model: Model): boolean => !model.isRetired && mayUse(account, model);
  const data = models.slice(start, end).filter(isListed).map(makeEntry);
  const hasMore = models.slice(end).some(isListed);
  const next = randomUUID();
  if (hasMore) cursors.set(next, has('list-skips-at-boundary') ? end + 1 : end);
  return json(200, {
    data,
    has_more: has('list-has-more-by-length') ? data.length === limit : hasMore,
    ...(hasMore && { next_cursor: next }),
    limit,
  });
}

function readLimit(text: string | null): number {
  if (text === null) return 20;
  if (!/^[+-]?\d+$/.test(text)) throw new Refusal(400, 'invalid_input', 'limit has to be a whole number.');
  return Number(text) < 1 ? 20 : Math.min(Number(text), 100);
}

function makeEntry({ id, behaviour, chargesOnRefusal }: Model) {
  const [provider, model] = id.split('/');
  return { id, provider, model, billing: { charges_on_policy_rejection: chargesOnRefusal }, family: behaviour };
}

export function readModel(call: Call): Answer {
  const { has, entries } = call.world;
  const [provider = '', name] = call.names;
  const isUnknown = !models.some(({ id }) => id === `${provider}/${name}`);
  if (has('read-unknown-model-500') && isUnknown && models.some(({ id }) => id.startsWith(`${provider}/`)))
    throw new TypeError('model is undefined');
  const model = requireModel(call);
  const entry = makeEntry(model);
  const priced = { billing: { ...entry.billing, unit: 'run', price_cents: model.priceCents } };
  const answer = json(200, { ...entry, ...(has('read-shows-prices') && priced) });
  if (has('read-cached-for-all')) entries.set(call.path, answer);
  return answer;
}

export function readDocument(call: Call): Answer {
  const body = printDocument(requireModel(call));
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const headers = { etag: tag, 'cache-control': 'private, must-revalidate', vary: 'authorization, x-api-key' };
  const condition = call.header('if-none-match')?.trim();
  const sentTags = condition === '*' ? [tag] : (condition?.match(/"[^"]*"/g) ?? []);
  if (sentTags.includes(tag)) return { status: 304, headers };
  return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body };
}
