/** Runs a step, prints a line for it, and returns its name if it failed. A step returns what its line says, or throws. */
export async function attempt(name: string, work: () => Promise<string | undefined>): Promise<readonly string[]> {
  const started = performance.now();
  const { passed, text } = await work().then(
    (said) => ({ passed: true, text: said }),
    (error: unknown) => ({ passed: false, text: error instanceof Error ? error.message : String(error) }),
  );
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const end = text === undefined ? '' : `: ${text}`;
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${end}\n`);
  return passed ? [] : [name];
}
