import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '..', 'switchyard.ts');

test.each([{ args: ['--help'] }, { args: ['sandbox', '--list-faults', '--json'] }])(
  'ends with 0 when the reader closes the pipe: $args',
  async ({ args }) => {
    const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('');
  },
);
