import { type CommandIo, forTerminal } from './io.ts';

/** How far a phase is. */
type Step = { readonly done: number; readonly total: number | undefined; readonly subject?: string | undefined };
type ShowStep = (phase: string, step?: Step) => void;

/** Shows the progress of a task until it ends: a spinner on a terminal, else one line per phase; both on standard error. */
export async function withProgress<T>(io: CommandIo, task: (show: ShowStep) => Promise<T>): Promise<T> {
  if (!io.isTerminal) {
    let last = '';
    return task((phase) => {
      if (phase !== last) io.err(`${phase} …\n`);
      last = phase;
    });
  }
  const { default: yoctoSpinner } = await import('yocto-spinner');
  const spinner = yoctoSpinner().start();
  const paceOf = createPace(() => performance.now());
  try {
    return await task((phase, step) => {
      const details = step === undefined ? [] : [paceOf(phase, step), step.subject];
      spinner.text = forTerminal([phase, ...details].filter(Boolean).join(' '));
    });
  } finally {
    spinner.stop();
  }
}

/**
 * Describes how far a phase is, from its second step on with rate and remaining time: `240/1000, 48/s, 16 s left`. `now` is in
 * milliseconds.
 */
export function createPace(now: () => number): (phase: string, step: Step) => string {
  const begun = new Map<string, { at: number; done: number }>();
  return (phase, { done, total }) => {
    if (total === undefined) return done === 0 ? '' : String(done);
    const start = begun.get(phase) ?? { at: now(), done };
    begun.set(phase, start);
    const perSecond = ((done - start.done) * 1000) / (now() - start.at);
    if (!(perSecond > 0 && Number.isFinite(perSecond))) return `${done}/${total}`;
    const rate = perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond);
    return `${done}/${total}, ${rate}/s, ${Math.ceil((total - done) / perSecond)} s left`;
  };
}
