export type Random = () => number;

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbour', 'inlet', 'juniper'];

/** One of `choices`, or undefined when there is none. */
export function pick<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices[Math.floor(random() * choices.length)];
}

export function word(random: Random): string {
  return pick(random, words) ?? '';
}

export function hex(random: Random, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

export function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(Math.floor(random() * 10))).join('');
}

/** A number from 1 to `most`, below 100, in two digits. */
export function twoDigits(random: Random, most: number): string {
  return String(1 + Math.floor(random() * most)).padStart(2, '0');
}
