import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from './errors.ts';
import { valueOfText } from './kinds.ts';
import { type AnySetting, flagName, optionName } from './settings.ts';

/** Adds the flags of these settings, in their order. Where nothing is stated, commander leaves them out. */
export function addFlags(command: Command, settings: Readonly<Record<string, AnySetting>>): Command {
  for (const [name, setting] of Object.entries(settings)) command.addOption(flagOf(name, setting));
  return command;
}

export function flagOf(name: string, setting: AnySetting): Option {
  const { kind } = setting;
  const argument = setting.argument ?? kind.argument;
  const flag = flagName(optionName(name, setting));
  const words = kind.isTurnedOff ? flag.replace('--', '--no-') : flag;
  const option = new Option(argument === undefined ? words : `${words} ${argument}`, sentenceOf(setting));
  if (kind.choices !== undefined) return option.choices(kind.choices);
  // Commander collects the words of a list itself.
  return argument === undefined || option.variadic ? option : option.argParser((text) => parse(setting, text));
}

function sentenceOf({ says, default: fallback, otherwise, variable }: AnySetting): string {
  const isShown = typeof fallback === 'string' || typeof fallback === 'number';
  const words = otherwise ?? (isShown ? fallback : undefined);
  return `${says}${words === undefined ? '' : ` (default: ${words})`}${variable === undefined ? '' : ` (env: ${variable})`}`;
}

function parse({ kind }: AnySetting, text: string): unknown {
  try {
    return valueOfText(kind, text);
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
  }
}
