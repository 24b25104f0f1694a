import type { Decorator } from '../decorator.ts';
import { putTogether, refusal, takeApart, touches, type Where } from './answer-rewrite.ts';

/** Such requests are refused, whatever the healthy application makes of them. */
export function refuseWhen(
  on: Where['on'],
  picks: (request: Request, response: Response) => boolean,
  error: { status: number; category: string },
): Decorator {
  return (app, context) => async (request) => {
    const untouched = request.clone();
    const response = await app(request);
    if (!touches({ on }, untouched) || !picks(untouched, response)) return response;
    return putTogether(refusal(await takeApart(response), context, error));
  };
}
