// Time that can be moved: everything that waits here waits on this clock.

type Sleeper = { readonly due: number; readonly action: () => void; timer: NodeJS.Timeout | undefined };

export class Clock {
  #shiftMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return Date.now() + this.#shiftMs;
  }

  /** Runs the action later; the returned function forgets it. */
  after(ms: number, action: () => void): () => void {
    const sleeper: Sleeper = { due: this.now() + ms, action, timer: undefined };
    this.#sleepers.add(sleeper);
    this.#arm(sleeper);
    return () => this.#forget(sleeper);
  }

  wait(ms: number): Promise<void> {
    return new Promise((done) => void this.after(ms, done));
  }

  /** Moves time forward and stops at every moment at which something was due. */
  async advance(ms: number): Promise<void> {
    const target = this.now() + ms;
    for (let next = this.#earliest(); next !== undefined && next.due <= target; next = this.#earliest()) {
      this.#shiftMs += Math.max(0, next.due - this.now());
      this.#fire(next);
      await new Promise((done) => setImmediate(done));
    }
    this.#shiftMs += Math.max(0, target - this.now());
    for (const sleeper of this.#sleepers) this.#arm(sleeper);
  }

  close(): void {
    for (const sleeper of [...this.#sleepers]) this.#forget(sleeper);
  }

  #earliest(): Sleeper | undefined {
    return [...this.#sleepers].sort((a, b) => a.due - b.due)[0];
  }

  #arm(sleeper: Sleeper): void {
    clearTimeout(sleeper.timer);
    const wait = Math.min(Math.max(0, sleeper.due - this.now()), 2 ** 31 - 1);
    sleeper.timer = setTimeout(() => (sleeper.due > this.now() ? this.#arm(sleeper) : this.#fire(sleeper)), wait);
  }

  #fire(sleeper: Sleeper): void {
    if (!this.#sleepers.has(sleeper)) return;
    this.#forget(sleeper);
    sleeper.action();
  }

  #forget(sleeper: Sleeper): void {
    clearTimeout(sleeper.timer);
    this.#sleepers.delete(sleeper);
  }
}
