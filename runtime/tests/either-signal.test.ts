import { afterEach, describe, expect, test, vi } from 'vitest';
import { eitherSignal } from '../src/http/either-signal.ts';

describe.each(['the platform', 'listeners'])('either of two signals, by %s', (means) => {
  afterEach(() => vi.unstubAllGlobals());
  const controllers = () => {
    // Node 20.0 has no AbortSignal.any.
    if (means === 'listeners') vi.stubGlobal('AbortSignal', {});
    return [new AbortController(), new AbortController()] as const;
  };

  test.each([0, 1])('is aborted with the reason of the one at %i', (index) => {
    const both = controllers();
    const signal = eitherSignal(both[0].signal, both[1].signal);
    expect(signal.aborted).toBe(false);
    both[index]?.abort('enough');
    expect(signal.reason).toBe('enough');
  });

  test('is aborted from the start when one is', () => {
    const both = controllers();
    both[1].abort('enough');
    expect(eitherSignal(both[0].signal, both[1].signal).reason).toBe('enough');
  });
});
