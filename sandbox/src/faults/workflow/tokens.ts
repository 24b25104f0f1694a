import type { Decorator } from '../decorator.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const on = ['readJobWorkflow'] as const;
export const main = 'sk-sandbox-workflow-main';

export function withToken(wanted: (token: string) => boolean, token: string): Decorator {
  return rewriteRequest(on, (request) => {
    const sent = request.headers.get('authorization')?.replace(/^Bearer /, '');
    return sent !== undefined && wanted(sent) ? { headers: { authorization: `Bearer ${token}` } } : {};
  });
}
