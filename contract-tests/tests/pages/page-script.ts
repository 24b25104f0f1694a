import { type CodeBlock, codeBlocks, commandLines } from './code-blocks.ts';

/**
 * Turns a page into a bash script, which writes the files of the page and runs its commands in order. If the exit code of a command
 * differs from the page, it prints the line of the page and ends with exit code 1. Servers run in the background until the process
 * group of the script is ended. `fillIn` replaces texts of the page, such as ports; blocks that match `isLeftOut` are not run.
 */
export function pageScript(
  page: string,
  fillIn: (text: string) => string,
  isLeftOut: (block: CodeBlock) => boolean = () => false,
): string {
  const steps = codeBlocks(page)
    .filter((block) => !isLeftOut(block))
    .map((block) => {
      const { language, name, text, note } = block;
      if (language !== 'sh' || name !== '') return name === '' ? '' : writeFile(name, fillIn(text));
      const run = note === 'background' || /^# in a \w+ terminal\b/.test(text) ? inBackground : runExpecting;
      return commandLines(block)
        .map((command) => run(fillIn(command.text), `${page}:${command.line}`, command.exitCode))
        .join('\n');
    });
  return ['set +e', ...steps.filter(Boolean)].join('\n');
}

function writeFile(name: string, text: string): string {
  const folder = name.includes('/') ? `mkdir -p ${name.slice(0, name.lastIndexOf('/'))}\n` : '';
  return `${folder}cat > ${name} <<'END OF FILE'\n${text}END OF FILE`;
}

function runExpecting(command: string, place: string, exitCode: number): string {
  return `${command}
code=$?; [ $code -eq ${exitCode} ] || { echo "${place} ended with exit code $code, not ${exitCode}"; exit 1; }`;
}

function inBackground(command: string, place: string): string {
  const log = `server-${place.split(':').at(-1)}.log`;
  return `(${command}) > ${log} 2>&1 &
for attempt in $(seq 300); do grep --quiet http:// ${log} && break; sleep 0.1; done
grep --quiet http:// ${log} || { echo "${place} does not start"; cat ${log}; exit 1; }`;
}
