import { availableParallelism, totalmem } from 'node:os';

/** Facts about the machine that figures depend on. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}, ${process.platform}`;
}
