/** Steps left for one model. */
export type Work = { left: number };
/** Says that a model takes more steps than it may. */
export class OutOfWork extends Error {
  override readonly name = 'OutOfWork';
}

export function spend(work: Work, steps = 1): void {
  work.left -= steps;
  if (work.left < 0) throw new OutOfWork('the schemas are too large to compare');
}
