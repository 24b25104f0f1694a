import { availableParallelism, totalmem } from 'node:os';

/** What figures depend on, without naming the machine. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}, ${process.platform}`;
}
