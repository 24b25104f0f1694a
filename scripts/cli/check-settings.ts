import { UsageError } from './errors.ts';
import { fits, isObject } from './kinds.ts';
import { type AnySetting, optionName } from './settings.ts';

/** An object of settings, or a list of such objects; a member is a setting or another one. */
export type Place = { readonly isList: boolean; readonly members: Map<string, Place | AnySetting> };

/** Settings by their paths as a tree; `[]` follows the name of a list. */
export function treeOf(settings: Readonly<Record<string, AnySetting>>): Place {
  const root: Place = { isList: false, members: new Map() };
  for (const [path, setting] of Object.entries(settings)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = root;
    for (const name of names) {
      const member = name.replace('[]', '');
      const found = place.members.get(member);
      const next: Place =
        found !== undefined && 'members' in found ? found : { isList: member !== name, members: new Map() };
      place.members.set(member, next);
      place = next;
    }
    place.members.set(last, setting);
  }
  return root;
}

/** The first thing that is wrong with a value, with its place as a JSON pointer; undefined when nothing is. */
export function problemIn(place: Place, value: unknown, pointer = ''): string | undefined {
  const here = pointer || 'the object';
  if (place.isList && Array.isArray(value)) {
    const one = { ...place, isList: false };
    return firstOf(value.map((entry, index) => problemIn(one, entry, `${pointer}/${index}`)));
  }
  if (place.isList) return `${here} must be an array`;
  if (!isObject(value)) return `${here} must be an object`;
  const { members } = place;
  const unknown = Object.keys(value).find((name) => !members.has(name));
  if (unknown !== undefined)
    return `${here} has no setting ${JSON.stringify(unknown)}; it has ${[...members.keys()].join(', ')}`;
  return firstOf([...members].map(([name, member]) => problemOfMember(member, value[name], `${pointer}/${name}`)));
}

function problemOfMember(member: Place | AnySetting, value: unknown, pointer: string): string | undefined {
  const isSetting = 'kind' in member;
  if (value === undefined) return isSetting && member.isRequired ? `${pointer} is missing` : undefined;
  if (!isSetting) return problemIn(member, value, pointer);
  return fits(member.kind.schema, value) ? undefined : `${pointer} must ${member.kind.must}`;
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** Throws UsageError for an option that does not exist, or has a value of another kind; `what` takes the options. */
export function checkOptions(what: string, options: object, settings: Readonly<Record<string, AnySetting>>): void {
  const named = Object.entries(settings).map(([name, setting]) => [optionName(name, setting), setting]);
  const problem = problemIn(treeOf(Object.fromEntries(named)), options);
  if (problem !== undefined) throw new UsageError(`options of ${what}: ${problem}`);
}
