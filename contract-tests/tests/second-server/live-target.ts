import type { Target } from '../../src/index.ts';
import { mintToken } from './accounts.ts';
import type { startServer } from './start.ts';

export type SecondServer = Awaited<ReturnType<typeof startServer>>;

/** The server as its owner would state it to the gate: all credentials, jobs of every kind, and twenty runs to spend. */
export function liveTarget({ routerUrl, workflowUrl, accounts, jobs, graphs }: SecondServer, runs = 20): Target {
  const { router, workflow } = accounts;
  const keyOf = ({ apiKey }: { apiKey: string }): string => apiKey;
  return {
    kind: 'live',
    router: {
      url: routerUrl,
      credentials: {
        main: keyOf(router.main),
        colleague: keyOf(router.colleague),
        neighbour: keyOf(router.neighbour),
        solo: keyOf(router.freelance),
        noCredits: keyOf(router.withoutCredits),
        noAccess: keyOf(router.withoutAccess),
        barred: keyOf(router.barred),
        notEnabled: keyOf(router.notEnabled),
        rateLimited: keyOf(router.rateLimited),
        spendCapped: keyOf(router.spendCapped),
        revoked: 'rk_main_000000000000000000',
        expiredToken: mintToken(router.main.user, router.main.workspace, -1),
      },
    },
    workflow: {
      url: workflowUrl,
      credentials: {
        main: keyOf(workflow.main),
        other: keyOf(workflow.other),
        forbidden: keyOf(workflow.forbidden),
        rateLimited: keyOf(workflow.rateLimited),
      },
      jobs: {
        save: jobs.saved,
        api: jobs.submitted,
        foreign: jobs.foreign,
        expired: jobs.expired,
        unreadable: jobs.unreadableVersion,
        deleted: jobs.deletedWorkflow,
        failing: jobs.damaged,
      },
      graphs,
      authentication: 'required',
    },
    stated: { exclusive: true, ceiling: 2 ** 20 },
    budget: {
      runs,
      models: [
        {
          id: 'image-provider/still-1.2',
          input: { prompt: 'a harbour' },
          deterministic: true,
          rejectedInput: { prompt: 'a harbour [disallowed]' },
          otherInput: { prompt: 'an island' },
          strictInput: { text_prompt: 'a harbour' },
          alternate: {
            provider: 'second-image-provider',
            input: { prompt: 'a harbour', negative_prompt: 'fog' },
            drops: ['negative_prompt'],
          },
        },
        { id: 'speech-provider/voice_en', input: { text: 'The ferry leaves at nine.' }, deterministic: true },
        { id: 'text-provider/caption.xl', input: {} },
        { id: 'video-provider/clip-2', input: { scene: 'a harbour' } },
        {
          id: 'image-provider/flaky-still',
          barred: true,
          input: { prompt: 'fog' },
          rejectedInput: { prompt: 'fog [disallowed]' },
          strictInput: { text_prompt: 'fog' },
          alternate: {
            provider: 'second-image-provider',
            input: { prompt: 'fog', negative_prompt: 'rain' },
            drops: ['negative_prompt'],
          },
          fallback: { value: 'second-image-provider', input: { prompt: 'fog' } },
        },
      ],
    },
  };
}
