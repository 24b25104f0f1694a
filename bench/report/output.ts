import type { BenchOptions } from '../options.ts';
import { describeMachine } from './machine.ts';

/** The result of a bench: text for people, figures for programs. */
export function publish(options: BenchOptions, result: { bench: string; text: string; figures: unknown }): void {
  const machine = describeMachine();
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ bench: result.bench, machine, figures: result.figures }, undefined, 2)}\n`
      : `${result.bench} (${machine})\n\n${result.text}\n`,
  );
}

export function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}
