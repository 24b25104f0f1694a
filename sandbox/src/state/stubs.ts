import type { JsonObject } from '../../../specs/src/index.ts';
import type { Reply } from '../http/messages.ts';

export type Api = 'model-router' | 'workflow-execution';
export type KnownOperation = { readonly api: Api; readonly operation: string };

/** A reply that replaces the next replies of an operation. */
export type StubbedResponse = {
  /** Id of an operation, or `*` for all operations of the API. */
  operation: string;
  api: Api | 'both';
  times: number;
  /** `after`: the call has its effects, and only its reply is replaced. */
  stage: 'before' | 'after';
  reply: Reply;
  /** Body of the admin call that added it. */
  wanted: JsonObject;
};

export type Stubs = {
  add(stub: StubbedResponse): void;
  pending(): readonly StubbedResponse[];
  clear(): void;
  /** Returns and uses up the stubbed reply, or else calls the handler. */
  replyOr(operation: KnownOperation, handle: () => Reply | Promise<Reply>): Promise<Reply>;
};

export function createStubs(): Stubs {
  let pending: readonly StubbedResponse[] = [];
  return {
    add: (stub) => {
      pending = [...pending, stub];
    },
    pending: () => pending,
    clear: () => {
      pending = [];
    },
    replyOr: async ({ api, operation }, handle) => {
      const isFor = (one: StubbedResponse): boolean =>
        (one.api === 'both' || one.api === api) && (one.operation === '*' || one.operation === operation);
      const stub = pending.find(isFor);
      if (stub === undefined) return handle();
      pending = pending.flatMap((one) => {
        if (one !== stub) return [one];
        return stub.times > 1 ? [{ ...stub, times: stub.times - 1 }] : [];
      });
      if (stub.stage === 'after') await handle();
      return stub.reply;
    },
  };
}
