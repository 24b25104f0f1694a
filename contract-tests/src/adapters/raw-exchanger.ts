import net from 'node:net';
import tls from 'node:tls';
import type { Exchanger } from '../ports.ts';
import type { NoResponse, WireRequest, WireResponse } from '../probe.ts';
import { answerOfReading, isOver, readRawAnswer } from './raw-answer.ts';
import { noResponse, reasonOf, requestLines } from './request-lines.ts';
import { startTimer } from './system-clock.ts';

const bodyCeilingBytes = 64 * 1024 * 1024;
/** How long bytes may follow an answer that is complete, where the connection is not closed after it. */
const aftermathMs = 150;

/** Over a plain socket, one connection for each request: shows what node:http hides, such as the body of a 304. */
export const rawExchange: Exchanger = (request, deadlineMs) =>
  new Promise((resolve) => {
    const socket = connect(request);
    const chunks: Buffer[] = [];
    let size = 0;
    let stopAftermath = (): void => undefined;
    const settle = (result: WireResponse | NoResponse): void => {
      stopTimer();
      stopAftermath();
      socket.destroy();
      resolve(result);
    };
    const settleWith = (ended: boolean): void => settle(answerOfReading(readRawAnswer(Buffer.concat(chunks), ended)));
    const stopTimer = startTimer(deadlineMs, () =>
      settle(noResponse('timeout', `no complete answer within ${deadlineMs} ms`)),
    );
    socket.on('error', (error) => settle(reasonOf(error)));
    socket.on('close', () => settleWith(true));
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bodyCeilingBytes) return settle(noResponse('too-large', `more than ${bodyCeilingBytes} bytes`));
      chunks.push(chunk);
      if (!isOver(readRawAnswer(Buffer.concat(chunks), false))) return;
      stopAftermath();
      stopAftermath = startTimer(aftermathMs, () => settleWith(false));
    });
    socket.write(bytesOf(request));
  });

function connect(request: WireRequest): net.Socket {
  const { protocol, hostname, port } = new URL(request.url);
  // URL keeps the brackets of an IPv6 address, a socket does not want them.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return net.connect({ host, port: Number(port || 80) });
  const name = net.isIP(host) === 0 ? { servername: host } : {};
  return tls.connect({ host, port: Number(port || 443), ...name });
}

function bytesOf(request: WireRequest): Buffer {
  const { path, lines } = requestLines(request);
  const head = [`${request.method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), request.body ?? new Uint8Array()]);
}
