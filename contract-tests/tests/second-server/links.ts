import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Answer } from './answers.ts';
import type { Site } from './site.ts';

// Links to assets in service storage: signed, and dead after their time.

const secret = randomBytes(32);
const hour = 3_600_000;

const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);

export type Store = 'copies' | 'written';

export function signedLink(site: Site, store: Store, name: string, mediaType: string, hours: number): string {
  const expires = site.clock.now() + hours * hour;
  const path = `/files/${store}/${name}`;
  const query = new URLSearchParams({ type: mediaType, expires: String(expires) });
  query.set('signature', sign(`${path}?${query}`));
  return `${site.origin()}${path}?${query}`;
}

/** The link of a provider: on another host, and of no concern to this server. */
export const providerLink = (name: string): string => `https://files.provider.example/made/${name}`;

export const assetBytes = (name: string): Buffer => createHash('sha512').update(name).digest();

export function serveFile(site: Site, url: URL): Answer {
  const given = url.searchParams.get('signature');
  url.searchParams.delete('signature');
  const refuse = (status: number, text: string): Answer => ({
    status,
    headers: { 'content-type': 'text/plain' },
    body: text,
  });
  if (given !== sign(`${url.pathname}?${url.searchParams}`)) return refuse(403, 'This link is not valid.\n');
  if (Number(url.searchParams.get('expires')) <= site.clock.now()) return refuse(410, 'This link has expired.\n');
  const headers = { 'content-type': url.searchParams.get('type') ?? 'application/octet-stream' };
  return { status: 200, headers, body: assetBytes(url.pathname) };
}
