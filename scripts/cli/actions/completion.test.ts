import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fakeIo } from '../../tests/fake-io.ts';
import { runProgram } from '../program.ts';

async function printed(...words: string[]): Promise<string> {
  const io = fakeIo({ workingFolder: '/' });
  expect(await runProgram(words, io)).toBe(0);
  return io.written.out;
}

test.each([
  { words: ['switchyard', 'ver'], offers: ['verify'] },
  { words: ['switchyard', 'specs', ''], offers: ['build', 'check'] },
  { words: ['switchyard', 'conform', '--target', ''], offers: ['mock', 'sandbox', 'live'] },
  { words: ['switchyard', 'generate', '--package-v'], offers: ['--package-version'] },
  { words: ['switchyard', '--deb'], offers: ['--debug'] },
  { words: ['npx', 'switchyard', 'ver'], offers: ['verify'] },
  { words: ['npx', 'openapi-switchyard', 'conform', '--target', ''], offers: ['mock', 'sandbox', 'live'] },
  { words: ['npx', 'other', 'ver'], offers: [''] },
  { words: ['npx', 'switchyard'], offers: [''] },
])('bash completes $words', async ({ words, offers }) => {
  const script = `${await printed('completion', 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); read -r _ _ _ _ registered _ <<< "$(complete -p "$1")"; $registered; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const found = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  expect(found.trim().split('\n')).toEqual(offers);
});

test.each(['zsh', 'fish'])('%s is offered every command and flag of the help', async (shell) => {
  const script = await printed('completion', shell);
  const commands = [...(await printed('--help')).matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  expect(commands).toContain('generate');
  for (const command of commands.filter((name) => name !== 'help')) {
    expect(script).toContain(command);
    const flags = [...(await printed(command, '--help')).matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(
      ([, name]) => name,
    );
    for (const flag of flags)
      if (flag !== 'help') expect(script).toContain(shell === 'fish' ? `-l ${flag} ` : `--${flag}:`);
  }
});
