import { codeBlocks } from './code-blocks.ts';
import { commandLines } from './command-lines.ts';

const page = 'docs/tutorial.md';

/**
 * The tutorial as one script for bash: it writes the files of the page, runs its commands in their order, and ends with exit
 * code 1 and the line of the page when one ends otherwise than the page says. Blocks for other terminals run in the
 * background until the script's process group is ended. `fillIn` replaces what is different here, such as ports.
 */
export function tutorialScript(fillIn: (text: string) => string): string {
  const lines = commandLines(page);
  const steps = codeBlocks(page).map(({ language, name, text, line: first }) => {
    if (language !== 'sh') return `cat > ${name} <<'END OF FILE'\n${fillIn(text)}END OF FILE`;
    const last = first + text.split('\n').length - 1;
    const own = lines.filter(({ place, line }) => place.kind === 'block' && line >= first && line < last);
    const isServer = /^# in a \w+ terminal\n/.test(text);
    return own.map((line) => (isServer ? inBackground : expecting)(fillIn(line.text), line)).join('\n');
  });
  return ['set +e', ...steps].join('\n');
}

function expecting(text: string, { line, exitCode }: { line: number; exitCode: number }): string {
  return `${text}
code=$?; [ $code -eq ${exitCode} ] || { echo "${page}:${line} ended with exit code $code, not ${exitCode}"; exit 1; }`;
}

function inBackground(text: string, { line }: { line: number }): string {
  return `(${text}) > server-${line}.log 2>&1 &
for attempt in $(seq 300); do grep --quiet http:// server-${line}.log && break; sleep 0.1; done
grep --quiet http:// server-${line}.log || { echo "${page}:${line} does not start"; cat server-${line}.log; exit 1; }`;
}
