import type { JsonObject } from '../../../specs/src/index.ts';
import type { Reply } from '../http/messages.ts';

export type Api = 'model-router' | 'workflow-execution';
export type KnownOperation = { readonly api: Api; readonly operation: string };

/** A reply that takes the place of the next ones of an operation. */
export type StubbedResponse = {
  /** An operation's id, or `*` for all of the API. */
  operation: string;
  api: Api | 'both';
  times: number;
  /** `after`: the call does its work, and only its reply is lost. */
  stage: 'before' | 'after';
  reply: Reply;
  /** The body of the admin call that asked for it. */
  wanted: JsonObject;
};

export function createStubs() {
  let pending: readonly StubbedResponse[] = [];
  return {
    add: (stub: StubbedResponse): void => {
      pending = [...pending, stub];
    },
    pending: () => pending,
    clear: (): void => {
      pending = [];
    },
    /** The stubbed reply, which is used up by this, or else the handler's. */
    replyOr: async (operation: KnownOperation, handle: () => Reply | Promise<Reply>): Promise<Reply> => {
      const stub = pending.find((one) => isFor(one, operation));
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

function isFor(stub: StubbedResponse, { api, operation }: KnownOperation): boolean {
  if (stub.api !== 'both' && stub.api !== api) return false;
  return stub.operation === '*' || stub.operation === operation;
}
