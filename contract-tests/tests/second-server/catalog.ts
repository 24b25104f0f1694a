import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Answer, jsonAnswer, Refusal } from './answers.ts';
import { type Call, mayUse, requireModel } from './call.ts';
import { type Model, printDocument, strongTag } from './models.ts';

// The list of models, one model, and its schema document.

const cursorKey = randomBytes(32);
const cursorMs = 3_600_000;

/** A page is a stretch of the table: rows that are not listed make it short, or even empty. */
export function listModels(call: Call): Answer {
  const { bugs, models } = call.world;
  const limit = readLimit(call.query.get('limit'));
  const start = readPosition(call);
  const end = start + limit;
  const data = models.slice(start, end).filter((model) => !model.retired && mayUse(call.account, model));
  const more = models.slice(end).some((model) => !model.retired && mayUse(call.account, model));
  const next = bugs.has('list-skips-at-boundary') ? end + 1 : end;
  return jsonAnswer(200, {
    data: data.map((model) => ({ ...makeEntry(model), family: model.behaviour })),
    has_more: bugs.has('list-has-more-by-length') ? data.length === limit : more,
    ...(more && { next_cursor: writeCursor(call, next) }),
    limit,
  });
}

export function readModel(call: Call): Answer {
  const { bugs, models } = call.world;
  const isKnownProvider = models.some((one) => one.provider === call.names[0]);
  const exists = models.some((one) => one.id === call.names.join('/'));
  if (bugs.has('read-unknown-model-500') && isKnownProvider && !exists) throw new TypeError('model is undefined');
  const model = requireModel(call);
  const entry = makeEntry(model);
  const priced = { ...entry.billing, unit: 'run', price_cents: model.priceCents };
  return jsonAnswer(200, {
    ...entry,
    ...(bugs.has('read-shows-prices') && { billing: priced }),
    family: model.behaviour,
  });
}

export function readDocument(call: Call): Answer {
  const { bugs, brand } = call.world;
  const model = requireModel(call);
  if (call.account.access === 'broken') throw new Refusal(500, 'internal_error', 'The document could not be read.');
  const body = printDocument(model, brand.word);
  const tag = strongTag(body);
  const headers = { etag: tag, 'cache-control': 'private, must-revalidate', vary: 'authorization, x-api-key' };
  const condition = call.header('if-none-match');
  const unchanged = condition !== undefined && (bugs.has('schema-304-for-any-tag') || matches(condition, tag));
  if (unchanged) return { status: 304, headers: bugs.has('schema-304-bare') ? {} : headers };
  return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body };
}

const makeEntry = (model: Model) => ({
  id: model.id,
  provider: model.provider,
  model: model.model,
  billing: { charges_on_policy_rejection: model.chargesOnRefusal },
});

const matches = (condition: string, tag: string): boolean =>
  condition.trim() === '*' ||
  (condition.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one.replace(/^W\//, '') === tag);

function readLimit(text: string | null): number {
  if (text === null) return 20;
  if (!/^[+-]?\d+$/.test(text)) throw new Refusal(400, 'invalid_input', 'limit has to be a whole number.');
  const wanted = Number(text);
  return wanted < 1 ? 20 : Math.min(wanted, 100);
}

function writeCursor(call: Call, position: number): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', cursorKey, nonce);
  const text = JSON.stringify([position, call.world.clock.now() + cursorMs]);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function readPosition(call: Call): number {
  const cursor = call.query.get('cursor');
  if (cursor === null) return 0;
  try {
    const [position, expires] = decrypt(cursor);
    if (expires > call.world.clock.now()) return position;
  } catch {
    // Treated like a cursor that has expired.
  }
  if (call.world.bugs.has('list-bad-cursor-restarts')) return 0;
  throw new Refusal(400, 'invalid_input', 'The cursor is malformed or has expired.');
}

function decrypt(cursor: string): [position: number, expires: number] {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) throw new Error('not base64url');
  const decipher = createDecipheriv('aes-256-gcm', cursorKey, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString());
}
