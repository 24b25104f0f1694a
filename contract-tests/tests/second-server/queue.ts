import { randomUUID } from 'node:crypto';
import { InvalidFields } from './answers.ts';
import { type Attempt, type Failure, fail, type Sent } from './attempts.ts';
import { checkInput } from './input.ts';
import type { Model } from './models.ts';
import type { Site } from './site.ts';
import { plain, startWork } from './work.ts';

// Queued requests: PENDING until a place at the provider is free, RUNNING, then COMPLETED.

export type Request = {
  readonly id: string;
  readonly model: Model;
  readonly scope: string;
  readonly sent: Sent;
  readonly createdAt: number;
  status: 'PENDING' | 'RUNNING' | 'COMPLETED';
  withdrawn: boolean;
  outcome: Attempt | undefined;
};

const admissionMs = 60;
const withdrawalMs = 30;
const retentionMs = 86_400_000;

const cancelled = fail('router', 410, 'cancelled', 'The request was withdrawn before it ran.');
const timedOut = fail('router', 410, 'queue_timeout', 'The request waited longer than its queue timeout.');

export class Queue {
  readonly #requests = new Map<string, Request>();
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  submit(model: Model, scope: string, sent: Sent): Request {
    const { clock } = this.#site;
    const request: Request = {
      id: randomUUID(),
      model,
      scope,
      sent,
      createdAt: clock.now(),
      status: 'PENDING',
      withdrawn: false,
      outcome: undefined,
    };
    this.#requests.set(request.id, request);
    clock.after(admissionMs, () => this.#admit(model));
    clock.after(model.queueTimeoutMs, () => {
      if (request.status === 'PENDING') this.#complete(request, timedOut);
    });
    return request;
  }

  find(id: string): Request | undefined {
    const request = this.#requests.get(id);
    return request && this.#site.clock.now() - request.createdAt < retentionMs ? request : undefined;
  }

  /** The number of requests that go first. */
  ahead(request: Request): number {
    return this.#waiting(request.model).indexOf(request);
  }

  /** False when the request was complete already. A running request is left to its provider. */
  cancel(request: Request): boolean {
    if (request.status === 'COMPLETED') {
      if (this.#site.bugs.has('cancel-overwrites-outcome')) request.outcome = cancelled;
      return false;
    }
    if (request.status === 'PENDING' && !request.withdrawn) {
      request.withdrawn = true;
      this.#site.clock.after(withdrawalMs, () => {
        if (request.status === 'PENDING') this.#complete(request, cancelled);
      });
    }
    return true;
  }

  #admit(model: Model): void {
    const { clock } = this.#site;
    const running = [...this.#requests.values()].filter(
      (one) => one.model === model && one.status === 'RUNNING',
    ).length;
    const ready = this.#waiting(model).filter((one) => !one.withdrawn && clock.now() - one.createdAt >= admissionMs);
    for (const request of ready.slice(0, Math.max(0, model.slots - running))) this.#start(request);
  }

  #start(request: Request): void {
    const site = this.#site;
    request.status = 'RUNNING';
    if (site.bugs.has('submit-validates-late')) {
      const failure = lateFailure(request);
      if (failure) {
        this.#complete(request, failure);
        return;
      }
    }
    const assignment = { model: request.model, sent: request.sent, scope: request.scope, via: 'queue' } as const;
    void startWork(site, assignment, plain).done.then((result) => this.#complete(request, result.attempt));
  }

  #complete(request: Request, outcome: Attempt): void {
    request.status = 'COMPLETED';
    request.outcome = outcome;
    this.#admit(request.model);
  }

  #waiting(model: Model): Request[] {
    return [...this.#requests.values()].filter((one) => one.model === model && one.status === 'PENDING');
  }
}

function lateFailure(request: Request): Failure | undefined {
  try {
    checkInput(request.model, request.sent.input);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    return fail('request', 422, 'invalid_input', 'The model rejects the input.', { problems: error.problems });
  }
}
