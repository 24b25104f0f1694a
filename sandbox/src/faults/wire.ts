import { sendOnWire, type WireAnswer } from '../wire-answer.ts';
import type { Decorator, Fault } from './decorator.ts';
import { type Answer, type HeaderRef, headerOf, takeApart, touches, type Where } from './making/answer-rewrite.ts';

/** An answer as it would stand on the socket; each header line may be changed, doubled or left out. */
type Written = { lines: [name: string, value: string][]; body: Uint8Array<ArrayBuffer>; ends: WireAnswer['then'] };

/** Writes matching answers to the socket by hand. */
function onWire(
  where: Where & { status: number },
  change: (written: Written, ref: (name: HeaderRef) => string) => Written,
): Decorator {
  return (app, context) => async (request) => {
    const response = await app(request);
    if (!touches(where, request) || response.status !== where.status) return response;
    const answer = await takeApart(response.clone());
    const lines = [...answer.headers].filter(([name]) => name !== 'content-length');
    const written = { lines: [...lines, lengthLine(answer)], body: answer.body, ends: 'close' } as const;
    return sendOnWire(
      response,
      bytesOf(
        answer.status,
        change({ ...written, lines: [...written.lines] }, (name) => headerOf(name, context)),
      ),
    );
  };
}

function lengthLine({ body }: Answer): [string, string] {
  return ['content-length', String(body.length)];
}

function bytesOf(status: number, { lines, body, ends }: Written): WireAnswer {
  const head = [`HTTP/1.1 ${status} Answer`, ...lines.map(([name, value]) => `${name}: ${value}`), 'connection: close'];
  const text = new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\n`);
  const bytes = new Uint8Array(text.length + body.length);
  bytes.set(text);
  bytes.set(body, text.length);
  // biome-ignore lint/suspicious/noThenProperty: the word of a wire answer, which nobody awaits
  return { bytes, then: ends };
}

function withLength(written: Written, length: number): Written {
  const lines = written.lines.map(([name, value]): [string, string] => [
    name,
    name === 'content-length' ? String(length) : value,
  ]);
  return { ...written, lines };
}

const unaffordable = { on: ['submitRequest'], status: 402 } as const;
const unaffordableIs = ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'];

/** What no response can hold: it is written to the socket by hand. */
export const wireFaults: readonly Fault[] = [
  {
    id: 'schema-document.not-modified.with-a-body',
    requirements: ['MR-SCH-13'],
    description: 'A 304 has a body.',
    decorate: onWire({ on: ['readSchemaDocument'], status: 304 }, (written) => ({
      ...written,
      body: new TextEncoder().encode('{"openapi":"3.1.0"}'),
    })),
  },
  {
    id: 'catalog.list.request-id-twice',
    requirements: ['MR-HDR-01'],
    description: 'A page of the catalog has two lines with the request id.',
    decorate: onWire({ on: ['listModels'], status: 200 }, (written, ref) => {
      const name = ref({ branded: 'Request-Id' }).toLowerCase();
      const again = written.lines.filter(([one]) => one.toLowerCase() === name);
      return {
        ...written,
        lines: [...written.lines, ...again.map(([one, value]): [string, string] => [one, `${value}-2`])],
      };
    }),
  },
  {
    id: 'submit.credits.length-too-long',
    requirements: unaffordableIs,
    description: 'The 402 announces more bytes than it has, and the connection ends.',
    decorate: onWire(unaffordable, (written) => withLength(written, written.body.length + 10)),
  },
  {
    id: 'submit.credits.length-too-short',
    requirements: unaffordableIs,
    description: 'The 402 announces fewer bytes than it has.',
    decorate: onWire(unaffordable, (written) => withLength(written, written.body.length - 5)),
  },
  {
    id: 'submit.credits.cut',
    requirements: unaffordableIs,
    description: 'The connection is reset within the body of the 402.',
    decorate: onWire(unaffordable, (written) => ({ ...written, body: written.body.slice(0, 10), ends: 'cut' })),
  },
  {
    id: 'submit.credits.stalled',
    requirements: unaffordableIs,
    description: 'The 402 stops within its body, and the connection stays open.',
    decorate: onWire(unaffordable, (written) => ({ ...written, body: written.body.slice(0, 10), ends: 'stall' })),
  },
];
