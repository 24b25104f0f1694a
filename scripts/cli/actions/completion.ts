import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What people type after `npx`: the package need not be installed, or only in the project. */
const packageName = 'openapi-switchyard';

/** A command with the words that lead to it: `['specs', 'build']`. */
type Entry = { readonly path: readonly string[]; readonly command: Command };

/** The completion of a whole program, from its own table of commands. */
export function completionScript(shell: Shell, program: Command): string {
  const entries = entriesOf(program, []);
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program.name(), entries);
}

function entriesOf(command: Command, path: readonly string[]): Entry[] {
  return [{ path, command }, ...command.commands.flatMap((child) => entriesOf(child, [...path, child.name()]))];
}

function optionsOf(command: Command): Option[] {
  const hidden = new Set(['--help']);
  return command.options.filter(({ long, hidden: isHidden }) => long !== undefined && !isHidden && !hidden.has(long));
}

const placeOf = ({ path }: Entry): string => path.map((word) => `/${word}`).join('');

function choicesOf(entries: readonly Entry[]): { place: string; flag: string; choices: readonly string[] }[] {
  return entries.flatMap((entry) =>
    optionsOf(entry.command).flatMap(({ long, argChoices }) =>
      argChoices === undefined ? [] : [{ place: placeOf(entry), flag: long ?? '', choices: argChoices }],
    ),
  );
}

/** Where the words so far have led, in bash and zsh alike. */
function walk(entries: readonly Entry[], words: string): string {
  const places = entries.map(placeOf).filter((place) => place !== '');
  return `  for word in ${words}; do
    case "$at/$word" in
      ${places.join('|')}) at="$at/$word" ;;
    esac
  done`;
}

function bashScript(name: string, entries: readonly Entry[]): string {
  const reply = (words: string): string => `COMPREPLY=($(compgen -W '${words}' -- "$cur"))`;
  const choices = choicesOf(entries).map(
    ({ place, flag, choices }) => `    '${place} ${flag}') ${reply(choices.join(' '))}; return ;;`,
  );
  const words = entries.map((entry) => {
    const flags = optionsOf(entry.command).map(({ long }) => long);
    const all = [...entry.command.commands.map((child) => child.name()), ...flags];
    return `    '${placeOf(entry)}') ${reply(all.join(' '))} ;;`;
  });
  return `# ${name} completion for bash; load it with: source <(npx ${packageName} completion bash)
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at='' word
${walk(entries, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$at $prev" in
${choices.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
}
_${name}_npx() {
  [ "$COMP_CWORD" -gt 1 ] || return
  case "\${COMP_WORDS[1]}" in
    ${name}|${packageName}) COMP_WORDS=("\${COMP_WORDS[@]:1}"); COMP_CWORD=$((COMP_CWORD - 1)); _${name} ;;
  esac
}
complete -o default -F _${name} ${name}
complete -p npx >/dev/null 2>&1 || complete -o default -F _${name}_npx npx
`;
}

function zshScript(name: string, entries: readonly Entry[]): string {
  const describe = (word: string, text: string): string => quote(`${word}:${text.replaceAll(':', ' -')}`);
  const choices = choicesOf(entries).map(
    ({ place, flag, choices }) => `    '${place} ${flag}') compadd ${choices.join(' ')}; return ;;`,
  );
  const words = entries.map((entry) => {
    const children = entry.command.commands.map((child) => describe(child.name(), child.description()));
    const flags = optionsOf(entry.command).map(({ long, description }) => describe(long ?? '', description));
    return `    '${placeOf(entry)}') entries=(${[...children, ...flags].join(' ')}) ;;`;
  });
  return `#compdef ${name}
# ${name} completion for zsh; load it with: source <(npx ${packageName} completion zsh)
_${name}() {
  local at='' word
  local -a entries
${walk(entries, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$at \${words[CURRENT-1]}" in
${choices.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  _describe '${name}' entries || _files
}
_${name}_npx() {
  if (( CURRENT > 2 )) && [[ $words[2] = (${name}|${packageName}) ]]; then
    shift words
    (( CURRENT-- ))
    _${name}
  else
    _files
  fi
}
compdef _${name} ${name}
(( \${+_comps[npx]} )) || compdef _${name}_npx npx
`;
}

function fishScript(name: string, entries: readonly Entry[]): string {
  const lines = entries.flatMap((entry) => {
    const when = entry.path.length === 0 ? '__fish_use_subcommand' : seen(entry.path);
    const head = `complete -c ${name} -n ${quote(when)}`;
    const children = entry.command.commands.map(
      (child) => `${head} -f -a ${child.name()} -d ${quote(child.description())}`,
    );
    const flags = optionsOf(entry.command).map(({ long, description, argChoices, required, optional }) => {
      const values = argChoices === undefined ? '' : ` -xa ${quote(argChoices.join(' '))}`;
      const takes = argChoices === undefined && (required || optional) ? ' -r' : '';
      return `${head} -l ${(long ?? '').slice(2)} -d ${quote(description)}${takes}${values}`;
    });
    return [...children, ...flags];
  });
  return `# ${name} completion for fish; load it with: npx ${packageName} completion fish | source\n${lines.join('\n')}\n`;
}

function seen(path: readonly string[]): string {
  return path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "'\\''")}'`;
}
