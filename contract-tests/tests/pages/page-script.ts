import { codeBlocks } from './code-blocks.ts';
import { commandLines } from './command-lines.ts';

/**
 * A page as one script for bash: it writes the files of the page, runs its commands in their order, and ends with exit
 * code 1 and the line of the page when one ends otherwise than the page says. Blocks for other terminals run in the
 * background until the script's process group is ended. `fillIn` replaces what is different here, such as ports.
 */
export function pageScript(page: string, fillIn: (text: string) => string): string {
  const lines = commandLines(page);
  const steps = codeBlocks(page).map(({ language, name, text, line: first }) => {
    if (language !== 'sh') return `cat > ${name} <<'END OF FILE'\n${fillIn(text)}END OF FILE`;
    const last = first + text.split('\n').length - 1;
    const own = lines.filter(({ place, line }) => place.kind === 'block' && line >= first && line < last);
    const isServer = /^# in a \w+ terminal\b/.test(text);
    const run = isServer ? inBackground : expecting;
    return own.map(({ text: command, line, exitCode }) => run(fillIn(command), `${page}:${line}`, exitCode)).join('\n');
  });
  return ['set +e', ...steps].join('\n');
}

function expecting(command: string, place: string, exitCode: number): string {
  return `${command}
code=$?; [ $code -eq ${exitCode} ] || { echo "${place} ended with exit code $code, not ${exitCode}"; exit 1; }`;
}

function inBackground(command: string, place: string): string {
  const log = `server-${place.split(':').at(-1)}.log`;
  return `(${command}) > ${log} 2>&1 &
for attempt in $(seq 300); do grep --quiet http:// ${log} && break; sleep 0.1; done
grep --quiet http:// ${log} || { echo "${place} does not start"; cat ${log}; exit 1; }`;
}
