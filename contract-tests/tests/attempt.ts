/** Runs a step and prints a line with its result or error. Returns the name of the step if it throws, otherwise nothing. */
export async function attempt(name: string, work: () => Promise<string | undefined>): Promise<readonly string[]> {
  const started = performance.now();
  const { passed, text } = await work().then(
    (result) => ({ passed: true, text: result }),
    (error: unknown) => ({ passed: false, text: error instanceof Error ? error.message : String(error) }),
  );
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const end = text === undefined ? '' : `: ${text}`;
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${end}\n`);
  return passed ? [] : [name];
}
