import { InvalidArgumentError } from 'commander';

/** For commander: a whole number within bounds, or one clear line. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** For commander: anything but nothing, which a shell makes of a variable that is not set. */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** For commander: an absolute http or https address without credentials in it; a trailing slash is dropped. */
export function httpAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address.');
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('An address must not carry credentials: use the environment.');
  if (url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('A base address has no query and no fragment.');
  return url.href.replace(/\/+$/, '');
}

/** A complaint quotes what it refuses, and ends up in logs: what an address may carry of a secret stays out of it. */
export function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, '$1…@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]*/gi, '$1?…');
}
