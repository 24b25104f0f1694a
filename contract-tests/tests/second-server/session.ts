import type { startServer } from './start.ts';

// The little that the tests of this folder need to call the server.

export type Started = Awaited<ReturnType<typeof startServer>>;
export type Who = keyof Started['accounts']['router'];
export type Session = ReturnType<typeof sessionWith>;

export function sessionWith(server: Started) {
  function call(path: string, who: Who = 'main', init: RequestInit = {}) {
    const url = path.startsWith('http') ? path : server.routerUrl + path;
    const headers = { 'x-api-key': server.accounts.router[who].apiKey, ...(init.headers as Record<string, string>) };
    return fetch(url, { ...init, headers });
  }

  const post = (path: string, body: unknown, who: Who = 'main', headers: Record<string, string> = {}) =>
    call(path, who, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers });

  async function completed(statusUrl: string) {
    for (;;) {
      const status = await (await call(statusUrl)).json();
      if (status.status === 'COMPLETED') return status;
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  const workflow = (path: string, who: keyof Started['accounts']['workflow'] = 'main') => {
    const headers = { authorization: `Bearer ${server.accounts.workflow[who].apiKey}` };
    return fetch(`${server.workflowUrl}/api/v2/jobs/${path}`, { headers });
  };

  return { server, call, post, completed, workflow };
}

export const keyed = (key: string) => ({ 'idempotency-key': key });
export const still = '/v2/models/image-provider/still-1.2';
export const obedient = '/v2/models/lab-provider/obedient-1';
