import type { Brand } from '../../../specs/src/index.ts';
import { brandedName, type Reply, requestId } from '../http/messages.ts';
import { onReply, readReply } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';

type HeaderLine = readonly [name: string, value: string];
type WireReply = { lines: readonly HeaderLine[]; body: Uint8Array; contentLength: number };

/** Writes a reply to the connection directly, because HTTP libraries refuse to send invalid replies. */
const onWire = (change: (reply: WireReply) => Partial<WireReply>): Change =>
  onReply((reply, { context }) => {
    const lines = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
    const body = readReply.bytes(reply);
    const wireReply: WireReply = { lines, body, contentLength: body.length };
    return { ...reply, raw: rawReply(reply, { ...wireReply, ...change(wireReply) }, context.brand) };
  });

function rawReply({ status }: Reply, { lines, body, contentLength }: WireReply, brand: Brand): Uint8Array {
  const head = [`HTTP/1.1 ${status} Answer`, ...lines.map(([name, value]) => `${brandedName(name, brand)}: ${value}`)];
  const text = new TextEncoder().encode(
    [...head, `content-length: ${contentLength}`, 'connection: close', '', ''].join('\r\n'),
  );
  return new Uint8Array([...text, ...body]);
}

const addBody = onWire(() => ({ body: new TextEncoder().encode('{"openapi":"3.1.0"}') }));
const repeatRequestId = onWire(({ lines }) => {
  const idLines = lines.filter(([one]) => one.toLowerCase() === requestId.toLowerCase());
  return { lines: [...lines, ...idLines.map(([one, value]): HeaderLine => [one, `${value}-2`])] };
});
const cutBody = onWire(({ body }) => ({ body: body.slice(0, 10) }));

/** Faults that are only visible on a socket. */
export const wireFaults: readonly Fault[] = [
  ...group({ id: 'schema-document.not-modified', on: 'readSchemaDocument', status: 304 }, [
    fault('with-a-body', ['MR-SCH-13'], addBody),
  ]),
  ...group({ id: 'catalog.list', on: 'listModels', status: 200 }, [
    fault('request-id-twice', ['MR-HDR-01'], repeatRequestId),
  ]),
  ...group({ id: 'submit.credits', on: 'submitRequest', status: 402 }, [
    fault('cut', ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'], cutBody),
  ]),
];
