import type { Step } from '../../contract/probe.ts';
import type { Shown } from '../../contract/rule.ts';
import * as expect from './expect.ts';
import * as send from './send.ts';

/** A model of an unknown provider, and one that a known provider does not have; `tail` is below the path of a model. */
export function unknownModel(method: 'GET' | 'POST', tail = ''): Shown {
  const ask = (name: string, path: string): Step =>
    send.step(name, method === 'POST' ? send.post(path + tail, send.jsonBody({})) : send.get('router', path + tail));
  return expect.answers(
    ({ authored }) => [
      ask('unknown-provider', send.unknownModelPath),
      ask('unknown-model', send.unknownSiblingPath(authored)),
    ],
    expect.error(404, 'model_not_found'),
  );
}
