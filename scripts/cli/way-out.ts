import { createRedactor, disarmCommands, redactTree } from '../../specs/src/index.ts';
import { secretsIn } from './access.ts';
import type { CommandIo, ProcessIo } from './io.ts';

/**
 * What all that a command, a call or a plugin prints passes: credentials are replaced first, in JSON string by string, so that it stays
 * JSON; then what a build service would take as a command is made harmless. Secrets that are read later are kept from then on.
 */
export function guardIo(io: ProcessIo | CommandIo): CommandIo {
  if ('redact' in io) return io;
  const secrets = new Set(secretsIn(io.env));
  let replace = createRedactor([...secrets]);
  const redact = (text: string): string => {
    const shown = replace(text);
    if (shown === text || !/^\s*[[{]/.test(text)) return shown;
    const tree = `${JSON.stringify(redactTree(parse(text), replace))}\n`;
    return replace(tree) === tree ? tree : shown;
  };
  const { ask } = io;
  return {
    ...io,
    redact,
    keepSecret: (value) => {
      if (!secrets.has(value)) replace = createRedactor([...secrets.add(value)]);
      return value;
    },
    out: (text, kind) => io.out(kind === 'commands' ? redact(text) : disarmCommands(redact(text))),
    err: (text) => io.err(disarmCommands(redact(text))),
    ...(ask && { ask: (question: string) => ask(redact(question)) }),
  };
}

/** A text that begins like JSON may be none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
