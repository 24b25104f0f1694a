/** Remaining steps of a task that a document could make endless. `isOver` returns true after the deadline of the task. */
export type Work = { left: number; readonly isOver?: () => boolean };
/** Thrown when no steps are left. */
export class OutOfWork extends Error {
  override readonly name = 'OutOfWork';
}

export function spend(work: Work, steps = 1): void {
  work.left -= steps;
  if (work.left < 0) throw new OutOfWork('no steps are left');
  if (work.isOver?.()) throw new OutOfWork('no time is left');
}
