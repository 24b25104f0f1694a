export type LogFormat = 'json' | 'text' | 'off';
/** Facts only: no header, body, key or credential ever becomes part of a line. */
export type Notice = (message: string, facts: Readonly<Record<string, string | number | undefined>>) => void;
