export type Address = { readonly url: string; readonly rebasedFrom?: string };

/**
 * Where a request goes: a path below the base, kept as written, or a URL an answer gave. Such a URL never leads away
 * from the target: with another origin (a proxy in front, a mock's example) its path is asked of the target's own base.
 */
export function addressOf(baseUrl: string, to: string): Address {
  const base = baseUrl.replace(/\/+$/, '');
  if (to.startsWith('/')) return { url: base + to };
  const followed = new URL(to);
  const own = new URL(base);
  const isOwn = followed.origin === own.origin && followed.username === '' && followed.password === '';
  if (isOwn) return { url: followed.href };
  const prefix = own.pathname.replace(/\/+$/, '');
  const path = followed.pathname + followed.search;
  const rebased = prefix !== '' && path.startsWith(`${prefix}/`) ? own.origin + path : base + path;
  return { url: rebased, rebasedFrom: to };
}
