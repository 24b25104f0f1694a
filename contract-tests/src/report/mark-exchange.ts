import { isNode, parseDocument } from 'yaml';
import { parsePointer } from '../../../specs/src/index.ts';
import type { BodyRecord, ExchangeRecord, FindingRecord } from './report.ts';

type Piece = { readonly text: string; readonly isMarked: boolean };
const piece = (text: string, isMarked = false): Piece => ({ text, isMarked });

export function describeExchange(
  { request, response, durationMs }: ExchangeRecord,
  { at, code }: Partial<Pick<FindingRecord, 'at' | 'code'>> = {},
) {
  const sent = [`${request.method} ${request.url}`, ...request.headers.map((one) => one.join(': '))].join('\n');
  const [body] = readBody(request.body, undefined);
  const asked = { request: sent + (body?.text ?? ''), durationMs };
  if (response.kind === 'no-response')
    return { ...asked, answer: [piece(`no response: ${response.because}: ${response.detail}`, at !== undefined)] };
  const marked = at?.header?.toLowerCase();
  const headers = response.headers.map((one) => piece(one.join(': '), one[0].toLowerCase() === marked));
  const isPresent = marked === undefined || headers.some(({ isMarked }) => isMarked);
  const lines = [
    piece(`status ${response.status}`, code?.startsWith('status-') === true),
    ...headers,
    ...(isPresent ? [] : [piece(`(no header ${at?.header})`, true)]),
  ];
  const pointer = code?.startsWith('status-') ? undefined : at?.pointer;
  return { ...asked, answer: [...lines.flatMap((line) => [line, piece('\n')]), ...readBody(response.body, pointer)] };
}

function readBody(body: BodyRecord, pointer: string | undefined): readonly Piece[] {
  if (body.kind === 'none') return [];
  if (body.kind === 'binary') return [piece(`\n(${body.sizeBytes} bytes of binary data)`, pointer !== undefined)];
  const cut = body.isCut ? `\n(truncated; ${body.sizeBytes} bytes in total)` : '';
  if (pointer === undefined) return [piece(`\n${body.text}${cut}`)];
  const [from, to] = findRange(body.text, pointer);
  const after = piece(body.text.slice(to) + cut);
  return [piece(`\n${body.text.slice(0, from)}`), piece(body.text.slice(from, to), true), after];
}

/** Returns the range of the value at a pointer, or of its nearest parent that exists. The text may be cut. */
function findRange(text: string, pointer: string): readonly [from: number, to: number] {
  try {
    // JSON is valid YAML, and the YAML parser returns the positions of values.
    const document = parseDocument(text, { keepSourceTokens: false, uniqueKeys: false });
    for (let path: unknown[] = parsePointer(pointer); path.length > 0; path = path.slice(0, -1)) {
      const node = document.getIn(path, true);
      if (isNode(node) && node.range) return [node.range[0], node.range[1]];
    }
  } catch {
    // The parser throws on deeply nested texts.
  }
  return [0, text.length];
}
